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

mod moves;
mod steady;
#[cfg(test)]
mod tests;

pub(crate) use moves::{Move, Moves};

use crate::code::CodeItem;
use crate::node::MAX_LOOPS;

/// Sweeps that may pass, as a multiple of the operations: beyond, the tape is the better way.
const PATIENCE: usize = 64;

/// Where a rank is.
#[derive(Clone, Copy)]
struct Cursor {
    /// Its next move; `end` when it has taken all.
    at: usize,
    end: usize,
    /// The items of its next step; none when it has taken all.
    first: usize,
    len: usize,
    depth: usize,
    /// Counters of the loops around it, the innermost first.
    counters: [u64; MAX_LOOPS],
    /// Turns that each of these loops has left, in the same order.
    left: [u64; MAX_LOOPS],
    /// Where each of them begins.
    body: [usize; MAX_LOOPS],
    /// The sweep in which it moved last.
    moved: usize,
    /// In a copy: who stood at the place of this number in the queue.
    place: usize,
}

/// The walk over some ranks.
struct Walk<'a> {
    moves: &'a [Move],
    items: &'a [CodeItem],
    cursors: &'a mut [Cursor],
    /// Members of the gang that is looked at, and for each rank the gang it was in last.
    members: &'a mut [usize],
    seen: &'a mut [usize],
    gangs: usize,
    /// Ranks that moved in the last sweep, in order, and those that move in this one. A gang runs once its last member
    /// is there, so that only a rank that has moved can be the one to start it.
    queue: &'a mut [usize],
    queued: usize,
    next: &'a mut [usize],
    next_len: usize,
    sweep: usize,
    /// Ranks that are not at their end.
    busy: usize,
}

/// Walks the programs of at most `R` ranks; `true` means that the schedule is safe under every model.
pub(crate) const fn accepts<const R: usize>(programs: &Moves<'_>) -> bool {
    let Moves { starts, moves, items } = programs;
    let start = Cursor {
        at: 0,
        end: 0,
        first: 0,
        len: 0,
        depth: 0,
        counters: [0; MAX_LOOPS],
        left: [0; MAX_LOOPS],
        body: [0; MAX_LOOPS],
        moved: 0,
        place: 0,
    };
    let (mut cursors, mut first, mut second) = ([start; R], [start; R], [start; R]);
    let (mut members, mut seen) = ([0; R], [0; R]);
    let (mut queue, mut next) = ([0; R], [0; R]);
    let ranks = starts.len() - 1;
    let mut walk = Walk {
        moves,
        items,
        cursors: cursors.split_at_mut(ranks).0,
        members: &mut members,
        seen: &mut seen,
        gangs: 0,
        queue: &mut queue,
        queued: ranks,
        next: &mut next,
        next_len: 0,
        sweep: 0,
        busy: 0,
    };
    let mut r = 0;
    while r < ranks {
        walk.queue[r] = r;
        let cursor = &mut walk.cursors[r];
        cursor.at = starts[r] as usize;
        cursor.end = starts[r + 1] as usize;
        if cursor.settle(moves) {
            walk.busy += 1;
        }
        r += 1;
    }
    walk.copy(&mut first);
    let patience = PATIENCE * (starts[ranks] as usize + ranks);
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
            if !self.step(r) {
                return false;
            }
            k += 1;
        }
        core::mem::swap(&mut self.queue, &mut self.next);
        self.queued = self.next_len;
        self.queued > 0
    }

    /// Moves a rank past its step.
    const fn pass(&mut self, r: usize) {
        let cursor = &mut self.cursors[r];
        cursor.at += 1;
        if !cursor.settle(self.moves) {
            self.busy -= 1;
        }
        if cursor.moved != self.sweep {
            cursor.moved = self.sweep;
            self.next[self.next_len] = r;
            self.next_len += 1;
        }
    }

    /// Takes the next step of a rank if its gang is there; `false` where two ends do not agree.
    const fn step(&mut self, r: usize) -> bool {
        let mine = &self.cursors[r];
        if mine.len == 0 {
            return true;
        }
        // Most steps are between two ranks: all items of the one face all items of the other.
        let peer = self.items[mine.first].peer;
        let theirs = &self.cursors[peer as usize];
        if theirs.len != mine.len {
            return self.gang(r);
        }
        let mut i = mine.first;
        while i < mine.first + mine.len {
            let item = &self.items[i];
            if item.peer != peer {
                return self.gang(r);
            }
            match meet(self.items, item, r, mine, theirs) {
                Meeting::Waits => return true,
                Meeting::Differs => return false,
                Meeting::Agrees => i += 1,
            }
        }
        self.pass(r);
        self.pass(peer as usize);
        true
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
            let mine = &self.cursors[member];
            let mut i = mine.first;
            while i < mine.first + mine.len {
                let item = &self.items[i];
                let peer = item.peer as usize;
                match meet(self.items, item, member, mine, &self.cursors[peer]) {
                    Meeting::Waits => return true,
                    Meeting::Differs => return false,
                    Meeting::Agrees => i += 1,
                }
                if self.seen[peer] != self.gangs {
                    self.seen[peer] = self.gangs;
                    self.members[n] = peer;
                    n += 1;
                }
            }
            k += 1;
        }
        k = 0;
        while k < n {
            self.pass(self.members[k]);
            k += 1;
        }
        true
    }
}

impl Cursor {
    /// Moves on to the next step, into and out of loops; `false` at the end of the program.
    const fn settle(&mut self, moves: &[Move]) -> bool {
        while self.at < self.end {
            match &moves[self.at] {
                Move::Step { first, len } => {
                    self.first = *first;
                    self.len = *len;
                    return true;
                }
                Move::Repeat(count) => {
                    let (c, l, b) = (self.counters, self.left, self.body);
                    self.counters = [0, c[0], c[1], c[2]];
                    self.left = [*count as u64 - 1, l[0], l[1], l[2]];
                    self.body = [self.at + 1, b[0], b[1], b[2]];
                    self.depth += 1;
                    self.at += 1;
                }
                Move::End if self.left[0] > 0 => {
                    self.left[0] -= 1;
                    self.counters[0] += 1;
                    self.at = self.body[0];
                }
                Move::End => {
                    let (c, l, b) = (self.counters, self.left, self.body);
                    self.counters = [c[1], c[2], c[3], 0];
                    self.left = [l[1], l[2], l[3], 0];
                    self.body = [b[1], b[2], b[3], 0];
                    self.depth -= 1;
                    self.at += 1;
                }
            }
        }
        self.len = 0;
        false
    }
}

/// What an item finds at the step of its peer.
enum Meeting {
    /// Not its counterpart, or not yet.
    Waits,
    Agrees,
    Differs,
}

/// Does an item of rank `rank`, at cursor `mine`, find its counterpart at the next step of its peer?
const fn meet(items: &[CodeItem], item: &CodeItem, rank: usize, mine: &Cursor, theirs: &Cursor) -> Meeting {
    let mut j = theirs.first;
    while j < theirs.first + theirs.len {
        let other = &items[j];
        if other.peer as usize == rank && other.send != item.send {
            return match agree(item, &mine.counters, other, &theirs.counters) {
                true => Meeting::Agrees,
                false => Meeting::Differs,
            };
        }
        j += 1;
    }
    Meeting::Waits
}

/// Do the two ends of a transfer agree? Equality is a little stricter than the verifier's rule, which is enough here.
const fn agree(a: &CodeItem, a_at: &[u64; MAX_LOOPS], b: &CodeItem, b_at: &[u64; MAX_LOOPS]) -> bool {
    let mut left = a.label.word as i128 + a.label.strides[0] as i128 * a_at[0] as i128;
    let mut right = b.label.word as i128 + b.label.strides[0] as i128 * b_at[0] as i128;
    // Few labels depend on more than one loop.
    let mut k = 1;
    while k < a.label.loops {
        left += a.label.strides[k] as i128 * a_at[k] as i128;
        k += 1;
    }
    k = 1;
    while k < b.label.loops {
        right += b.label.strides[k] as i128 * b_at[k] as i128;
        k += 1;
    }
    left == right && a.payload.word() == b.payload.word()
}
