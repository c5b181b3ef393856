//! The one catalogue of fault messages, for the macro, for rustc's const evaluator and for the library.
//!
//! Messages are lower case and have no full stop. They name rank and step of both ends.

use crate::dtype::Payload;
use crate::tape::{NONE, StepKind, Tape};
use crate::text::Text;
use crate::value::Value;
use crate::verify::findings::{Detail, Finding, Findings, Hop};

/// Waits of a cycle that are written out; of a longer one the middle is left out.
const CHAIN: usize = 12;

/// What is wrong.
pub(crate) const fn describe(tape: &Tape<'_>, all: &Findings, finding: &Finding, t: &mut Text) {
    let f = *finding;
    match f.detail {
        Detail::PeerOutside => {
            at(tape, f.step, t);
            item(tape, f.item, t);
            t.str(": there is no rank ");
            t.int(tape.items[f.item as usize].peer as i64);
            t.str(", the ranks are 0..");
            t.num(tape.ranks() as u64);
        }
        Detail::PeerSelf => {
            at(tape, f.step, t);
            item(tape, f.item, t);
            t.str(": a rank cannot exchange with itself");
        }
        Detail::TwoBlocks => {
            at(tape, f.step, t);
            t.str("the batch has two blocks in one direction for rank ");
            t.int(tape.items[f.item as usize].peer as i64);
            t.str(", ");
            item(tape, f.other_item, t);
            t.str(" and ");
            item(tape, f.item, t);
        }
        Detail::Unbalanced => {
            at(tape, f.step, t);
            t.str("the batch does not balance: it exchanges with rank ");
            t.num(tape.steps[f.other_step as usize].rank as u64);
            t.str(" all at once, but there its partners are two steps, ");
            both(tape, f.other_step, f.number, t);
        }
        Detail::SendWithoutRecv => {
            at(tape, f.step, t);
            item(tape, f.item, t);
            t.str(": rank ");
            t.int(tape.items[f.item as usize].peer as i64);
            t.str(" has no receive for it");
        }
        Detail::RecvWithoutSend => {
            at(tape, f.step, t);
            item(tape, f.item, t);
            t.str(": rank ");
            t.int(tape.items[f.item as usize].peer as i64);
            t.str(" has no send for it");
        }
        Detail::OtherValue => {
            at(tape, f.step, t);
            t.str("expects `");
            label(tape, tape.items[f.item as usize].value, t);
            t.str("`, but ");
            at_other(tape, f.other_step, t);
            t.str("sends `");
            label(tape, tape.items[f.other_item as usize].value, t);
            t.str("`");
        }
        Detail::OtherPayload => {
            at(tape, f.step, t);
            t.str("expects `");
            label(tape, tape.items[f.item as usize].value, t);
            t.str("` as ");
            payload(tape.items[f.item as usize].payload, t);
            t.str(", but ");
            at_other(tape, f.other_step, t);
            t.str("sends ");
            payload(tape.items[f.other_item as usize].payload, t);
        }
        Detail::Cycle => cycle(tape, all, t),
        Detail::SentTooSoon => {
            at(tape, f.step, t);
            item(tape, f.item, t);
            t.str(": `");
            label(tape, tape.items[f.item as usize].value, t);
            t.str("` is not there yet");
        }
        Detail::ReadTooSoon => {
            used(tape, f, " reads `", t);
            t.str("`, which is not there yet");
        }
        Detail::WrittenTwice => {
            used(tape, f, " writes `", t);
            t.str("`, which ");
            at_other(tape, f.other_step, t);
            t.str(brought(tape, f.other_step));
            t.str(" already");
        }
        Detail::ReceivedTwice => {
            at(tape, f.step, t);
            item(tape, f.item, t);
            t.str(": it is there already, step ");
            t.num(tape.steps[f.other_step as usize].number as u64);
            t.str(" ");
            t.str(brought(tape, f.other_step));
            t.str(" it");
        }
        Detail::Unused => {
            at(tape, f.step, t);
            item(tape, f.item, t);
            t.str(": no later step of this rank reads or sends it");
        }
        Detail::AfterMissing => {
            used(tape, f, " has to run after `", t);
            t.str("`, which has not run on this rank");
        }
        Detail::Missing => {
            t.str("compute step `");
            label(tape, Value(f.element), t);
            t.str("` is declared, but no rank runs it");
            if f.number > 1 {
                t.str(" (nor ");
                t.num(f.number as u64 - 1);
                t.str(if f.number == 2 { " other" } else { " others" });
                t.str(" of the same kind)");
            }
        }
        Detail::Repeated => {
            at(tape, f.step, t);
            t.str("`");
            label(tape, tape.uses[tape.steps[f.step as usize].first as usize].value, t);
            t.str("` runs a second time, ");
            at_other(tape, f.other_step, t);
            t.str("ran it already");
        }
        Detail::OutsideDomain => {
            at(tape, f.step, t);
            t.str("`");
            label(tape, tape.uses[tape.steps[f.step as usize].first as usize].value, t);
            t.str("` lies outside the declared domain");
        }
    }
}

/// What would mend it; nothing where that is not clear.
pub(crate) const fn mend(tape: &Tape<'_>, next: &[u32], all: &Findings, finding: &Finding, t: &mut Text) {
    let f = *finding;
    match f.detail {
        Detail::TwoBlocks => t.str("split it into two batches, on both ranks alike"),
        Detail::Unbalanced => {
            join(tape, f.other_step, f.number, t);
            t.str(", or take this one apart");
        }
        Detail::SendWithoutRecv | Detail::RecvWithoutSend => {
            let it = &tape.items[f.item as usize];
            t.str("add `");
            t.str(if it.send { "recv " } else { "send " });
            label(tape, it.value, t);
            t.str(if it.send { " from " } else { " to " });
            t.num(tape.steps[f.step as usize].rank as u64);
            t.str("` to rank ");
            t.int(it.peer as i64);
            t.str(", or take this one out");
        }
        Detail::OtherValue => shifted(tape, next, f, t),
        Detail::Cycle => untie(tape, all, t),
        Detail::ReadTooSoon if f.other_step == f.step => {
            t.str("a step does not read what it writes itself: let an earlier step write it");
        }
        Detail::SentTooSoon | Detail::ReadTooSoon if f.other_step != NONE => {
            t.str("step ");
            t.num(tape.steps[f.other_step as usize].number as u64);
            t.str(" ");
            t.str(brought(tape, f.other_step));
            t.str(" it: ");
            t.str(if f.other_step == f.step { "take it out of the batch" } else { "move that step up" });
        }
        Detail::SentTooSoon | Detail::ReadTooSoon => {
            t.str("no step of this rank writes or receives it: receive it first");
        }
        Detail::WrittenTwice => t.str("a value is written once: give each its own index"),
        Detail::ReceivedTwice => t.str("receive it once"),
        Detail::Unused => t.str("use it, or take out the receive together with its send"),
        Detail::AfterMissing if f.other_step != NONE => {
            at_other(tape, f.other_step, t);
            t.str("runs it: ");
            let same = tape.steps[f.other_step as usize].rank == tape.steps[f.step as usize].rank;
            t.str(if same { "move that step up" } else { "let a value carry the order between ranks" });
        }
        _ => {}
    }
}

/// How the two sides of an edge are shifted against each other, from a look at what comes next on each.
const fn shifted(tape: &Tape<'_>, next: &[u32], f: Finding, t: &mut Text) {
    let (recv, send) = (f.item as usize, f.other_item as usize);
    let (next_recv, next_send) = (next[recv] as usize, next[send] as usize);
    let later_send_fits = next_send != 0 && equal(tape, next_send - 1, recv);
    let later_recv_fits = next_recv != 0 && equal(tape, next_recv - 1, send);
    if later_send_fits && later_recv_fits {
        let other = tape.items[next_recv - 1].step;
        if other == f.step {
            t.str("swap the two receives in the batch");
        } else {
            t.str("swap steps ");
            both(tape, f.step, other, t);
            t.str(" of rank ");
            t.num(tape.steps[f.step as usize].rank as u64);
        }
        t.str(", or the two sends");
    } else if later_send_fits {
        t.str("the next send fits: this send has no receive of its own");
    } else if later_recv_fits {
        t.str("the next receive fits: this receive has no send of its own");
    }
}

const fn equal(tape: &Tape<'_>, a: usize, b: usize) -> bool {
    tape.items[a].value.0 == tape.items[b].value.0
}

/// The cycle as a chain of waits.
const fn cycle(tape: &Tape<'_>, all: &Findings, t: &mut Text) {
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
const fn untie(tape: &Tape<'_>, all: &Findings, t: &mut Text) {
    let (mut sends, mut recvs, mut batches, mut k) = (0, 0, 0, 0);
    while k < all.cycle_len {
        let hop = all.cycle[k];
        let (step, on) = (tape.steps[hop.step as usize], tape.steps[hop.on as usize]);
        if step.rank == on.rank && step.number < on.number {
            join(tape, hop.step, hop.on, t);
            t.str(", or take the batches apart that tie them together");
            return;
        }
        if matches!(tape.steps[hop.step as usize].kind, StepKind::Batch) {
            batches += 1;
        } else if hop.item != NONE && tape.items[hop.item as usize].send {
            sends += 1;
        } else if hop.item != NONE {
            recvs += 1;
        }
        k += 1;
    }
    if batches > 0 {
        t.str("a batch runs together with all its partner steps: give every rank on the cycle the same grouping and order");
    } else if recvs == 0 && sends > 0 {
        t.str("all of them send first: let one rank receive first, or put each rank's send and receive into one batch");
    } else if sends == 0 && recvs > 0 {
        t.str("all of them receive first: let one rank send first");
    } else {
        t.str("change the order on one of these ranks, or put an exchange into one batch");
    }
}

/// Two steps of one rank to be joined.
const fn join(tape: &Tape<'_>, a: u32, b: u32, t: &mut Text) {
    t.str("put steps ");
    both(tape, a, b, t);
    t.str(" of rank ");
    t.num(tape.steps[a as usize].rank as u64);
    t.str(" into one batch");
}

/// The numbers of two steps of one rank, the earlier first.
const fn both(tape: &Tape<'_>, a: u32, b: u32, t: &mut Text) {
    let (first, second) = if a < b { (a, b) } else { (b, a) };
    t.num(tape.steps[first as usize].number as u64);
    t.str(" and ");
    t.num(tape.steps[second as usize].number as u64);
}

/// `rank 3, step 17: `
const fn at(tape: &Tape<'_>, step: u32, t: &mut Text) {
    t.str("rank ");
    t.num(tape.steps[step as usize].rank as u64);
    t.str(", step ");
    t.num(tape.steps[step as usize].number as u64);
    t.str(": ");
}

/// `rank 3, step 17 `
const fn at_other(tape: &Tape<'_>, step: u32, t: &mut Text) {
    t.str("rank ");
    t.num(tape.steps[step as usize].rank as u64);
    t.str(", step ");
    t.num(tape.steps[step as usize].number as u64);
    t.str(" ");
}

/// The item as it would be written.
const fn item(tape: &Tape<'_>, item: u32, t: &mut Text) {
    let it = &tape.items[item as usize];
    t.str(if it.send { "`send " } else { "`recv " });
    label(tape, it.value, t);
    t.str(if it.send { " to " } else { " from " });
    t.int(it.peer as i64);
    t.str("`");
}

/// A whole step in a few words.
pub(crate) const fn what(tape: &Tape<'_>, step: u32, t: &mut Text) {
    let s = tape.steps[step as usize];
    match s.kind {
        StepKind::Compute => {
            t.str("`");
            label(tape, tape.uses[s.first as usize].value, t);
            t.str("`");
        }
        StepKind::Single => item(tape, s.first, t),
        StepKind::Batch => t.str("the batch"),
    }
}

/// A compute step, what it does (`word`), and with which value.
const fn used(tape: &Tape<'_>, f: Finding, word: &str, t: &mut Text) {
    at(tape, f.step, t);
    what(tape, f.step, t);
    t.str(word);
    label(tape, tape.uses[f.item as usize].value, t);
}

/// How a step brings a value.
const fn brought(tape: &Tape<'_>, step: u32) -> &'static str {
    match tape.steps[step as usize].kind {
        StepKind::Compute => "writes",
        _ => "receives",
    }
}

const fn label(tape: &Tape<'_>, value: Value, t: &mut Text) {
    let name = &tape.names[value.family() as usize];
    t.str(name.text);
    let mut j = 0;
    while j < name.arity {
        t.str(if j == 0 { "[" } else { "," });
        t.num(value.index(j));
        j += 1;
    }
    if name.arity > 0 {
        t.str("]");
    }
}

/// `2048 of f32`
const fn payload(payload: Payload, t: &mut Text) {
    match payload.dtype() {
        None => t.str("a message of no declared type"),
        Some(dtype) => {
            t.num(payload.count());
            t.str(" of ");
            t.str(dtype.name());
        }
    }
}
