//! What the ranks of a world know of each other, under one lock: which step each has posted.

use std::collections::HashMap;
use std::thread::Thread;

use super::deadlock::Search;
use super::eager::Edge;
use super::failure::{End, Failure};
use super::signal::Wake;
use crate::backend::{HostBuffer, TransferKind};

/// One send or receive of a posted step. It holds the memory until the step is over.
pub(super) struct Entry {
    pub(super) kind: TransferKind,
    pub(super) peer: usize,
    pub(super) memory: HostBuffer,
    pub(super) phase: Phase,
    /// The place of the entry at the other end, once that has been posted too.
    pub(super) mate: Option<usize>,
}

/// How far an entry is. From `Ready` on it completes, whatever happens to the world.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Not all that must be there is there.
    Waiting,
    /// Its bytes may move.
    Ready,
    /// Some thread moves its bytes.
    Copying,
    /// Its bytes have moved.
    Done,
}

/// The posted step of one rank; no entries while the rank is busy elsewhere.
#[derive(Default)]
pub(super) struct Slot {
    pub(super) step: u32,
    pub(super) entries: Vec<Entry>,
    /// Entries that are `Waiting`. Above 0 the rank is blocked.
    pub(super) waiting: usize,
    /// Entries that are not `Done`.
    pub(super) open: usize,
    /// Who sleeps until this step is over.
    pub(super) sleeper: Option<Thread>,
    pub(super) finished: bool,
    /// The last walk that came by.
    pub(super) seen: u64,
}

pub(super) struct State {
    pub(super) slots: Vec<Slot>,
    pub(super) failure: Option<Failure>,
    /// Messages that were sent before their receive, by sender and receiver.
    pub(super) edges: HashMap<(usize, usize), Edge>,
    /// The number of the last walk.
    pub(super) walk: u64,
    pub(super) search: Search,
}

impl Entry {
    pub(super) fn new(kind: TransferKind, peer: usize, memory: HostBuffer) -> Entry {
        // Memory that others have too can't be handed over.
        let kind =
            if kind == TransferKind::SendLast && memory.is_shared() { TransferKind::Send } else { kind };
        Entry { kind, peer, memory, phase: Phase::Waiting, mate: None }
    }

    pub(super) fn is_send(&self) -> bool {
        self.kind != TransferKind::Recv
    }
}

impl Slot {
    /// The first entry that faces an entry of `peer` and has no mate yet.
    pub(super) fn facing(&self, peer: usize, send: bool) -> Option<usize> {
        if self.waiting == 0 {
            return None;
        }
        self.entries.iter().position(|e| {
            e.peer == peer && e.is_send() == send && e.phase == Phase::Waiting && e.mate.is_none()
        })
    }
}

impl State {
    pub(super) fn new(ranks: usize) -> State {
        let slots = (0..ranks).map(|_| Slot::default()).collect();
        State { slots, failure: None, edges: HashMap::new(), walk: 0, search: Search::default() }
    }

    /// Rank and step of a posted step.
    pub(super) fn end(&self, rank: usize) -> End {
        (rank, self.slots[rank].step)
    }

    /// Ends the world, unless it has ended already.
    pub(super) fn fail(&mut self, failure: Failure, wakes: &mut Vec<Wake>) {
        if self.failure.is_none() {
            self.failure = Some(failure);
            self.wake_all(wakes);
        }
    }

    fn wake_all(&mut self, wakes: &mut Vec<Wake>) {
        for rank in 0..self.slots.len() {
            self.wake(rank, wakes);
        }
    }

    /// Notes that `rank` must be woken.
    pub(super) fn wake(&mut self, rank: usize, wakes: &mut Vec<Wake>) {
        wakes.extend(self.slots[rank].sleeper.take().map(|thread| (rank, thread)));
    }

    /// The bytes of one entry have moved.
    pub(super) fn done(&mut self, rank: usize, entry: usize, wakes: &mut Vec<Wake>) {
        let slot = &mut self.slots[rank];
        slot.entries[entry].phase = Phase::Done;
        slot.open -= 1;
        if slot.open == 0 {
            self.wake(rank, wakes);
        }
    }
}
