//! What the walk reads: the communication steps of all ranks, with their loops and nothing else.

use crate::code::{CodeItem, Op};

/// One operation of the walk.
#[derive(Clone, Copy)]
pub(crate) enum Move {
    /// A communication step: so many items, from this one on.
    Step { first: usize, len: usize },
    /// What follows up to its end, so many times.
    Repeat(u32),
    /// The end of the innermost repetition.
    End,
}

/// The moves of all ranks, and the items of their steps.
pub(crate) struct Moves<'a> {
    /// Where the moves of each rank begin, and at the end their number.
    pub starts: &'a mut [u32],
    pub moves: &'a mut [Move],
    pub items: &'a mut [CodeItem],
}

impl Moves<'_> {
    /// Writes down what communicates. `ops` holds the program of each rank between two of `starts`; there is room for
    /// as many moves and items as there are operations. Returns `false` where an item has no peer, or a batch has two
    /// blocks for one peer and direction.
    pub(crate) const fn write(&mut self, ops: &[Op], starts: &[u32]) -> bool {
        let (mut len, mut items, mut rank, mut i) = (0, 0, 0, 0);
        let ranks = starts.len() - 1;
        while rank < ranks {
            self.starts[rank] = len as u32;
            while i < starts[rank + 1] as usize {
                let op = &ops[i];
                i += 1;
                self.moves[len] = match op {
                    Op::Compute(..) | Op::Use(..) | Op::Batch(0) => continue,
                    Op::End
                        if len > self.starts[rank] as usize
                            && matches!(self.moves[len - 1], Move::Repeat(_)) =>
                    {
                        // The loop is empty now.
                        len -= 1;
                        continue;
                    }
                    Op::End => Move::End,
                    Op::Repeat(count) => Move::Repeat(*count),
                    Op::Batch(of) => Move::Step { first: items, len: *of as usize },
                    Op::Single(item) | Op::Item(item) => {
                        let peer = item.peer as usize;
                        if item.peer < 0 || peer >= ranks || peer == rank {
                            return false;
                        }
                        self.items[items] = *item;
                        items += 1;
                        if matches!(op, Op::Item(_)) {
                            if self.has_block(len - 1, items - 1) {
                                return false;
                            }
                            continue;
                        }
                        Move::Step { first: items - 1, len: 1 }
                    }
                };
                len += 1;
            }
            rank += 1;
        }
        self.starts[rank] = len as u32;
        true
    }

    /// Has a step an item before this one, for the same peer and direction?
    const fn has_block(&self, step: usize, item: usize) -> bool {
        let Move::Step { first, .. } = self.moves[step] else { return false };
        let mut i = first;
        while i < item {
            if self.items[i].peer == self.items[item].peer && self.items[i].send == self.items[item].send {
                return true;
            }
            i += 1;
        }
        false
    }
}
