//! How posted steps find their counterparts, and when they may run.

use super::Rules;
use super::failure::{End, Failure};
use super::state::{Entry, Phase, State};
use crate::backend::TransferKind;
use crate::backend::host::Described;
use counterpart_core::BatchRule;

/// What one posted step has set going.
#[derive(Default)]
pub(super) struct Met {
    /// The ranks with entries that became ready.
    pub(super) members: Vec<usize>,
    /// The bytes that they have to copy.
    pub(super) bytes: u64,
}

impl State {
    /// Brings the step that `rank` has just posted together with the steps that its peers have posted.
    pub(super) fn meet(&mut self, rank: usize, rules: &Rules, met: &mut Met) -> Result<(), Failure> {
        for i in 0..self.slots[rank].entries.len() {
            let entry = &self.slots[rank].entries[i];
            let (peer, send, bytes) = (entry.peer, entry.is_send(), entry.memory.payload().bytes());
            if !send && self.take_eager(rank, i)? {
                continue;
            }
            if let Some(mate) = self.slots[peer].facing(rank, !send) {
                self.link((rank, i), (peer, mate))?;
                if rules.batch == BatchRule::Item {
                    self.ready(rank, i, met);
                    self.ready(peer, mate, met);
                }
            } else if self.slots[peer].finished {
                return Err(Failure::finished(rank, send, peer));
            } else if send && rules.eager_limit > 0 && bytes <= rules.eager_limit {
                self.put_eager(rank, i)?;
            }
        }
        if rules.batch == BatchRule::Gang {
            self.balance(rank)?;
            self.run_gang(rank, met);
        }
        if self.slots[rank].waiting > 0
            && let Some(waits) = self.circle(rank)
        {
            return Err(Failure::Deadlock(waits));
        }
        Ok(())
    }

    /// Makes two entries, each a rank and a place, mates.
    fn link(&mut self, a: (usize, usize), b: (usize, usize)) -> Result<(), Failure> {
        let (send, recv) = if self.entry(a).is_send() { (a, b) } else { (b, a) };
        let (sent, expected) = (self.entry(send).memory.payload(), self.entry(recv).memory.payload());
        if sent != expected {
            let (from, to) = (self.end(send.0), self.end(recv.0));
            return Err(mismatch(from, Described(sent), to, Described(expected)));
        }
        self.slots[a.0].entries[a.1].mate = Some(b.1);
        self.slots[b.0].entries[b.1].mate = Some(a.1);
        Ok(())
    }

    fn entry(&self, (rank, i): (usize, usize)) -> &Entry {
        &self.slots[rank].entries[i]
    }

    fn ready(&mut self, rank: usize, i: usize, met: &mut Met) {
        let slot = &mut self.slots[rank];
        let entry = &mut slot.entries[i];
        entry.phase = Phase::Ready;
        slot.waiting -= 1;
        if entry.kind == TransferKind::Send {
            met.bytes += entry.memory.payload().bytes();
        }
        if !met.members.contains(&rank) {
            met.members.push(rank);
        }
    }

    /// Two steps that meet in one direction must agree on the other too: what one of them has beyond that could
    /// only meet another step, and the two would have to run as one with it.
    fn balance(&self, rank: usize) -> Result<(), Failure> {
        let slot = &self.slots[rank];
        for entry in slot.entries.iter().filter(|e| e.mate.is_some()) {
            let (peer, send) = (entry.peer, entry.is_send());
            let back = |e: &&Entry| e.peer == peer && e.is_send() != send;
            let theirs = |e: &&Entry| e.peer == rank && e.is_send() == send;
            let has_back = slot.entries.iter().find(back).is_some();
            let has_theirs = self.slots[peer].entries.iter().find(theirs).is_some();
            if has_back && !has_theirs {
                return Err(unbalanced(self.end(rank), !send, self.end(peer)));
            }
            if has_theirs && !has_back {
                return Err(unbalanced(self.end(peer), send, self.end(rank)));
            }
        }
        Ok(())
    }

    /// Makes the step of `rank` and all its partner steps ready, where every one of them is there.
    fn run_gang(&mut self, rank: usize, met: &mut Met) {
        if self.missing(rank, &mut met.members).is_some() {
            met.members.clear();
            return;
        }
        for &member in &met.members {
            let slot = &mut self.slots[member];
            slot.waiting = 0;
            for entry in &mut slot.entries {
                entry.phase = Phase::Ready;
                if entry.kind == TransferKind::Send {
                    met.bytes += entry.memory.payload().bytes();
                }
            }
        }
    }

    /// Lists in `members` the ranks whose steps must run together with that of `rank`, up to the first entry that
    /// has no mate; returns the peer that this entry waits for.
    pub(super) fn missing(&mut self, rank: usize, members: &mut Vec<usize>) -> Option<usize> {
        self.walk += 1;
        members.clear();
        members.push(rank);
        self.slots[rank].seen = self.walk;
        let mut next = 0;
        while let Some(&member) = members.get(next) {
            next += 1;
            for i in 0..self.slots[member].entries.len() {
                let entry = &self.slots[member].entries[i];
                let peer = entry.peer;
                if entry.phase != Phase::Waiting {
                    continue;
                }
                if entry.mate.is_none() {
                    return Some(peer);
                }
                if self.slots[peer].seen != self.walk {
                    self.slots[peer].seen = self.walk;
                    members.push(peer);
                }
            }
        }
        None
    }
}

/// A send meets a receive of another element type or count.
pub(super) fn mismatch(from: End, sent: Described, to: End, expected: Described) -> Failure {
    let what = if sent.0.dtype() == expected.0.dtype() { "counts" } else { "element types" };
    let reason = format!(
        "the send of {sent} (rank {}, step {}) meets a receive of {expected} (rank {}, step {}); \
         make the {what} agree",
        from.0, from.1, to.0, to.1
    );
    Failure::Rule { ends: [from, to], reason }
}

/// The step at `extra` also sends to (or else receives from) the other one, which has no such item.
fn unbalanced(extra: End, sends: bool, other: End) -> Failure {
    let (does, not) = if sends { ("sends to", "receive from") } else { ("receives from", "send to") };
    let ((a, at), (b, other_at)) = (extra, other);
    let reason = format!(
        "the batches do not balance: rank {a}, step {at} also {does} rank {b}, but rank {b}, step {other_at} \
         does not {not} rank {a}; put both ends into these two steps, or neither"
    );
    Failure::Rule { ends: [extra, other], reason }
}
