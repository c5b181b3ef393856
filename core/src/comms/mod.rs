//! Communication for a compute order: which sends and receives make it run.
//!
//! A compute-only plan says what every rank computes, in which order, and what each step reads and writes. A value that
//! is written on one rank and read on another has to travel: one transfer for each value and each rank that reads it.
//! What remains to be chosen is where in the two programs its send and its receive stand. A rule that puts both down at
//! the same moment of one common order of all transfers is safe on every channel: no wait can lead back to itself, and
//! both ends of an edge agree on the order.

mod auto;
mod batches;
mod clock;
mod faults;
mod lay;
mod queues;
mod rounds;
mod transfers;

use crate::fault::Fault;
use crate::plan::Plan;
use crate::simulate::Costs;
use crate::tape::StepKind;
use clock::{Links, Place};
use transfers::Transfers;

pub use auto::{Candidate, Choice, Goal, Inserted, Rule, auto};

/// Why no communication can be inserted into a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommsError {
    /// The plan has communication steps already.
    #[error(
        "rank {rank}, step {step} is communication already: only a plan of compute steps can be given some"
    )]
    NotComputeOnly {
        /// The rank of the first communication step.
        rank: usize,
        /// The step.
        step: usize,
    },
    /// Whatever is inserted, the plan cannot run: a fault under every model.
    #[error("{0}")]
    Impossible(Box<Fault>),
}

impl From<Box<Fault>> for CommsError {
    fn from(fault: Box<Fault>) -> CommsError {
        CommsError::Impossible(fault)
    }
}

/// Inserts communication by the rule *paired*.
///
/// All ranks are walked through in rounds, ranks ascending, one compute step per rank and round. A step whose values are
/// there, received or written on its own rank, is put down; right behind it, for each of its writes in order and each rank
/// that reads it elsewhere, ascending, the send is added to its rank and at the same instant the receive to the reading
/// rank. A value travels once to a rank, however often it is read there. This is the order that PyTorch makes of a
/// `compute_only` table (`_add_send_recv` in `torch/distributed/pipelining/schedules.py`).
///
/// Sends and receives have the payload that [`Plan::set_payload`] declared for their family. A send stands where the compute
/// step stands that writes its value, a receive where the first one does that reads it; the plan it belongs to is otherwise
/// a copy. What has to run `after` what is not looked at: that is for the verifier to judge.
///
/// ```
/// use counterpart_core::comms::paired;
/// use counterpart_core::tape::{NONE, Role};
/// use counterpart_core::{Model, Plan};
///
/// let mut plan = Plan::new("handover");
/// let (make, take, act) = (plan.value("make"), plan.value("take"), plan.value("Act"));
/// plan.begin_rank();
/// plan.compute(make, &[(Role::Write, act)], NONE);
/// plan.begin_rank();
/// plan.compute(take, &[(Role::Read, act)], NONE);
///
/// let plan = paired(&plan)?;
/// assert_eq!(plan.describe(1, 0).unwrap(), "rank 1, step 0: `recv Act from 0`");
/// assert!(plan.verify(Model::PORTABLE).is_safe());
/// # Ok::<(), counterpart_core::comms::CommsError>(())
/// ```
///
/// # Errors
/// When the plan has communication. As [`CommsError::Impossible`], with rank and step: `dataflow` where a value is written
/// twice, or read and written nowhere; `deadlock` where the order of the compute steps can never run, with the circle of
/// waits.
pub fn paired(plan: &Plan) -> Result<Plan, CommsError> {
    compute_only(plan)?;
    let transfers = Transfers::of(plan).map_err(|wrong| faults::wrong(plan, &wrong))?;
    match rounds::run(plan, &transfers) {
        Ok(programs) => Ok(lay::lay_down(plan, &transfers, &programs)),
        Err(stopped) => Err(Box::new(faults::stuck(plan, &transfers, &stopped)).into()),
    }
}

/// Inserts communication by the rule *timed*.
///
/// The compute order is run with a clock, on links without limits: every step begins as soon as its rank is free and its
/// values are there, and what it writes arrives at the reading rank so much later as a transfer takes. In the order in
/// which values are written, ties by rank, the send is added to the one and at the same instant the receive to the other
/// rank; a receive stands before the compute step that runs at that time. On a single queue no transfer has to wait for
/// one that is written later, as it can under [`paired`].
///
/// # Errors
/// As [`paired`].
pub fn timed(plan: &Plan, costs: &Costs) -> Result<Plan, CommsError> {
    compute_only(plan)?;
    let transfers = Transfers::of(plan).map_err(|wrong| faults::wrong(plan, &wrong))?;
    match clock::walk(plan, &transfers, costs, &Links::Free, Place::End) {
        Ok(walked) => Ok(lay::lay_down(plan, &transfers, &walked.programs)),
        Err(stopped) => Err(Box::new(faults::stuck(plan, &transfers, &stopped)).into()),
    }
}

fn compute_only(plan: &Plan) -> Result<(), CommsError> {
    for rank in 0..plan.ranks() {
        if let Some(step) = plan.steps(rank).iter().position(|step| step.kind != StepKind::Compute) {
            return Err(CommsError::NotComputeOnly { rank, step });
        }
    }
    Ok(())
}
