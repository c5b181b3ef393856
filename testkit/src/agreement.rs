//! Holds the verifier against the oracle, and its reports against the schedule they speak of.

use std::collections::BTreeSet;

use counterpart_core::{Fault, FaultKind, Model, Plan, Verdict};

use crate::oracle::Oracle;
use crate::world::World;

/// Is a world safe under each of the nine models, in the order of [`Model::ALL`]?
pub type Safe = [bool; Model::ALL.len()];

/// Judges a world under all nine models with verifier and oracle.
///
/// # Errors
/// What they disagree about, or what is wrong with a report, with the whole world as text.
pub fn check(world: &World) -> Result<Safe, String> {
    let plan = world.to_plan();
    let oracle = Oracle::new(world);
    let mut safe = Safe::default();
    for (model, safe) in Model::ALL.into_iter().zip(&mut safe) {
        let verdict = plan.verify(model);
        let told = |why: String| format!("{why}\nunder {model}:\n{world}the verifier says: {verdict}");
        let found: BTreeSet<FaultKind> = verdict.faults.iter().map(|fault| fault.kind).collect();
        let expected = oracle.kinds(model);
        if found != expected {
            return Err(told(format!("the oracle finds {expected:?}, the verifier {found:?}")));
        }
        well_reported(&plan, &verdict).map_err(told)?;
        for fault in &verdict.faults {
            waits_are_real(&oracle, model, fault).map_err(told)?;
        }
        *safe = verdict.is_safe();
    }
    if safe[0] && !safe.iter().all(|&s| s) {
        return Err(format!("safe under the strictest model only: {safe:?}\n{world}"));
    }
    Ok(safe)
}

/// Is every fault at a place of the plan, and worded as messages are?
///
/// # Errors
/// What is wrong with the report.
pub fn well_reported(plan: &Plan, verdict: &Verdict) -> Result<(), String> {
    for fault in &verdict.faults {
        let told = |why: &str| Err(format!("{why}: {fault:?}"));
        let ends =
            [(fault.rank, fault.step, fault.item), (fault.peer_rank, fault.peer_step, fault.peer_item)];
        if !ends.into_iter().all(|(rank, step, item)| is_place(plan, rank, step, item)) {
            return told("a fault outside the plan");
        }
        if fault.rank.is_none() && fault.kind != FaultKind::Coverage {
            return told("a fault without a rank");
        }
        let texts = [Some(&fault.message), fault.help.as_ref()].into_iter().flatten();
        for text in texts.chain(fault.waits.iter().map(|wait| &wait.message)) {
            let first = text.chars().next();
            if first.is_none_or(char::is_uppercase) || text.ends_with('.') {
                return told("a badly worded message");
            }
        }
        if (fault.kind == FaultKind::Deadlock) == fault.waits.is_empty() {
            return told("waits belong to a deadlock");
        }
    }
    Ok(())
}

fn is_place(plan: &Plan, rank: Option<usize>, step: Option<usize>, item: Option<usize>) -> bool {
    let (Some(rank), Some(step)) = (rank, step) else {
        return rank.is_none() && step.is_none() && item.is_none();
    };
    let step = (rank < plan.ranks()).then(|| plan.steps(rank).get(step)).flatten();
    step.is_some_and(|step| item.is_none_or(|i| i < plan.items(step).len()))
}

/// The waits of a deadlock: each is one, and the last leads back to the first.
fn waits_are_real(oracle: &Oracle<'_>, model: Model, fault: &Fault) -> Result<(), String> {
    for (k, wait) in fault.waits.iter().enumerate() {
        let (step, on) = ((wait.rank, wait.step), (wait.on_rank, wait.on_step));
        if !oracle.waits_for(model, step, on) {
            return Err(format!("no such wait: {}", wait.message));
        }
        let next = &fault.waits[(k + 1) % fault.waits.len()];
        // A rank that has two steps in one gang is stuck without a cycle.
        let one_gang = fault.waits.len() == 1 && wait.rank == wait.on_rank;
        if (next.rank, next.step) != on && !one_gang {
            return Err(format!("the waits are no cycle, after: {}", wait.message));
        }
    }
    Ok(())
}
