//! The two sequences of an edge around the first place where they differ.

use std::io::Write;

use anstyle::Style;
use counterpart::core::{Payload, Value};

use super::judge::Found;
use crate::input::Subject;
use crate::report::failure::Failure;
use crate::report::plain;

/// Transfers that are shown before and after the first difference.
const AROUND: usize = 3;

/// One end of a transfer.
struct End {
    step: u32,
    value: Value,
    payload: Payload,
}

/// For a mismatch, or an end without its other: what one rank sends beside what the other receives.
pub fn write(out: &mut impl Write, subject: &Subject, found: &Found) -> Result<(), Failure> {
    let Some((from, to)) = edge(subject, found) else { return Ok(()) };
    let (sends, recvs) = (ends(subject, from, to, true), ends(subject, to, from, false));
    let agree = |k: usize| match (sends.get(k), recvs.get(k)) {
        (Some(send), Some(recv)) => send.value.agrees(recv.value) && send.payload.agrees(recv.payload),
        _ => false,
    };
    let longest = sends.len().max(recvs.len());
    let Some(first) = (0..longest).find(|&k| !agree(k)) else { return Ok(()) };
    let rows = first.saturating_sub(AROUND)..(first + AROUND + 1).min(longest);
    let cell = |ends: &[End], k: usize| match ends.get(k) {
        Some(End { step, value, payload }) => {
            let label = subject.plan.label(*value);
            let label = plain(&label);
            match payload.dtype() {
                Some(dtype) => format!("step {step}: {label} ({} of {dtype})", payload.count()),
                None => format!("step {step}: {label}"),
            }
        }
        None => "nothing".to_owned(),
    };
    let head = format!("rank {from} sends to {to}");
    let wide =
        rows.clone().map(|k| cell(&sends, k).chars().count()).max().unwrap_or(0).max(head.chars().count());
    let (dim, bold) = (Style::new().dimmed(), Style::new().bold());
    writeln!(out, "  {dim}      k  {head:<wide$}   rank {to} receives from {from}{dim:#}")?;
    for k in rows {
        let line = format!("{k:>7}  {:<wide$}   {}", cell(&sends, k), cell(&recvs, k));
        match agree(k) {
            true => writeln!(out, "  {line}")?,
            false => writeln!(out, "{bold}> {line}{bold:#}")?,
        }
    }
    Ok(())
}

/// The directed edge that a fault is about.
fn edge(subject: &Subject, found: &Found) -> Option<(usize, usize)> {
    if !matches!(found.kind, "mismatch" | "unmatched") {
        return None;
    }
    let (rank, step) = (found.rank?, found.step?);
    let item = subject.plan.items(subject.plan.steps(rank).get(step)?).get(found.item.unwrap_or(0))?;
    let peer = usize::try_from(item.peer).ok().filter(|&peer| peer < subject.plan.ranks())?;
    Some(if item.send { (rank, peer) } else { (peer, rank) })
}

/// The sends of `rank` to `peer`, or its receives from there, in order.
fn ends(subject: &Subject, rank: usize, peer: usize, send: bool) -> Vec<End> {
    let plan = &subject.plan;
    let mut ends = Vec::new();
    for step in plan.steps(rank) {
        for item in plan.items(step).iter().filter(|item| item.send == send && item.peer as usize == peer) {
            ends.push(End { step: step.number, value: item.value, payload: item.payload });
        }
    }
    ends
}
