//! The waits of a deadlock, and what unties them.

use super::words::{at, item, join, what};
use crate::tape::{NONE, StepKind, Tape};
use crate::text::Text;
use crate::verify::findings::{Findings, Hop};

/// Waits of a cycle that are written out; of a longer one the middle is left out.
const CHAIN: usize = 12;

/// The cycle as a chain of waits.
pub(super) const fn chain(tape: &Tape<'_>, all: &Findings, t: &mut Text) {
    t.str("these steps wait for each other for ever");
    let mut k = 0;
    while k < all.cycle_len {
        if k == CHAIN && all.cycle_len > CHAIN + 1 {
            t.str("\n    … ");
            t.num((all.cycle_len - CHAIN - 1 + all.cycle_lost) as u64);
            t.str(" more …");
            k = all.cycle_len - 1;
        }
        t.str("\n    ");
        wait(tape, &all.cycle[k], t);
        k += 1;
    }
}

/// One wait in words.
pub(crate) const fn wait(tape: &Tape<'_>, hop: &Hop, t: &mut Text) {
    let (step, on) = (tape.steps[hop.step as usize], tape.steps[hop.on as usize]);
    at(tape, hop.step, t);
    if hop.item != NONE {
        item(tape, hop.item, t);
    } else {
        what(tape, hop.step, t);
    }
    if step.rank != on.rank {
        t.str(" waits for rank ");
        t.num(on.rank as u64);
        t.str(" to reach step ");
        t.num(on.number as u64);
    } else if on.number < step.number {
        t.str(" waits for the end of step ");
        t.num(on.number as u64);
    } else {
        t.str(" would have to run as one with step ");
        t.num(on.number as u64);
    }
}

/// What unties a cycle, where its shape is one that people know.
pub(super) const fn untie(tape: &Tape<'_>, all: &Findings, t: &mut Text) {
    let (mut sends, mut recvs, mut batches, mut computes, mut k) = (0, 0, 0, 0, 0);
    while k < all.cycle_len {
        let hop = all.cycle[k];
        let (step, on) = (tape.steps[hop.step as usize], tape.steps[hop.on as usize]);
        if step.rank == on.rank && step.number < on.number {
            join(tape, hop.step, hop.on, t);
            t.str(", or take the batches apart that tie them together");
            return;
        }
        // What holds the others up are the steps that wait for a peer.
        if matches!(step.kind, StepKind::Compute) {
            computes += 1;
        } else if step.rank != on.rank && matches!(step.kind, StepKind::Batch) {
            batches += 1;
        } else if hop.item != NONE && tape.items[hop.item as usize].send {
            sends += 1;
        } else if hop.item != NONE {
            recvs += 1;
        }
        k += 1;
    }
    if batches > 0 {
        t.str("give every rank on the cycle the same batches in the same order");
    } else if recvs == 0 && sends > 0 && computes == 0 {
        t.str("all of them send first: let one rank receive first, or put each rank's send and receive into one batch");
    } else if sends == 0 && recvs > 0 && computes == 0 {
        t.str("all of them receive first: let one rank send first");
    } else {
        t.str("change the order on one of these ranks, or put an exchange into one batch");
    }
}
