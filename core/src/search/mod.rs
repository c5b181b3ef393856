//! The search for an order of compute steps that takes little time and keeps to bounds on memory.
//!
//! 1. `problem`: what waits for what, which steps belong together, and the room that bounds leave.
//! 2. `walk`: every rank takes the most urgent step that can begin and has room, until all are done.
//! 3. `blocks`: the steps of one micro-batch laid out so that they can be repeated without collisions.
//! 4. `portfolio`: walks by many rules, of which the best counts.
//!
//! The result is the same every time: there is neither a clock nor chance in it.

mod blocks;
mod portfolio;
mod problem;
mod walk;

use crate::plan::Plan;
use crate::simulate::{Costs, Ticks};
use problem::Problem;

/// What an order is searched for.
#[derive(Clone, Debug, Default)]
pub struct Goal {
    /// How long compute steps take, and how much later a value arrives on another rank.
    pub costs: Costs,
    /// Bounds on what ranks keep.
    pub kept: Vec<Kept>,
}

/// A bound: so many compute steps may have begun on a rank whose counterpart with the same indices has not ended, as
/// [`Plan::most_kept`] counts them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The family of the compute steps.
    pub from: u32,
    /// The family of their counterparts.
    pub until: u32,
    /// The bound of each rank; there is none for ranks that are not listed.
    pub most: Vec<u64>,
}

/// An order.
#[derive(Clone, Debug)]
pub struct Found {
    /// The same compute steps, in another order on each rank.
    pub plan: Plan,
    /// How long it takes, if links have no limits.
    pub makespan: Ticks,
    /// No order takes less, whatever the bounds on memory.
    pub bound: Ticks,
}

/// Why there is no order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The plan has communication steps already.
    #[error("rank {rank}, step {step} is communication: an order is searched for compute steps only")]
    NotComputeOnly {
        /// The rank of the first of them.
        rank: usize,
        /// The step.
        step: usize,
    },
    /// A step uses what is not there.
    #[error("{0}")]
    Wrong(String),
    /// Steps wait for each other.
    #[error("these steps wait for each other for ever: {0}")]
    Circle(String),
    /// Costs are so large that their sum does not fit into 62 bits.
    #[error("the costs of all steps together do not fit into 62 bits: take a larger unit")]
    TooLong,
    /// A bound leaves no room for the steps that depend on each other, which are laid out as one block.
    #[error(
        "rank {rank} keeps {needed} `{from}` until their `{until}` in a block of steps that depend on each other, but may keep {most} only: allow {needed} or more, or write the order by hand"
    )]
    NoRoom {
        /// The rank.
        rank: usize,
        /// What is kept.
        from: String,
        /// Until when.
        until: String,
        /// The bound.
        most: u64,
        /// What is needed.
        needed: u64,
    },
}

/// Searches for an order of the compute steps of a plan. In which order they are listed means little: it only decides between
/// steps that are alike.
///
/// A step waits for the values that it reads, wherever they are written, and for what it runs `after`. Steps that wait for each
/// other, directly or not, belong together, as those of one micro-batch do. The order never breaks a bound of [`Goal::kept`].
/// It may take longer than the best there is: that is known only where it reaches [`Found::bound`].
///
/// ```
/// use counterpart_core::search::{Goal, Kept, search};
/// use counterpart_core::tape::{NONE, Role};
/// use counterpart_core::Plan;
///
/// let mut plan = Plan::new("two of each");
/// let [f, b] = ["F", "B"].map(|kind| plan.family(kind, 1));
/// plan.begin_rank();
/// for m in 0..4 {
///     let (forward, backward) = (plan.value(&format!("F[{m}]")), plan.value(&format!("B[{m}]")));
///     plan.compute(backward, &[(Role::After, forward)], NONE);
///     plan.compute(forward, &[], NONE);
/// }
/// let kept = vec![Kept { from: f, until: b, most: vec![2] }];
/// let found = search(&plan, &Goal { kept, ..Goal::default() })?;
/// assert_eq!((found.makespan, found.plan.most_kept(0, f, b) <= 2), (8, true));
/// # Ok::<(), counterpart_core::search::SearchError>(())
/// ```
///
/// # Errors
/// When the plan has communication, or there is no order: a value that is never written or twice, a step that has to run after
/// one that is not on its rank, a circle of waits. And when steps that belong together keep more than a bound allows: such a
/// block, mostly one micro-batch, is laid out as a whole, so that an order that keeps less may be there and not be found.
pub fn search(plan: &Plan, goal: &Goal) -> Result<Found, SearchError> {
    for rank in 0..plan.ranks() {
        let communicates = |step: &crate::tape::Step| step.kind != crate::tape::StepKind::Compute;
        if let Some(step) = plan.steps(rank).iter().position(communicates) {
            return Err(SearchError::NotComputeOnly { rank, step });
        }
    }
    let problem = Problem::of(plan, goal)?;
    let walked = portfolio::best(&problem).expect("groups fit one after the other");
    let mut found = plan.emptied();
    for order in &walked.order {
        let rank = found.begin_rank();
        order.iter().for_each(|&t| found.copy(plan, rank, problem.tasks[t].step));
    }
    Ok(Found { plan: found, makespan: walked.makespan, bound: problem.bound() })
}
