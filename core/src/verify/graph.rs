//! The event graph of a plan under a model, for those who walk it with a clock.

use super::{findings, gangs, matching, order, table};
use crate::model::{BatchRule, Channel, Model};
use crate::tape::Tape;

/// What waits for what. Steps and items are numbered by their places in the tape.
pub(crate) struct Graph {
    /// For each item the one that it meets.
    pub partner: Vec<u32>,
    /// For each step the first member of its gang: itself, where it runs alone or the rule is `item`.
    pub gang: Vec<u32>,
    /// How many steps the gang with this first member has.
    pub gang_size: Vec<u32>,
    /// The earlier steps of its rank that step `s` waits for: `waits[starts[s]..starts[s + 1]]`. One may be listed twice.
    pub starts: Vec<u32>,
    /// See `starts`.
    pub waits: Vec<u32>,
    /// An item meets none, or one rank has two steps in one gang: then something never runs.
    pub is_stuck: bool,
}

impl Graph {
    /// The graph of a tape.
    pub fn of(tape: &Tape<'_>, model: Model) -> Graph {
        let (ranks, steps, items) = (tape.ranks() as usize, tape.steps.len(), tape.items.len());
        let mut out = findings::Findings::new();
        let (mut partner, mut next) = (vec![0; items], vec![0; items]);
        let mut edges = vec![0; matching::EDGE_WORDS * matching::edge_slots(ranks, items)];
        let mut peers = vec![0; 2 * ranks];
        let is_gang = model.batch() == BatchRule::Gang;
        let mut matched = matching::Matching { partner: &mut partner, next: &mut next };
        matching::run(tape, is_gang, &mut matched, &mut edges, &mut peers, &mut out);

        let mut gang: Vec<u32> = (0..steps as u32).collect();
        let mut gang_size = vec![1; steps];
        let mut is_stuck = matched.partner.contains(&0);
        if is_gang {
            peers.fill(0);
            let [mut parent, mut ring, mut others, mut seen] = [(); 4].map(|()| vec![0; steps]);
            let mut gangs = gangs::Gangs::new(&mut parent, &mut ring, &mut others);
            is_stuck |= gangs.form(tape, &matched, &mut seen, &mut peers, &mut out).is_some();
            for step in 0..steps as u32 {
                let root = gangs.root(step);
                gang[step as usize] = root;
                gang_size[root as usize] = gangs.size(root);
            }
        }
        let (starts, waits) = waits(tape, model.channel());
        partner.iter_mut().for_each(|partner| *partner = partner.wrapping_sub(1));
        Graph { partner, gang, gang_size, starts, waits, is_stuck }
    }

    /// What step `s` waits for inside its rank.
    pub fn waits(&self, s: usize) -> &[u32] {
        &self.waits[self.starts[s] as usize..self.starts[s + 1] as usize]
    }
}

fn waits(tape: &Tape<'_>, channel: Channel) -> (Vec<u32>, Vec<u32>) {
    let steps = tape.steps.len();
    if channel == Channel::Blocking {
        let mut starts = Vec::with_capacity(steps + 1);
        let mut waits = Vec::with_capacity(steps);
        for (s, step) in tape.steps.iter().enumerate() {
            starts.push(waits.len() as u32);
            if step.number > 0 {
                waits.push(s as u32 - 1);
            }
        }
        starts.push(waits.len() as u32);
        return (starts, waits);
    }
    let (mut starts, mut waits) = (vec![0; steps + 1], vec![0; order::capacity(tape)]);
    let (mut last, mut received) =
        (vec![0; 2 * tape.ranks() as usize], vec![0; table::slots(tape.items.len())]);
    let mut order = order::Order { starts: &mut starts, steps: &mut waits };
    order.fill(tape, channel, &mut last, &mut received);
    waits.truncate(starts[steps] as usize);
    (starts, waits)
}
