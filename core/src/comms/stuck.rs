//! A compute order that can never run: the circle of ranks that wait for each other, in words.

use super::rounds::Stopped;
use super::transfers::Transfers;
use crate::fault::{Fault, FaultKind, Wait};
use crate::plan::Plan;

/// Waits that are written out; of a longer circle the middle is left out.
const CHAIN: usize = 12;

/// The fault of a walk that stopped.
pub(super) fn explain(plan: &Plan, transfers: &Transfers, stopped: &Stopped) -> Fault {
    let waits = circle(plan, transfers, stopped);
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
    let first = &waits[0];
    Fault {
        kind: FaultKind::Deadlock,
        rank: Some(first.rank),
        step: Some(first.step),
        item: None,
        peer_rank: Some(first.on_rank),
        peer_step: Some(first.on_step),
        peer_item: None,
        message,
        help: waits.iter().find(|wait| wait.rank == wait.on_rank).map(|wait| {
            let (late, early) = (name(plan, wait.rank, wait.step), name(plan, wait.on_rank, wait.on_step));
            format!("run `{late}` before `{early}` on rank {}", wait.rank)
        }),
        waits,
    }
}

/// The circle that the first waiting rank leads to. Every rank that waits waits for one that is not through either, so
/// following them comes back to a rank that was there before.
fn circle(plan: &Plan, transfers: &Transfers, stopped: &Stopped) -> Vec<Wait> {
    let at = |rank: usize| stopped.at[rank].expect("a rank that is waited for waits itself");
    let mut rank = stopped.at.iter().position(Option::is_some).expect("the walk has stopped");
    let mut seen = vec![false; stopped.at.len()];
    while !seen[rank] {
        seen[rank] = true;
        rank = transfers.list[at(rank).1 as usize].from.0 as usize;
    }
    let first = rank;
    let mut waits = Vec::new();
    loop {
        let (step, transfer) = at(rank);
        let (step, transfer) = (step as usize, &transfers.list[transfer as usize]);
        let (writer, write) = (transfer.from.0 as usize, transfer.from.1 as usize);
        let message = format!(
            "rank {rank}, step {step}: `{}` waits for `{}`, which rank {writer}, step {write} writes",
            name(plan, rank, step),
            plan.label(transfer.value)
        );
        waits.push(Wait { rank, step, item: None, on_rank: writer, on_step: write, message });
        let before = at(writer).0 as usize;
        if before < write {
            let message = format!(
                "rank {writer}, step {write}: `{}` waits for the end of step {before}",
                name(plan, writer, write)
            );
            waits.push(Wait {
                rank: writer,
                step: write,
                item: None,
                on_rank: writer,
                on_step: before,
                message,
            });
        }
        rank = writer;
        if rank == first {
            return waits;
        }
    }
}

fn name(plan: &Plan, rank: usize, step: usize) -> String {
    let names: Vec<String> =
        plan.compute_names(&plan.steps(rank)[step]).map(|name| plan.label(name)).collect();
    names.join(" + ")
}
