//! What would mend a fault, where that is clear.

use super::cycle::untie;
use super::words::{add, at_other, both, brought, item, join, label};
use crate::tape::{NONE, Role, Tape};
use crate::text::Text;
use crate::verify::findings::{Detail, Finding, Findings};

/// What would mend it; nothing where that is not clear.
pub(crate) const fn mend(tape: &Tape<'_>, next: &[u32], all: &Findings, finding: &Finding, t: &mut Text) {
    let f = *finding;
    match f.detail {
        Detail::PeerSelf => t.str("what stays on its rank is not sent: leave out the send and the receive"),
        Detail::TwoBlocks => t.str("split it into two batches, on both ranks alike"),
        Detail::Unbalanced => {
            join(tape, f.other_step, f.number, t);
            t.str(", or take this one apart");
        }
        Detail::SendWithoutRecv | Detail::RecvWithoutSend => {
            if is_shifted(tape, all, f.item) {
                t.str("mend the mismatch between the two ranks first");
            } else if !misdirected(tape, all, f.item, t) {
                add(tape, f.item, t);
                t.str(", or take this one out");
            }
        }
        Detail::OtherValue => shifted(tape, next, all, f, t),
        Detail::OtherPayload => t.str("give both ends the same element type and count"),
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
            t.str(if f.other_step == f.step { "receive it in a step before" } else { "move that step up" });
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
        Detail::AfterMissing if is_part(tape, f) => {
            t.str(
                "it is part of the same step, and parts may run at the same time: let an earlier step run it",
            );
        }
        Detail::AfterMissing => t.str("no rank runs it"),
        Detail::Missing => t.str("run it on one rank, or declare a smaller domain"),
        Detail::Repeated => t.str("take one of the two out"),
        Detail::OutsideDomain => t.str("leave it out, or declare a larger domain"),
        Detail::PeerOutside => {}
    }
}

/// Is what has to run before the step a part of the step itself?
const fn is_part(tape: &Tape<'_>, f: Finding) -> bool {
    let step = &tape.steps[f.step as usize];
    let name = tape.uses[f.item as usize].value.0;
    let mut u = step.first as usize;
    while u < (step.first + step.len) as usize {
        if matches!(tape.uses[u].role, Role::Name) && tape.uses[u].value.0 == name {
            return true;
        }
        u += 1;
    }
    false
}

/// How the two sides of an edge are shifted against each other, from a look at what comes next on each.
const fn shifted(tape: &Tape<'_>, next: &[u32], all: &Findings, f: Finding, t: &mut Text) {
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
    } else if later_send_fits && is_left_over(tape, all, send) {
        lonely(tape, f.other_item, f.step, t);
    } else if later_recv_fits && is_left_over(tape, all, recv) {
        lonely(tape, f.item, f.other_step, t);
    } else {
        t.str("send `");
        label(tape, tape.items[recv].value, t);
        t.str("` there, or receive `");
        label(tape, tape.items[send].value, t);
        t.str("` here");
    }
}

/// An item that all later ones of the edge do not miss: its counterpart belongs before step `before` of the peer.
const fn lonely(tape: &Tape<'_>, alone: u32, before: u32, t: &mut Text) {
    item(tape, alone, t);
    t.str(" has no counterpart, and what follows it fits: ");
    add(tape, alone, t);
    t.str(" before step ");
    t.num(tape.steps[before as usize].number as u64);
    t.str(", or take it out");
}

/// Is an item of the same edge and side left over? Where none is, both sides are of one length, and to add an item
/// would mend nothing.
const fn is_left_over(tape: &Tape<'_>, all: &Findings, item: usize) -> bool {
    let it = &tape.items[item];
    let mut k = 0;
    while k < all.len {
        let f = all.list[k];
        if matches!(f.detail, Detail::SendWithoutRecv | Detail::RecvWithoutSend) {
            let other = &tape.items[f.item as usize];
            let same_rank = tape.steps[f.step as usize].rank == tape.steps[it.step as usize].rank;
            if other.send == it.send && other.peer == it.peer && same_rank {
                return true;
            }
        }
        k += 1;
    }
    false
}

/// Says which end names the wrong rank, where a send and a receive of one value miss each other.
const fn misdirected(tape: &Tape<'_>, all: &Findings, item: u32, t: &mut Text) -> bool {
    let it = &tape.items[item as usize];
    let rank = tape.steps[it.step as usize].rank;
    let mut k = 0;
    while k < all.len {
        let f = all.list[k];
        k += 1;
        if !matches!(f.detail, Detail::SendWithoutRecv | Detail::RecvWithoutSend) {
            continue;
        }
        let other = &tape.items[f.item as usize];
        let other_rank = tape.steps[f.step as usize].rank;
        if other.send == it.send || other.value.0 != it.value.0 || it.value.0 == 0 || other_rank == rank {
            continue;
        }
        let (expected, found) = (it.peer == other_rank as i32, other.peer == rank as i32);
        if expected == found {
            continue;
        }
        // The end that the other one expects names the wrong rank.
        at_other(tape, f.step, t);
        t.str(if other.send { "sends it to rank " } else { "expects it from rank " });
        t.int(other.peer as i64);
        t.str(": ");
        t.str(if expected == other.send { "send it to " } else { "receive it from " });
        t.num(if expected { rank } else { other_rank } as u64);
        t.str(if expected { " there instead" } else { " instead" });
        return true;
    }
    false
}

/// Is a mismatch reported on the edge of this item?
const fn is_shifted(tape: &Tape<'_>, all: &Findings, item: u32) -> bool {
    let mut k = 0;
    while k < all.len {
        let f = all.list[k];
        if matches!(f.detail, Detail::OtherValue) {
            let other = if tape.items[item as usize].send { f.other_item } else { f.item };
            let (a, b) = (tape.items[item as usize], tape.items[other as usize]);
            if a.peer == b.peer && tape.steps[a.step as usize].rank == tape.steps[b.step as usize].rank {
                return true;
            }
        }
        k += 1;
    }
    false
}

const fn equal(tape: &Tape<'_>, a: usize, b: usize) -> bool {
    tape.items[a].value.0 == tape.items[b].value.0
}
