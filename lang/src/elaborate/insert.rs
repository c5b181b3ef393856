//! Communication for a schedule that leaves it to us.

use super::Elaborated;
use crate::resolve::resolved::Comms;
use counterpart_core::comms::{self, CommsError, Goal};
use counterpart_core::tape::StepKind;

impl Elaborated {
    /// Inserts communication into the plan of compute steps, by what the schedule asks for.
    pub(super) fn insert(&mut self, wanted: Comms) {
        let default = Goal::default();
        self.fast = wanted.fast.unwrap_or(match self.model.is_portable() {
            true => default.fast,
            false => self.model,
        });
        let goal = Goal { fast: self.fast, safe: self.model, costs: self.costs.clone(), rule: wanted.rule };
        match comms::auto(&self.plan, &goal) {
            Ok(inserted) => {
                for rank in 0..self.plan.ranks() {
                    let mut before = std::mem::take(&mut self.present[rank]).into_iter();
                    let steps = inserted.plan.steps(rank).iter();
                    let masks = steps.map(|step| match step.kind {
                        StepKind::Compute => before.next().unwrap_or_default(),
                        StepKind::Single | StepKind::Batch => 0,
                    });
                    self.present[rank] = masks.collect();
                }
                self.plan = inserted.plan;
                self.choice = Some(inserted.choice);
            }
            Err(CommsError::Impossible(fault)) => self.fault = Some(fault),
            Err(other) => unreachable!("a schedule with `comms` has compute steps only: {other}"),
        }
    }
}
