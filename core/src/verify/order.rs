//! The waits inside a rank: which earlier steps must have ended before a step begins.
//!
//! Under `blocking` that is the step before it and needs no memory. The other channels give each step a short list of
//! earlier steps of its rank.

use super::table;
use crate::model::Channel;
use crate::tape::{Role, StepKind, Tape};

/// For every step the earlier steps it waits for: those of step `s` are `steps[starts[s]..starts[s + 1]]`.
pub(super) struct Order<'a> {
    pub starts: &'a mut [u32],
    pub steps: &'a mut [u32],
}

/// How many waits there can be at most.
pub(super) const fn capacity(tape: &Tape<'_>) -> usize {
    2 * tape.items.len() + 2 * tape.steps.len() + tape.uses.len()
}

impl Order<'_> {
    /// Fills the lists for any channel but `blocking`. `last` holds two words per rank, zeroed; `received` is a table
    /// for the items of any rank.
    pub(super) const fn fill(
        &mut self,
        tape: &Tape<'_>,
        channel: Channel,
        last: &mut [u32],
        received: &mut [u32],
    ) {
        let mut n = 0;
        let mut rank = 0;
        while rank < tape.ranks() as usize {
            // A rank with few items needs only the front of the table.
            let (items, _) = super::rank_size(tape, rank);
            let (received, _) = received.split_at_mut(table::slots(items));
            let mut slot = 0;
            while slot < received.len() {
                received[slot] = 0;
                slot += 1;
            }
            n = self.rank(tape, rank, channel, last, received, n);
            rank += 1;
        }
        self.starts[tape.steps.len()] = n as u32;
    }

    /// Fills the lists of one rank from place `n` on and returns the place after them.
    const fn rank(
        &mut self,
        tape: &Tape<'_>,
        rank: usize,
        channel: Channel,
        last: &mut [u32],
        received: &mut [u32],
        mut n: usize,
    ) -> usize {
        let mut compute = 0;
        let mut s = tape.starts[rank] as usize;
        while s < tape.starts[rank + 1] as usize {
            self.starts[s] = n as u32;
            if compute != 0 {
                self.steps[n] = compute - 1;
                n += 1;
            }
            if matches!(tape.steps[s].kind, StepKind::Compute) {
                n = self.reads(tape, s, received, n);
                compute = s as u32 + 1;
            } else {
                n = self.queues(tape, s, channel, last, n);
                n = self.passed_on(tape, s, received, n);
            }
            s += 1;
        }
        n
    }

    /// A compute step waits for the receives of what it reads.
    const fn reads(&mut self, tape: &Tape<'_>, s: usize, received: &[u32], mut n: usize) -> usize {
        let step = tape.steps[s];
        let mut u = step.first as usize;
        let end = u + step.len as usize;
        while u < end {
            if matches!(tape.uses[u].role, Role::Read) {
                let item = received[slot(tape, received, tape.uses[u].value.0)];
                n = self.after_receive(tape, item, n);
            }
            u += 1;
        }
        n
    }

    /// A communication step waits for the one before it in each queue that its items use, and takes its place there.
    const fn queues(
        &mut self,
        tape: &Tape<'_>,
        s: usize,
        channel: Channel,
        last: &mut [u32],
        mut n: usize,
    ) -> usize {
        let step = tape.steps[s];
        let ranks = tape.ranks() as i32;
        let mut i = step.first as usize;
        let end = i + step.len as usize;
        while i < end {
            let item = tape.items[i];
            if item.peer >= 0 && item.peer < ranks {
                let queue = match channel {
                    Channel::Blocking | Channel::Queue => 0,
                    Channel::Pair => 2 * item.peer as usize,
                    Channel::Edge | Channel::Eager => 2 * item.peer as usize + item.send as usize,
                };
                let before = last[queue];
                if before != 0 && before != s as u32 + 1 && tape.steps[before as usize - 1].rank == step.rank
                {
                    self.steps[n] = before - 1;
                    n += 1;
                }
                last[queue] = s as u32 + 1;
            }
            i += 1;
        }
        n
    }

    /// A send waits for the receive of a value that it passes on; receives are noted for later reads.
    const fn passed_on(&mut self, tape: &Tape<'_>, s: usize, received: &mut [u32], mut n: usize) -> usize {
        let step = tape.steps[s];
        let end = (step.first + step.len) as usize;
        let mut i = step.first as usize;
        while i < end {
            if tape.items[i].send {
                let item = received[slot(tape, received, tape.items[i].value.0)];
                n = self.after_receive(tape, item, n);
            }
            i += 1;
        }
        i = step.first as usize;
        while i < end {
            if !tape.items[i].send && tape.items[i].value.0 != 0 {
                received[slot(tape, received, tape.items[i].value.0)] = i as u32 + 1;
            }
            i += 1;
        }
        n
    }

    /// Adds the step of `item` (place + 1), where there is one.
    const fn after_receive(&mut self, tape: &Tape<'_>, item: u32, n: usize) -> usize {
        if item == 0 {
            return n;
        }
        self.steps[n] = tape.items[item as usize - 1].step;
        n + 1
    }
}

/// The place of a value in the table of receives.
const fn slot(tape: &Tape<'_>, received: &[u32], value: u128) -> usize {
    let mut slot = table::home(table::fold(crate::value::Value(value)), received.len());
    while received[slot] != 0 && tape.items[received[slot] as usize - 1].value.0 != value {
        slot = (slot + 1) & (received.len() - 1);
    }
    slot
}
