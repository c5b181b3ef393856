//! Static matching: the k-th send from a to b meets the k-th receive at b from a.
//!
//! One pass over all items; the waiting items of each directed edge form a queue in which only sends or only receives
//! stand at any time.

use super::findings::{Detail, Finding, Findings};
use super::table;
use crate::tape::{StepKind, Tape};

/// Words per edge: key, last send, last receive, first send that waits, first receive that waits, mismatch seen.
pub(super) const EDGE_WORDS: usize = 6;

/// The partner of every item, and its successor on the same edge and side; both as place + 1, 0 for none.
pub(super) struct Matching<'a> {
    pub partner: &'a mut [u32],
    pub next: &'a mut [u32],
}

/// Room for all directed edges: direct addressing where all of `P²` fit, hashing elsewhere.
pub(super) const fn edge_slots(ranks: usize, items: usize) -> usize {
    let all = ranks.saturating_mul(ranks);
    let used = 2 * items;
    (if all < used { all } else { used }).next_power_of_two()
}

/// Pairs all items and reports `peer`, `unmatched` and `mismatch` faults, and two blocks of one direction and peer in
/// one batch where `gang` forbids them. `edges` and `seen` are zeroed scratch memory.
pub(super) const fn run(
    tape: &Tape<'_>,
    gang: bool,
    matching: &mut Matching<'_>,
    edges: &mut [u32],
    seen: &mut [u32],
    out: &mut Findings,
) {
    let ranks = tape.ranks() as i64;
    let slots = edges.len() / EDGE_WORDS;
    let direct = slots as i64 >= ranks * ranks;
    let mut s = 0;
    while s < tape.steps.len() {
        let step = tape.steps[s];
        if matches!(step.kind, StepKind::Compute) {
            s += 1;
            continue;
        }
        let mut i = step.first as usize;
        let end = i + step.len as usize;
        while i < end {
            let item = tape.items[i];
            let peer = item.peer as i64;
            if peer < 0 || peer >= ranks {
                out.push(Finding::new(Detail::PeerOutside, s as u32, i as u32));
            } else if peer == step.rank as i64 {
                out.push(Finding::new(Detail::PeerSelf, s as u32, i as u32));
            } else {
                if gang && step.len > 1 {
                    let block = 2 * peer as usize + item.send as usize;
                    // The items of a step follow those of all steps before it.
                    if seen[block] > step.first {
                        let finding = Finding::new(Detail::TwoBlocks, s as u32, i as u32);
                        out.push(finding.against(s as u32, seen[block] - 1));
                    } else {
                        seen[block] = i as u32 + 1;
                    }
                }
                let (from, to) = if item.send { (step.rank as i64, peer) } else { (peer, step.rank as i64) };
                let key = (from * ranks + to) as u32;
                let mut slot = if direct { key as usize } else { table::home(key as u64, slots) };
                while edges[slot * EDGE_WORDS] != 0 && edges[slot * EDGE_WORDS] != key + 1 {
                    slot = (slot + 1) & (slots - 1);
                }
                edges[slot * EDGE_WORDS] = key + 1;
                meet(tape, i, item.send, slot * EDGE_WORDS, matching, edges, out);
            }
            i += 1;
        }
        s += 1;
    }
    unmatched(tape, matching, out);
}

/// Puts item `i` on its edge: with the first item of the other side that waits, or else in the queue of its own.
const fn meet(
    tape: &Tape<'_>,
    i: usize,
    send: bool,
    edge: usize,
    matching: &mut Matching<'_>,
    edges: &mut [u32],
    out: &mut Findings,
) {
    let (tail, own, other) =
        if send { (edge + 1, edge + 3, edge + 4) } else { (edge + 2, edge + 4, edge + 3) };
    if edges[tail] != 0 {
        matching.next[edges[tail] as usize - 1] = i as u32 + 1;
    }
    edges[tail] = i as u32 + 1;
    if edges[other] == 0 {
        if edges[own] == 0 {
            edges[own] = i as u32 + 1;
        }
        return;
    }
    let j = edges[other] as usize - 1;
    edges[other] = matching.next[j];
    matching.partner[i] = j as u32 + 1;
    matching.partner[j] = i as u32 + 1;
    let (a, b) = (&tape.items[i], &tape.items[j]);
    let values = a.value.agrees(b.value);
    if edges[edge + 5] == 0 && !(values && a.payload.agrees(b.payload)) {
        // One shifted pair shifts all that follow on the edge: only the first is news.
        edges[edge + 5] = 1;
        let detail = if values { Detail::OtherPayload } else { Detail::OtherValue };
        let (x, y) = if send { (j, i) } else { (i, j) };
        let (x_step, y_step) = (tape.items[x].step, tape.items[y].step);
        out.push(Finding::new(detail, x_step, x as u32).against(y_step, y as u32));
    }
}

const fn unmatched(tape: &Tape<'_>, matching: &Matching<'_>, out: &mut Findings) {
    let ranks = tape.ranks() as i32;
    let mut i = 0;
    while i < tape.items.len() {
        if matching.partner[i] == 0 {
            let item = tape.items[i];
            let own = tape.steps[item.step as usize].rank as i32;
            if item.peer >= 0 && item.peer < ranks && item.peer != own {
                let detail = if item.send { Detail::SendWithoutRecv } else { Detail::RecvWithoutSend };
                out.push(Finding::new(detail, item.step, i as u32));
            }
        }
        i += 1;
    }
}
