//! A quick way to accept a schedule in const evaluation: walks the programs with their loops, and skips ahead in the
//! steady state, so that its time does not grow with the number of micro-batches.
//!
//! The walk knows `blocking` + `gang` only. A schedule that it walks to the end is safe under every model; when it
//! does not, that says nothing, and the verifier judges the unrolled tape.
//!
//! Ranks take steps in sweeps: in each sweep every rank takes at most one step, together with its whole gang. When
//! all ranks come back to the same operations twice, after the same number of sweeps and with the same change of
//! every loop counter, the third time would be like the second: which steps meet depends on operations alone, and
//! labels are affine in the counters, so that two labels that agreed in two turns agree in all. Those turns are left
//! out, as many as no loop ends in.

mod steady;
#[cfg(test)]
mod tests;

use crate::code::{CodeItem, Op};
use crate::node::MAX_LOOPS;

/// Sweeps that may pass, as a multiple of the operations: beyond, the tape is the better way.
const PATIENCE: usize = 64;

/// Where a rank is.
#[derive(Clone, Copy)]
struct Cursor {
    /// Its next operation; `end` when it has taken all.
    at: usize,
    end: usize,
    depth: usize,
    /// Counters of the loops around it, the innermost first.
    counters: [u64; MAX_LOOPS],
    /// Turns that each of these loops has left, in the same order.
    left: [u64; MAX_LOOPS],
    /// Where each of them begins.
    body: [usize; MAX_LOOPS],
    /// In a copy: who stood at the place of this number in the queue.
    place: usize,
}

/// The walk over some ranks.
struct Walk<'a> {
    ops: &'a [Op],
    cursors: &'a mut [Cursor],
    /// Members of the gang that is looked at, where the step of each ends, and for each rank the gang it was in last.
    members: &'a mut [usize],
    ends: &'a mut [usize],
    seen: &'a mut [usize],
    gangs: usize,
    /// Ranks that moved in the last sweep, in order, and those that move in this one. A gang runs once its last member
    /// is there, so that only a rank that has moved can be the one to start it.
    queue: &'a mut [usize],
    queued: usize,
    next: &'a mut [usize],
    next_len: usize,
    /// The sweep in which each rank moved last.
    moved: &'a mut [usize],
    sweep: usize,
    /// Ranks that are not at their end.
    busy: usize,
}

/// Drops what does not communicate, and loops that are empty then. `ops` holds the program of each rank between two
/// of `starts`; the result takes its place. Returns `false` where a batch has two blocks for one peer and direction.
pub(crate) const fn communication(ops: &mut [Op], starts: &mut [u32]) -> bool {
    let (mut to, mut from, mut rank) = (0, 0, 0);
    let mut sound = true;
    while rank + 1 < starts.len() {
        let end = starts[rank + 1] as usize;
        starts[rank] = to as u32;
        while from < end {
            match ops[from] {
                Op::Compute(..) | Op::Use(..) | Op::Batch(0) => {}
                Op::End if to > starts[rank] as usize && matches!(ops[to - 1], Op::Repeat(_)) => to -= 1,
                op => {
                    if let Op::Batch(len) = op {
                        sound = sound && one_block_each(ops, from + 1, from + 1 + len as usize);
                    }
                    ops[to] = op;
                    to += 1;
                }
            }
            from += 1;
        }
        rank += 1;
    }
    starts[rank] = to as u32;
    sound
}

const fn one_block_each(ops: &[Op], first: usize, end: usize) -> bool {
    let mut i = first;
    while i < end {
        let mut j = i + 1;
        while j < end {
            if let (Op::Item(a), Op::Item(b)) = (&ops[i], &ops[j])
                && a.peer == b.peer
                && a.send == b.send
            {
                return false;
            }
            j += 1;
        }
        i += 1;
    }
    true
}

/// Walks the programs of at most `R` ranks; `true` means that the schedule is safe under every model.
pub(crate) const fn accepts<const R: usize>(ops: &[Op], starts: &[u32]) -> bool {
    let none = [0; MAX_LOOPS];
    let start = Cursor {
        at: 0,
        end: 0,
        depth: 0,
        counters: [0; MAX_LOOPS],
        left: [0; MAX_LOOPS],
        body: none,
        place: 0,
    };
    let (mut cursors, mut first, mut second) = ([start; R], [start; R], [start; R]);
    let (mut members, mut ends, mut seen) = ([0; R], [0; R], [0; R]);
    let (mut queue, mut next, mut moved) = ([0; R], [0; R], [0; R]);
    let ranks = starts.len() - 1;
    let mut walk = Walk {
        ops,
        cursors: cursors.split_at_mut(ranks).0,
        members: &mut members,
        ends: &mut ends,
        seen: &mut seen,
        gangs: 0,
        queue: &mut queue,
        queued: ranks,
        next: &mut next,
        next_len: 0,
        moved: &mut moved,
        sweep: 0,
        busy: 0,
    };
    let mut r = 0;
    while r < ranks {
        walk.queue[r] = r;
        walk.cursors[r].at = starts[r] as usize;
        walk.cursors[r].end = starts[r + 1] as usize;
        walk.settle(r);
        if walk.cursors[r].at < walk.cursors[r].end {
            walk.busy += 1;
        }
        r += 1;
    }
    walk.copy(&mut first);
    let patience = PATIENCE * (ops.len() + ranks);
    let (mut mark, mut period) = (0, 0);
    while walk.sweep < patience {
        if walk.busy == 0 {
            return true;
        }
        if !walk.sweep() {
            return false;
        }
        let sweep = walk.sweep;
        if period > 0 && sweep == mark + 2 * period {
            // Twice the same way round: leave out the turns that would be like these.
            walk.skip(&first, &second);
            period = 0;
            mark = sweep;
            walk.copy(&mut first);
        } else if period == 0 && walk.is_back(&first) {
            period = sweep - mark;
            walk.copy(&mut second);
        } else if period == 0 && sweep > mark + mark / 4 {
            mark = sweep;
            walk.copy(&mut first);
        }
    }
    false
}

impl Walk<'_> {
    /// Lets every rank that has moved take its next step if it can; `false` when none can, or two ends disagree.
    const fn sweep(&mut self) -> bool {
        self.sweep += 1;
        self.next_len = 0;
        let mut k = 0;
        while k < self.queued {
            let r = self.queue[k];
            if self.cursors[r].at < self.cursors[r].end && !self.step(r) {
                return false;
            }
            k += 1;
        }
        k = 0;
        while k < self.next_len {
            self.queue[k] = self.next[k];
            k += 1;
        }
        self.queued = self.next_len;
        self.queued > 0
    }

    /// Moves a rank past its step, which ends at `end`.
    const fn pass(&mut self, r: usize, end: usize) {
        self.cursors[r].at = end;
        if end < self.cursors[r].end && matches!(self.ops[end], Op::Repeat(_) | Op::End) {
            self.settle(r);
        }
        if self.cursors[r].at >= self.cursors[r].end {
            self.busy -= 1;
        }
        if self.moved[r] != self.sweep {
            self.moved[r] = self.sweep;
            self.next[self.next_len] = r;
            self.next_len += 1;
        }
    }

    /// Takes the next step of a rank if its gang is there; `false` where two ends do not agree.
    const fn step(&mut self, r: usize) -> bool {
        let at = self.cursors[r].at;
        let Op::Single(item) = &self.ops[at] else { return self.gang(r) };
        if item.peer < 0 || item.peer as usize >= self.cursors.len() {
            return false;
        }
        let peer = item.peer as usize;
        let there = self.cursors[peer].at;
        if there >= self.cursors[peer].end {
            return true;
        }
        match &self.ops[there] {
            Op::Single(other) => {
                if other.peer as usize != r || other.send == item.send || peer == r {
                    return peer != r;
                }
                if !agree(item, &self.cursors[r].counters, other, &self.cursors[peer].counters) {
                    return false;
                }
                self.pass(r, at + 1);
                self.pass(peer, there + 1);
                true
            }
            _ => self.gang(r),
        }
    }

    /// Takes the next step of a rank together with its gang, if all of it is there; `false` where two ends do not
    /// agree.
    const fn gang(&mut self, r: usize) -> bool {
        self.gangs += 1;
        self.members[0] = r;
        self.seen[r] = self.gangs;
        let (mut n, mut k) = (1, 0);
        while k < n {
            let member = self.members[k];
            let at = self.cursors[member].at;
            let (mut i, end) = match self.ops[at] {
                Op::Batch(len) => (at + 1, at + 1 + len as usize),
                _ => (at, at + 1),
            };
            self.ends[k] = end;
            while i < end {
                let (Op::Single(item) | Op::Item(item)) = &self.ops[i] else { return false };
                let peer = item.peer;
                if peer < 0 || peer as usize >= self.cursors.len() || peer as usize == member {
                    return false;
                }
                match self.facing(peer as usize, member, item.send) {
                    None => return true,
                    Some(other) => {
                        let (Op::Single(facing) | Op::Item(facing)) = &self.ops[other] else { return false };
                        let (mine, theirs) = (&self.cursors[member], &self.cursors[peer as usize]);
                        if !agree(item, &mine.counters, facing, &theirs.counters) {
                            return false;
                        }
                    }
                }
                if self.seen[peer as usize] != self.gangs {
                    self.seen[peer as usize] = self.gangs;
                    self.members[n] = peer as usize;
                    n += 1;
                }
                i += 1;
            }
            k += 1;
        }
        k = 0;
        while k < n {
            let member = self.members[k];
            self.pass(member, self.ends[k]);
            k += 1;
        }
        true
    }

    /// The item at the next step of `rank` that faces `peer` in the opposite direction of `send`.
    const fn facing(&self, rank: usize, peer: usize, send: bool) -> Option<usize> {
        let cursor = &self.cursors[rank];
        if cursor.at >= cursor.end {
            return None;
        }
        let (mut i, end) = match self.ops[cursor.at] {
            Op::Batch(len) => (cursor.at + 1, cursor.at + 1 + len as usize),
            _ => (cursor.at, cursor.at + 1),
        };
        while i < end {
            if let Op::Single(item) | Op::Item(item) = &self.ops[i]
                && item.peer as usize == peer
                && item.send != send
            {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    /// Moves a rank on to its next step, into and out of loops.
    const fn settle(&mut self, r: usize) {
        let ops = self.ops;
        let cursor = &mut self.cursors[r];
        while cursor.at < cursor.end {
            match &ops[cursor.at] {
                Op::Repeat(count) => {
                    let (c, l, b) = (cursor.counters, cursor.left, cursor.body);
                    cursor.counters = [0, c[0], c[1], c[2]];
                    cursor.left = [*count as u64 - 1, l[0], l[1], l[2]];
                    cursor.body = [cursor.at + 1, b[0], b[1], b[2]];
                    cursor.depth += 1;
                    cursor.at += 1;
                }
                Op::End if cursor.left[0] > 0 => {
                    cursor.left[0] -= 1;
                    cursor.counters[0] += 1;
                    cursor.at = cursor.body[0];
                }
                Op::End => {
                    let (c, l, b) = (cursor.counters, cursor.left, cursor.body);
                    cursor.counters = [c[1], c[2], c[3], 0];
                    cursor.left = [l[1], l[2], l[3], 0];
                    cursor.body = [b[1], b[2], b[3], 0];
                    cursor.depth -= 1;
                    cursor.at += 1;
                }
                _ => return,
            }
        }
    }
}

/// Do the two ends of a transfer agree? Equality is a little stricter than the verifier's rule, which is enough here.
const fn agree(a: &CodeItem, a_at: &[u64; MAX_LOOPS], b: &CodeItem, b_at: &[u64; MAX_LOOPS]) -> bool {
    let (mut left, mut right) = (a.label.word as i128, b.label.word as i128);
    let mut k = 0;
    while k < a.label.loops {
        left += a.label.strides[k] as i128 * a_at[k] as i128;
        k += 1;
    }
    k = 0;
    while k < b.label.loops {
        right += b.label.strides[k] as i128 * b_at[k] as i128;
        k += 1;
    }
    left == right && a.payload.word() == b.payload.word()
}
