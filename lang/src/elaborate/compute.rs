//! Compute steps: one, or several that overlap.

use super::run::{Run, Stop};
use crate::error::{Error, Key, catalogue};
use crate::resolve::code::Snippet;
use crate::resolve::resolved::Call;
use crate::syntax::UseKind;
use counterpart_core::Value;
use counterpart_core::tape::Role;
use counterpart_core::value::MAX_ARITY;

/// The indices of a compute step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Args {
    all: [i64; MAX_ARITY],
    arity: usize,
}

impl Args {
    /// These indices, at most four.
    pub fn of(indices: &[i64]) -> Args {
        let mut all = [0; MAX_ARITY];
        all[..indices.len()].copy_from_slice(indices);
        Args { all, arity: indices.len() }
    }

    /// The indices.
    pub fn list(&self) -> &[i64] {
        &self.all[..self.arity]
    }
}

impl Run<'_> {
    /// Runs those compute steps that are to run, as one step.
    pub fn compute(&mut self, calls: &[Call], source: u32) -> Result<(), Stop> {
        let mut parts = Vec::with_capacity(calls.len());
        for call in calls {
            if self.holds(call.condition)? {
                parts.push((call.compute, self.args(call.compute, &call.args)?, call.source));
            }
        }
        self.step(&parts, source)
    }

    /// The indices of a compute step.
    pub fn args(&mut self, compute: u32, args: &[Snippet]) -> Result<Args, Stop> {
        let (indices, arity) = self.indices(self.payloads.len() as u32 + compute, args)?;
        Ok(Args { all: indices.map(|index| index as i64), arity })
    }

    /// Runs these compute steps, each with its indices and its place, as one step; no step where there is none.
    pub fn step(&mut self, parts: &[(u32, Args, u32)], source: u32) -> Result<(), Stop> {
        self.uses.clear();
        let mut masks = Vec::with_capacity(parts.len());
        for (compute, args, source) in parts {
            let family = self.families[self.payloads.len() + *compute as usize];
            let indices: Vec<u64> = args.list().iter().map(|&index| index as u64).collect();
            self.uses.push((Role::Name, Value::new(family, &indices)));
            let slots = self.schedule.computes[*compute as usize].slots;
            let outer = self.machine.enter(slots, args.list());
            let mask = self.list_uses(*compute);
            let placed = self.placed(*compute);
            self.machine.leave(outer);
            masks.push(mask?);
            if let Some(rank) = placed?
                && Some(rank) != self.rank
            {
                self.misplaced(*compute, args, rank, *source);
            }
        }
        let Some(&(_, name)) = self.uses.first() else { return Ok(()) };
        self.plan.compute(name, &self.uses[1..], source);
        let present = self.masks.number(&masks);
        self.note_step(present);
        self.spend()
    }

    /// The rank that a compute step is placed on, whose indices are the first local variables.
    fn placed(&mut self, compute: u32) -> Result<Option<i64>, Stop> {
        self.schedule.computes[compute as usize].on.map(|on| self.eval(on)).transpose()
    }

    /// The rank that a compute step with these indices is placed on.
    pub fn placed_on(&mut self, compute: u32, args: &Args) -> Result<Option<i64>, Stop> {
        let outer = self.machine.enter(self.schedule.computes[compute as usize].slots, args.list());
        let placed = self.placed(compute);
        self.machine.leave(outer);
        placed
    }

    #[cold]
    fn misplaced(&mut self, compute: u32, args: &Args, placed: i64, source: u32) {
        let Run { schedule, instance, rank, .. } = self;
        let compute = &schedule.computes[compute as usize];
        let key = Key { kind: "placement", at: source, other: 0 };
        self.errors.fold(key, || {
            let (rank, line) = (rank.unwrap_or_default(), compute.place.line());
            let message = catalogue::misplaced(&compute.name, args.list(), (rank, placed), line, instance);
            Error::new(schedule.places[source as usize], message)
        });
    }

    /// Lists the uses that are there, and says which they are.
    fn list_uses(&mut self, compute: u32) -> Result<u32, Stop> {
        let mut present = 0;
        for (i, one) in self.schedule.computes[compute as usize].uses.iter().enumerate() {
            if !self.holds(one.condition)? {
                continue;
            }
            let value = self.value(&one.value)?;
            if one.kind == UseKind::After && self.is_earlier_part(value) {
                continue;
            }
            let role = match one.kind {
                UseKind::Reads => Role::Read,
                UseKind::Writes => Role::Write,
                UseKind::After => Role::After,
            };
            self.uses.push((role, value));
            present |= 1 << i;
        }
        Ok(present)
    }

    /// Is this a part of the step that is being listed, before the one whose uses are? Parts run in their order, so that what
    /// comes after an earlier one goes without saying.
    fn is_earlier_part(&self, name: Value) -> bool {
        let mut parts = self.uses.iter().rev().filter(|(role, _)| *role == Role::Name).skip(1);
        parts.any(|(_, part)| *part == name)
    }
}
