//! The clock, straight from the definition: times are filled in until nothing more is known.

use counterpart_core::{BatchRule, Channel, FaultKind, Model, Plan};

use super::pairing::{self, Pairing};
use super::{ItemPlace, Place, waits};
use crate::world::{Step, World};

/// When every step of a plan begins and ends under a model, in ticks; `None` for a plan that cannot run to its end.
///
/// A step begins when all that it waits for inside its rank has ended. A compute step then takes `cost(rank, step)`. A
/// transfer takes `transfer(rank, step, item)`, which is asked with the place of its send; it begins when both its steps
/// have begun, under `gang` when all steps of the gang have, and a step ends with the last of its items. Under `eager`
/// a transfer begins with the step of its send, which does not wait for the receive. There is no other contention.
pub fn times(
    plan: &Plan,
    model: Model,
    cost: impl Fn(usize, usize) -> u64,
    transfer: impl Fn(usize, usize, usize) -> u64,
) -> Option<Vec<Vec<(u64, u64)>>> {
    let world = World::from_plan(plan);
    let pairing = pairing::pair(&world);
    if pairing.kinds.contains(&FaultKind::Peer) || pairing.kinds.contains(&FaultKind::Unmatched) {
        return None;
    }
    let gangs = gangs(&world, &pairing, model)?;
    let waits: Vec<Vec<Vec<usize>>> = world.programs.iter().map(|program| within(program, model)).collect();
    let mut clock = Clock {
        world: &world,
        pairing: &pairing,
        model,
        gangs,
        waits,
        cost,
        transfer,
        begin: blank(&world),
        end: blank(&world),
    };
    while clock.advance() {}
    let pair = |(begin, end): (&Option<u64>, &Option<u64>)| Some(((*begin)?, (*end)?));
    let ranks = clock.begin.iter().zip(&clock.end);
    ranks.map(|(begin, end)| begin.iter().zip(end).map(pair).collect()).collect()
}

/// A time for every step, not known yet.
fn blank(world: &World) -> Vec<Vec<Option<u64>>> {
    world.programs.iter().map(|program| vec![None; program.len()]).collect()
}

fn within(program: &[Step], model: Model) -> Vec<Vec<usize>> {
    (0..program.len()).map(|at| waits::within(program, at, model.channel())).collect()
}

/// For every step the steps that run as one with it, itself among them; `None` where two of them are of one rank.
fn gangs(world: &World, pairing: &Pairing, model: Model) -> Option<Vec<Vec<Vec<Place>>>> {
    let gang = |rank: usize, number: usize| {
        let mut gang = vec![(rank, number)];
        let mut next = 0;
        while next < gang.len() {
            for place in tied(world, pairing, gang[next]) {
                if !gang.contains(&place) {
                    gang.push(place);
                }
            }
            next += 1;
        }
        gang
    };
    let all = |(rank, program): (usize, &Vec<Step>)| {
        let gang = |number| match model.batch() {
            BatchRule::Gang => gang(rank, number),
            BatchRule::Item => vec![(rank, number)],
        };
        (0..program.len()).map(gang).collect::<Vec<_>>()
    };
    let gangs: Vec<Vec<Vec<Place>>> = world.programs.iter().enumerate().map(all).collect();
    let is_torn = |gang: &Vec<Place>| gang.iter().any(|a| gang.iter().any(|b| a != b && a.0 == b.0));
    (!gangs.iter().flatten().any(is_torn)).then_some(gangs)
}

/// The partner steps that a step has to run with: all of a batch, of a single one only those that are batches.
fn tied(world: &World, pairing: &Pairing, (rank, number): Place) -> Vec<Place> {
    let step = |(rank, number): Place| &world.programs[rank][number];
    let is_batch = |place: Place| matches!(step(place), Step::Batch(_));
    let partners = (0..step((rank, number)).comms().len()).map(|i| pairing.partner[&(rank, number, i)]);
    let partners = partners.map(|(peer, number, _)| (peer, number));
    partners.filter(|&partner| is_batch((rank, number)) || is_batch(partner)).collect()
}

struct Clock<'a, C, T> {
    world: &'a World,
    pairing: &'a Pairing,
    model: Model,
    gangs: Vec<Vec<Vec<Place>>>,
    waits: Vec<Vec<Vec<usize>>>,
    cost: C,
    transfer: T,
    begin: Vec<Vec<Option<u64>>>,
    end: Vec<Vec<Option<u64>>>,
}

impl<C: Fn(usize, usize) -> u64, T: Fn(usize, usize, usize) -> u64> Clock<'_, C, T> {
    /// Goes through all steps once. Did it learn a time?
    fn advance(&mut self) -> bool {
        let mut learned = false;
        for (rank, program) in self.world.programs.iter().enumerate() {
            for number in 0..program.len() {
                if self.begin[rank][number].is_none() {
                    self.begin[rank][number] = self.begin_of(rank, number);
                    learned |= self.begin[rank][number].is_some();
                }
                if self.end[rank][number].is_none() {
                    self.end[rank][number] = self.end_of(rank, number);
                    learned |= self.end[rank][number].is_some();
                }
            }
        }
        learned
    }

    fn begin_of(&self, rank: usize, number: usize) -> Option<u64> {
        // The latest first: it is the one that is not known for longest.
        let mut ends = self.waits[rank][number].iter().rev().map(|&before| self.end[rank][before]);
        ends.try_fold(0, |latest, end| Some(latest.max(end?)))
    }

    fn end_of(&self, rank: usize, number: usize) -> Option<u64> {
        let begin = self.begin[rank][number]?;
        let step = &self.world.programs[rank][number];
        if step.as_compute().is_some() {
            return Some(begin + (self.cost)(rank, number));
        }
        let mut items = (0..step.comms().len()).map(|i| self.item_end((rank, number, i)));
        items.try_fold(begin, |latest, end| Some(latest.max(end?)))
    }

    /// When an item of a step that has begun is done.
    fn item_end(&self, item: ItemPlace) -> Option<u64> {
        let (mine, partner) = (self.begin[item.0][item.1]?, self.pairing.partner[&item]);
        let is_send = self.world.programs[item.0][item.1].comms()[item.2].send;
        let send = if is_send { item } else { partner };
        let takes = (self.transfer)(send.0, send.1, send.2);
        if self.model.channel() == Channel::Eager {
            return Some(mine.max(self.begin[send.0][send.1]? + takes));
        }
        let theirs = self.begin[partner.0][partner.1]?;
        let mut gang = self.gangs[item.0][item.1].iter().map(|&(rank, number)| self.begin[rank][number]);
        let begin = gang.try_fold(mine.max(theirs), |latest, begin| Some(latest.max(begin?)));
        Some(begin? + takes)
    }
}
