//! Why no communication can be inserted, in words.

use super::rounds::Stopped;
use super::transfers::{Transfers, Wrong};
use crate::fault::{Fault, FaultKind, Wait};
use crate::plan::Plan;
use crate::tape::Role;
use crate::value::Value;

/// Waits that the message writes out; of a longer circle the middle is left out.
const CHAIN: usize = 12;
/// Waits that a fault keeps.
const KEPT: usize = 256;

/// Why there are no transfers.
pub(super) fn wrong(plan: &Plan, wrong: &Wrong) -> Box<Fault> {
    Box::new(match *wrong {
        Wrong::NeverWritten { read, value } => never_written(plan, read, value),
        Wrong::WrittenTwice { second, first, value } => written_twice(plan, second, first, value),
    })
}

/// A value that a step reads and no step writes.
fn never_written(plan: &Plan, (rank, step): (u32, u32), value: Value) -> Fault {
    let label = plan.label(value);
    Fault {
        message: format!("{} reads `{label}`, which no compute step writes", at(plan, rank, step)),
        help: Some(format!("add the compute step that writes `{label}`")),
        ..fault(FaultKind::Dataflow, (rank, step), None)
    }
}

/// A value that two steps write, or one step twice.
fn written_twice(plan: &Plan, (rank, step): (u32, u32), before: (u32, u32), value: Value) -> Fault {
    let label = plan.label(value);
    let message = format!(
        "{} writes `{label}`, which rank {}, step {} writes already",
        at(plan, rank, step),
        before.0,
        before.1
    );
    Fault {
        message,
        help: Some("a value is written once, by one compute step: leave one of them out".to_owned()),
        ..fault(FaultKind::Dataflow, (rank, step), Some(before))
    }
}

/// A walk that stopped: the circle of steps that wait for each other.
pub(super) fn stuck(plan: &Plan, transfers: &Transfers, stopped: &Stopped) -> Fault {
    let mut waits = circle(plan, transfers, stopped);
    let help = untie(plan, &waits);
    let mut message = "these compute steps wait for each other for ever, whatever is sent when".to_owned();
    for (k, wait) in waits.iter().enumerate() {
        if k == CHAIN && waits.len() > CHAIN + 1 {
            message.push_str(&format!("\n    … {} more …", waits.len() - CHAIN - 1));
        }
        if k < CHAIN || k + 1 == waits.len() {
            message.push_str("\n    ");
            message.push_str(&wait.message);
        }
    }
    if waits.len() > KEPT {
        waits.drain(KEPT - 1..waits.len() - 1);
    }
    let (rank, step) = (waits[0].rank as u32, waits[0].step as u32);
    let on = (waits[0].on_rank as u32, waits[0].on_step as u32);
    Fault { message, help, waits, ..fault(FaultKind::Deadlock, (rank, step), Some(on)) }
}

fn fault(kind: FaultKind, (rank, step): (u32, u32), peer: Option<(u32, u32)>) -> Fault {
    Fault {
        rank: Some(rank as usize),
        step: Some(step as usize),
        peer_rank: peer.map(|(rank, _)| rank as usize),
        peer_step: peer.map(|(_, step)| step as usize),
        ..Fault::new(kind, String::new())
    }
}

/// The circle that the first waiting rank leads to. Every rank that waits waits for one that is not through either, so
/// following them comes back to a rank that was there before.
fn circle(plan: &Plan, transfers: &Transfers, stopped: &Stopped) -> Vec<Wait> {
    let waiting = |rank: u32| stopped.at[rank as usize].expect("a rank that is waited for waits itself");
    let first = stopped.at.iter().position(Option::is_some).expect("the walk has stopped");
    let mut rank = first as u32;
    let mut seen = vec![false; stopped.at.len()];
    while !seen[rank as usize] {
        seen[rank as usize] = true;
        rank = transfers.list[waiting(rank).1 as usize].from.0;
    }
    let first = rank;
    let mut waits = Vec::new();
    loop {
        let (step, transfer) = waiting(rank);
        let transfer = &transfers.list[transfer as usize];
        let (writer, write) = transfer.from;
        let message = format!(
            "{} waits for `{}`, which `{}` writes (rank {writer}, step {write})",
            at(plan, rank, step),
            plan.label(transfer.value),
            name(plan, writer, write)
        );
        waits.push(wait((rank, step), (writer, write), message));
        let before = waiting(writer).0;
        if before < write {
            let message = format!("{} waits for the end of step {before}", at(plan, writer, write));
            waits.push(wait((writer, write), (writer, before), message));
        }
        rank = writer;
        if rank == first {
            return waits;
        }
    }
}

fn wait((rank, step): (u32, u32), on: (u32, u32), message: String) -> Wait {
    Wait {
        rank: rank as usize,
        step: step as usize,
        item: None,
        on_rank: on.0 as usize,
        on_step: on.1 as usize,
        message,
    }
}

/// What opens the circle: two steps of one rank in the other order, unless they have to run in this one.
fn untie(plan: &Plan, waits: &[Wait]) -> Option<String> {
    if let [only] = waits {
        let label = name(plan, only.rank as u32, only.step as u32);
        return Some(format!("`{label}` reads what it writes itself: let an earlier step write it"));
    }
    let inside = |wait: &&Wait| wait.rank == wait.on_rank && wait.on_step < wait.step;
    let is_free = |wait: &&Wait| {
        let [late, early] = [wait.step, wait.on_step].map(|step| &plan.steps(wait.rank)[step]);
        let mut follows = plan.uses(late).iter().filter(|used| used.role == Role::After);
        !follows.any(|used| plan.compute_names(early).any(|name| name == used.value))
    };
    let wait = waits.iter().filter(inside).find(is_free)?;
    let rank = wait.rank as u32;
    let (late, early) = (name(plan, rank, wait.step as u32), name(plan, rank, wait.on_step as u32));
    let others = waits.iter().any(|other| other.rank != wait.rank);
    let or = if others { ", or change the order on another of these ranks" } else { "" };
    Some(format!("run `{late}` before `{early}` on rank {rank}{or}"))
}

/// ``rank 3, step 17: `F[3,5]` ``
fn at(plan: &Plan, rank: u32, step: u32) -> String {
    format!("rank {rank}, step {step}: `{}`", name(plan, rank, step))
}

fn name(plan: &Plan, rank: u32, step: u32) -> String {
    plan.compute_label(&plan.steps(rank as usize)[step as usize])
}
