//! The steady state of a walk: recognised when all ranks are back where they were, twice the same way round, and then
//! skipped.

use super::{Cursor, Walk};

impl Walk<'_> {
    /// Is every rank at the operation where it was, and in the same place of the queue?
    pub(super) const fn is_back(&self, before: &[Cursor]) -> bool {
        let mut r = 0;
        while r < self.cursors.len() {
            if self.cursors[r].at != before[r].at || self.place(r) != before[r].place {
                return false;
            }
            r += 1;
        }
        true
    }

    /// Who stands at place `k` of the queue, plus 1.
    const fn place(&self, k: usize) -> usize {
        if k < self.queued { self.queue[k] + 1 } else { 0 }
    }

    pub(super) const fn copy(&self, to: &mut [Cursor]) {
        let mut r = 0;
        while r < self.cursors.len() {
            to[r] = self.cursors[r];
            to[r].place = self.place(r);
            r += 1;
        }
    }

    /// Leaves out turns, if the ranks came from `first` to `second` as they came from there to here.
    pub(super) const fn skip(&mut self, first: &[Cursor], second: &[Cursor]) {
        if !self.is_back(second) {
            return;
        }
        let mut turns = u64::MAX;
        let mut r = 0;
        while r < self.cursors.len() {
            let (a, b, c) = (&first[r], &second[r], &self.cursors[r]);
            let mut changed = false;
            let mut k = c.depth;
            while k > 0 {
                k -= 1;
                if b.counters[k] < a.counters[k] || c.counters[k] < b.counters[k] {
                    return;
                }
                let change = c.counters[k] - b.counters[k];
                // Only one loop of a rank may have moved on: those outside of it did not, so it was not left, and
                // those inside stand where they stood.
                if change != b.counters[k] - a.counters[k] || (changed && change > 0) {
                    return;
                }
                if let Some(fits) = c.left[k].checked_div(change) {
                    changed = true;
                    if fits < turns {
                        turns = fits;
                    }
                }
            }
            r += 1;
        }
        if turns == u64::MAX {
            return;
        }
        r = 0;
        while r < self.cursors.len() {
            let mut k = 0;
            while k < self.cursors[r].depth {
                let moved = turns * (self.cursors[r].counters[k] - second[r].counters[k]);
                self.cursors[r].counters[k] += moved;
                self.cursors[r].left[k] -= moved;
                k += 1;
            }
            r += 1;
        }
    }
}
