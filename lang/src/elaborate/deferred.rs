//! Compute steps that are put off: `defer` and `resume`.

use std::collections::{BTreeMap, VecDeque};

use super::compute::Args;
use super::run::{Run, Stop};
use crate::error::{Error, Key, catalogue};
use crate::resolve::code::Snippet;
use crate::resolve::resolved::Call;

/// Compute steps of a rank that are put off, by compute step, the oldest first; each with the place that put it off.
#[derive(Debug, Default)]
pub struct Deferred(BTreeMap<u32, VecDeque<(Args, u32)>>);

impl Run<'_> {
    /// Puts a compute step off.
    pub fn defer(&mut self, call: &Call) -> Result<(), Stop> {
        if !self.holds(call.condition)? {
            return Ok(());
        }
        let args = self.args(call.compute, &call.args)?;
        self.deferred.0.entry(call.compute).or_default().push_back((args, call.source));
        self.spend()
    }

    /// Runs the oldest compute step of a kind that was put off, or all of them; does nothing where there is none.
    pub fn resume(
        &mut self,
        compute: u32,
        all: bool,
        condition: Option<Snippet>,
        source: u32,
    ) -> Result<(), Stop> {
        if !self.holds(condition)? {
            return Ok(());
        }
        while let Some((args, _)) = self.deferred.0.get_mut(&compute).and_then(VecDeque::pop_front) {
            self.step(&[(compute, args, source)], source)?;
            if !all {
                break;
            }
        }
        Ok(())
    }

    /// Ends a rank: nothing may be put off for ever.
    pub fn end_deferred(&mut self) {
        for (compute, left) in std::mem::take(&mut self.deferred).0 {
            let Some((_, source)) = left.front() else { continue };
            let place = self.schedule.places[*source as usize];
            let (name, rank) = (&self.schedule.computes[compute as usize].name, self.rank_number());
            let key = Key { kind: "deferred", at: *source, other: compute };
            let instance = &self.instance;
            self.errors
                .fold(key, || Error::new(place, catalogue::left_deferred(name, left.len(), rank, instance)));
        }
    }
}
