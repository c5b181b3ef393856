//! The graph of events: each step begins and ends, each item is done; an edge leads from what comes first.

use counterpart_core::{BatchRule, Channel, Model};

use super::pairing::Pairing;
use super::{ItemPlace, Place, waits};
use crate::world::{Step, World};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Event {
    Begin(Place),
    End(Place),
    Done(ItemPlace),
}

/// The events of a schedule under a model.
pub(super) struct Events {
    /// Edges between nodes; a node is the event that stands for all that were merged with it.
    edges: Vec<(usize, usize)>,
    nodes: usize,
    /// Gang of each step, by its global number.
    gangs: Vec<usize>,
    starts: Vec<usize>,
    /// Has a gang two steps of one rank?
    torn: bool,
}

impl Events {
    pub(super) fn of(world: &World, pairing: &Pairing, model: Model) -> Events {
        let mut places = Vec::new();
        let mut starts = Vec::new();
        for (rank, program) in world.programs.iter().enumerate() {
            starts.push(places.len());
            places.extend((0..program.len()).map(|number| (rank, number)));
        }
        let gangs = gangs(world, pairing, model, &places, &starts);
        let torn =
            (0..places.len()).any(|s| (0..s).any(|t| gangs[s] == gangs[t] && places[s].0 == places[t].0));

        let mut events = Vec::new();
        let mut edges = Vec::new();
        for &(rank, number) in &places {
            let (begin, end) = (Event::Begin((rank, number)), Event::End((rank, number)));
            events.extend([begin, end]);
            edges.push((begin, end));
            for before in waits::within(&world.programs[rank], number, model.channel()) {
                edges.push((Event::End((rank, before)), begin));
            }
            for (i, comm) in world.programs[rank][number].comms().iter().enumerate() {
                let done = Event::Done((rank, number, i));
                events.push(done);
                edges.extend([(begin, done), (done, end)]);
                if model.channel() == Channel::Eager && !comm.send {
                    let (from, step, _) = pairing.partner[&(rank, number, i)];
                    edges.push((Event::Begin((from, step)), done));
                }
            }
        }
        let stands_for = |event: Event| match event {
            Event::End((rank, number)) => {
                // Members of a gang end as one: the first of them stands for all.
                let gang = gangs[starts[rank] + number];
                let first = (0..places.len()).find(|&s| gangs[s] == gang).expect("the step itself");
                Event::End(places[first])
            }
            Event::Done(item) if model.channel() != Channel::Eager => {
                // A send and its receive are done at once: the smaller place stands for both.
                Event::Done(item.min(pairing.partner[&item]))
            }
            other => other,
        };
        let number = |event: Event| {
            let event = stands_for(event);
            events.iter().position(|&e| e == event).expect("every event is listed")
        };
        let edges = edges.into_iter().map(|(a, b)| (number(a), number(b))).collect();
        let nodes = events.len();
        Events { edges, nodes, gangs, starts, torn }
    }

    /// Is there a cycle, or a gang with two steps of one rank?
    pub(super) fn is_stuck(&self) -> bool {
        let mut after = vec![Vec::new(); self.nodes];
        for &(a, b) in &self.edges {
            after[a].push(b);
        }
        self.torn || has_cycle(&after)
    }

    /// Are the two steps in one gang?
    pub(super) fn run_as_one(&self, a: Place, b: Place) -> bool {
        self.gangs[self.starts[a.0] + a.1] == self.gangs[self.starts[b.0] + b.1]
    }
}

/// The gang of every step: its own number, until a batch ties it to others.
fn gangs(world: &World, pairing: &Pairing, model: Model, places: &[Place], starts: &[usize]) -> Vec<usize> {
    let mut gangs: Vec<usize> = (0..places.len()).collect();
    if model.batch() == BatchRule::Item {
        return gangs;
    }
    for (s, &(rank, number)) in places.iter().enumerate() {
        let Step::Batch(comms) = &world.programs[rank][number] else { continue };
        for i in 0..comms.len() {
            let (peer, step, _) = pairing.partner[&(rank, number, i)];
            let (mine, theirs) = (gangs[s], gangs[starts[peer] + step]);
            for gang in gangs.iter_mut().filter(|gang| **gang == theirs) {
                *gang = mine;
            }
        }
    }
    gangs
}

/// Depth-first search: a node met again while it is still open closes a cycle.
fn has_cycle(after: &[Vec<usize>]) -> bool {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        Unseen,
        Open,
        Closed,
    }
    let mut marks = vec![Mark::Unseen; after.len()];
    for root in 0..after.len() {
        if marks[root] != Mark::Unseen {
            continue;
        }
        marks[root] = Mark::Open;
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            match after[*node].get(*next) {
                None => {
                    marks[*node] = Mark::Closed;
                    path.pop();
                }
                Some(&to) => {
                    *next += 1;
                    match marks[to] {
                        Mark::Open => return true,
                        Mark::Closed => {}
                        Mark::Unseen => {
                            marks[to] = Mark::Open;
                            path.push((to, 0));
                        }
                    }
                }
            }
        }
    }
    false
}
