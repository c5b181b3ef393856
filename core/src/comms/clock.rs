//! The walk with a clock: compute steps take their time, and transfers theirs, on links without limits or on one queue
//! per rank.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::lay::{self, Laid, Programs};
use super::queues::{Begun, Queues};
use super::rounds::Stopped;
use super::transfers::Transfers;
use crate::plan::Plan;
use crate::simulate::{Costs, Ticks};

/// When transfers happen.
pub(super) enum Links {
    /// Each at once when its value is written: links have no limits.
    Free,
    /// Each rank takes part in one transfer at a time, but sends to a peer while it receives from it where both are to be
    /// done. Of those that could begin, the one with the smallest number here goes first.
    Queues(Vec<Ticks>),
}

/// When a compute step takes its place between sends and receives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// When it begins: what happens while it runs stands behind it. That suits channels on which everything waits for
    /// everything before it.
    Begin,
    /// When it ends: what happens while it runs stands before it, and does not wait for its end.
    End,
}

/// What a walk found.
pub(super) struct Walked {
    pub programs: Programs,
    /// When each compute step ended, rank by rank.
    pub ends: Vec<Vec<Ticks>>,
    /// When the last one ended.
    pub makespan: Ticks,
}

/// What ends: a compute step of a rank, or a transfer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Arrives(u32),
    Computed(u32),
}

struct Walk<'a> {
    plan: &'a Plan,
    transfers: &'a Transfers,
    costs: &'a Costs,
    links: &'a Links,
    place: Place,
    now: Ticks,
    events: BinaryHeap<Reverse<(Ticks, Event)>>,
    arrived: Vec<bool>,
    /// The next step of each rank, and whether it runs.
    step: Vec<u32>,
    runs: Vec<bool>,
    /// How far each rank is in its lists of waits and of sends.
    waits: Vec<usize>,
    sends: Vec<usize>,
    queues: Queues,
    walked: Walked,
}

/// Walks through a compute order.
///
/// # Errors
/// Where the walk stopped, if the order cannot run.
pub(super) fn walk(
    plan: &Plan,
    transfers: &Transfers,
    costs: &Costs,
    links: &Links,
    place: Place,
) -> Result<Walked, Stopped> {
    let ranks = plan.ranks();
    let mut walk = Walk {
        plan,
        transfers,
        costs,
        links,
        place,
        now: 0,
        events: BinaryHeap::new(),
        arrived: vec![false; transfers.list.len()],
        step: vec![0; ranks],
        runs: vec![false; ranks],
        waits: vec![0; ranks],
        sends: vec![0; ranks],
        queues: Queues::new(transfers, ranks),
        walked: Walked {
            programs: lay::begin(plan),
            ends: (0..ranks).map(|rank| Vec::with_capacity(plan.steps(rank).len())).collect(),
            makespan: 0,
        },
    };
    (0..ranks).for_each(|rank| walk.compute(rank));
    loop {
        while let Some(&Reverse((time, event))) = walk.events.peek() {
            if time > walk.now {
                break;
            }
            walk.events.pop();
            match event {
                Event::Arrives(transfer) => walk.arrives(transfer),
                Event::Computed(rank) => walk.computed(rank as usize),
            }
        }
        if walk.transfer() {
            continue;
        }
        match walk.events.peek() {
            Some(&Reverse((time, _))) => walk.now = time,
            None => return walk.end(),
        }
    }
}

impl Walk<'_> {
    /// Begins the next compute step of a rank, if its values are there.
    fn compute(&mut self, rank: usize) {
        let step = self.step[rank];
        if self.runs[rank] || step as usize == self.plan.steps(rank).len() {
            return;
        }
        let needed = &self.transfers.waits[rank];
        while let Some(&(at, transfer)) = needed.get(self.waits[rank])
            && at <= step
        {
            if !self.arrived[transfer as usize] {
                return;
            }
            self.waits[rank] += 1;
        }
        self.runs[rank] = true;
        if self.place == Place::Begin {
            self.walked.programs[rank].push(Laid::Compute);
        }
        let cost = self.costs.step(self.plan, &self.plan.steps(rank)[step as usize]);
        self.events.push(Reverse((self.now.saturating_add(cost), Event::Computed(rank as u32))));
    }

    fn computed(&mut self, rank: usize) {
        if self.place == Place::End {
            self.walked.programs[rank].push(Laid::Compute);
        }
        self.walked.ends[rank].push(self.now);
        self.walked.makespan = self.now;
        while let Some(&(at, transfer)) = self.transfers.sends[rank].get(self.sends[rank])
            && at <= self.step[rank]
        {
            self.sends[rank] += 1;
            match self.links {
                Links::Free => {
                    lay::put(&mut self.walked.programs, self.transfers, transfer);
                    self.send(transfer);
                }
                Links::Queues(urgencies) => self.queues.written(transfer, urgencies[transfer as usize]),
            }
        }
        self.runs[rank] = false;
        self.step[rank] += 1;
        self.compute(rank);
    }

    fn send(&mut self, transfer: u32) {
        let arrives = self.now.saturating_add(self.costs.of_transfer());
        self.events.push(Reverse((arrives, Event::Arrives(transfer))));
    }

    fn arrives(&mut self, transfer: u32) {
        self.arrived[transfer as usize] = true;
        if matches!(self.links, Links::Queues(_)) {
            self.queues.ended(transfer);
        }
        self.compute(self.transfers.list[transfer as usize].to.0 as usize);
    }

    /// Begins every transfer that can, and says whether there was any.
    fn transfer(&mut self) -> bool {
        let begun = self.queues.begin();
        for &Begun { there, back } in &begun {
            match back {
                Some(back) => lay::put_pair(&mut self.walked.programs, self.transfers, there, back),
                None => lay::put(&mut self.walked.programs, self.transfers, there),
            }
            [Some(there), back].into_iter().flatten().for_each(|transfer| self.send(transfer));
        }
        !begun.is_empty()
    }

    fn end(self) -> Result<Walked, Stopped> {
        let waiting = |rank: usize| {
            let transfer = self.transfers.waits[rank].get(self.waits[rank])?.1;
            let is_left = (self.step[rank] as usize) < self.plan.steps(rank).len();
            is_left.then_some((self.step[rank], transfer))
        };
        let at: Vec<_> = (0..self.plan.ranks()).map(waiting).collect();
        if at.iter().all(Option::is_none) { Ok(self.walked) } else { Err(Stopped { at }) }
    }
}
