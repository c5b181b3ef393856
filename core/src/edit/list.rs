//! Every single edit of a plan.

use super::{Change, Class, Edit};
use crate::dtype::Payload;
use crate::plan::{Comm, Plan};
use crate::tape::{Role, StepKind};
use crate::value::Value;

/// Every single edit of a plan, rank by rank and step by step: some ten for a step and five for an item.
///
/// Some mutants are as good as the original: a move that changes no wait, say.
pub fn edits(plan: &Plan) -> Vec<Edit> {
    let mut all = Vec::new();
    for rank in 0..plan.ranks() {
        let mut list = List { plan, rank, all: &mut all };
        for step in 0..plan.steps(rank).len() {
            list.step(step);
        }
    }
    all
}

struct List<'p, 'l> {
    plan: &'p Plan,
    rank: usize,
    all: &'l mut Vec<Edit>,
}

impl List<'_, '_> {
    fn add(&mut self, class: Class, step: usize, change: Change) {
        let edit = Edit { class, rank: self.rank, step, change };
        self.all.push(edit);
    }

    fn kind(&self, step: usize) -> Option<StepKind> {
        self.plan.steps(self.rank).get(step).map(|step| step.kind)
    }

    fn is_comm(&self, step: usize) -> bool {
        self.kind(step).is_some_and(|kind| kind != StepKind::Compute)
    }

    /// What may change places: sends with sends, receives with receives, compute steps, batches.
    fn sort(&self, step: usize) -> Option<(StepKind, bool)> {
        let at = self.plan.steps(self.rank).get(step)?;
        let send = at.kind == StepKind::Single && self.plan.items(at)[0].send;
        Some((at.kind, send))
    }

    fn step(&mut self, step: usize) {
        self.add(Class::Drop, step, Change::Drop);
        self.add(Class::Duplicate, step, Change::Duplicate);
        let len = self.plan.steps(self.rank).len();
        // Compute steps in between do not keep two transfers apart; other transfers do, after a while.
        let near = (step + 1..len.min(step + 1 + REACH)).find(|&other| self.sort(other) == self.sort(step));
        if let Some(other) = near {
            self.add(Class::Swap, step, Change::Swap(other));
        }
        if !self.is_comm(step) {
            return;
        }
        self.moves(step, len);
        if self.is_comm(step + 1) {
            self.add(Class::Join, step, Change::Join);
        }
        let items = self.plan.items(&self.plan.steps(self.rank)[step]).len();
        for item in 0..items {
            self.item(step, item);
        }
    }

    fn moves(&mut self, step: usize, len: usize) {
        let mut earlier = step.checked_sub(1).into_iter().collect::<Vec<_>>();
        let compute = (step.saturating_sub(REACH)..step).rev().find(|&before| !self.is_comm(before));
        earlier.extend(compute.filter(|before| !earlier.contains(before)));
        for to in earlier {
            self.add(Class::MoveEarlier, step, Change::Before(to));
        }
        let mut later: Vec<usize> = (step + 1 < len).then_some(step + 2).into_iter().collect();
        let compute = (step + 1..len.min(step + 1 + REACH)).find(|&after| !self.is_comm(after));
        later.extend(compute.map(|after| after + 1).filter(|to| !later.contains(to)));
        for to in later {
            self.add(Class::MoveLater, step, Change::Before(to));
        }
        if let Some(consumer) = self.consumer(step).filter(|&consumer| consumer > step + 1) {
            self.add(Class::ToConsumer, step, Change::Before(consumer));
        }
    }

    /// The compute step that reads what a single receive brings.
    fn consumer(&self, step: usize) -> Option<usize> {
        let steps = self.plan.steps(self.rank);
        let [item] = self.plan.items(&steps[step]) else { return None };
        let reads = |value: Value, at: usize| {
            self.plan.uses(&steps[at]).iter().any(|used| used.role == Role::Read && used.value == value)
        };
        let end = steps.len().min(step + 1 + FAR);
        (!item.send).then(|| (step + 1..end).find(|&at| reads(item.value, at))).flatten()
    }

    fn item(&mut self, step: usize, item: usize) {
        let comm = self.plan.comm(self.rank, step, item);
        let ranks = self.plan.ranks() as i32;
        let near = comm.peer.rem_euclid(ranks);
        let peer = (1..ranks).map(|d| (near + d) % ranks).find(|&peer| peer != self.rank as i32);
        // Of two ranks there is no other, and the number of a third is the slip.
        let peer = peer.filter(|&peer| peer != comm.peer).unwrap_or(ranks);
        self.add(Class::Retarget, step, Change::Item(item, Comm { peer, ..comm }));
        if let Some(value) = self.other_value(step, comm) {
            self.add(Class::ChangeValue, step, Change::Item(item, Comm { value, ..comm }));
        }
        if let Some(dtype) = comm.payload.dtype().filter(|_| comm.payload.count() < Payload::MAX_COUNT) {
            let payload = Payload::new(dtype, comm.payload.count() + 1);
            self.add(Class::ChangePayload, step, Change::Item(item, Comm { payload, ..comm }));
        }
        self.add(Class::Turn, step, Change::Item(item, Comm { send: !comm.send, ..comm }));
        let is_alone = self.plan.items(&self.plan.steps(self.rank)[step]).len() == 1;
        if self.kind(step) == Some(StepKind::Batch) && !is_alone {
            self.add(Class::Split, step, Change::Split(item));
        }
    }

    /// The value of the nearest later item of the rank that has another, or else of an earlier one.
    fn other_value(&self, step: usize, comm: Comm) -> Option<Value> {
        let steps = self.plan.steps(self.rank);
        let (from, to) = (step.saturating_sub(REACH), steps.len().min(step + REACH));
        let near = (step..to).chain((from..step).rev());
        near.flat_map(|at| self.plan.items(&steps[at]))
            .map(|item| item.value)
            .find(|&value| value != comm.value)
    }
}

/// Steps that are looked at on either side.
const REACH: usize = 16;
/// Steps that are looked at for the reader of a value.
const FAR: usize = 256;
