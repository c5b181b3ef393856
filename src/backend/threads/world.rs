//! The meeting place of the ranks: a step is posted, waits for its counterparts, and moves its bytes.

use std::mem::swap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use counterpart_core::BatchRule;

use super::Rules;
use super::failure::Failure;
use super::meet::Met;
use super::signal::{Patience, Signal, Wake, may_look, wake_all};
use super::state::{Entry, Phase, State};
use crate::backend::TransferKind;
use crate::error::Error;

/// The rank that completes a gang copies all of it up to so many bytes, so that the others wake up to find their step
/// done. Beyond, the copies are worth a wake-up, and every rank copies what it receives.
const COPY_FOR_OTHERS: u64 = 256 << 10;
/// Up to so many bytes, giving the lock back for a copy costs more than the copy.
const COPY_UNDER_LOCK: u64 = 4 << 10;
/// A rank that has not taken a step yet.
const NOT_BEGUN: u32 = u32::MAX;

pub(super) struct World {
    rules: Rules,
    may_look: bool,
    /// Where each rank is, compute steps included.
    steps: Vec<AtomicU32>,
    signals: Vec<Signal>,
    state: Mutex<State>,
}

/// What a rank needs for a step, kept so that a step allocates nothing.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) entries: Vec<Entry>,
    met: Met,
    wakes: Vec<Wake>,
    patience: Patience,
}

type Guard<'w> = MutexGuard<'w, State>;

impl World {
    pub(super) fn new(ranks: usize, rules: Rules) -> World {
        World {
            rules,
            may_look: may_look(ranks),
            steps: (0..ranks).map(|_| AtomicU32::new(NOT_BEGUN)).collect(),
            signals: (0..ranks).map(|_| Signal::default()).collect(),
            state: Mutex::new(State::new(ranks)),
        }
    }

    pub(super) fn size(&self) -> usize {
        self.steps.len()
    }

    /// Notes that `rank` is at `step`.
    pub(super) fn note(&self, rank: usize, step: u32) {
        self.steps[rank].store(step, Ordering::Relaxed);
    }

    fn step_of(&self, rank: usize) -> Option<u32> {
        Some(self.steps[rank].load(Ordering::Relaxed)).filter(|&step| step != NOT_BEGUN)
    }

    fn lock(&self) -> Guard<'_> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a step: the sends and receives in `scratch.entries`, with their memory. Afterwards they are there again.
    pub(super) fn execute(&self, rank: usize, step: u32, scratch: &mut Scratch) -> Result<(), Error> {
        self.note(rank, step);
        if scratch.entries.is_empty() {
            return Ok(());
        }
        let broken = self.broken_rule(rank, &scratch.entries);
        let mut state = self.lock();
        if let Some(reason) = broken {
            state.fail(Failure::local((rank, step), reason), &mut scratch.wakes);
        }
        if let Some(failure) = &state.failure {
            let error = failure.error_for(rank, step);
            drop(state);
            wake_all(&self.signals, &mut scratch.wakes);
            return Err(error);
        }
        let slot = &mut state.slots[rank];
        swap(&mut slot.entries, &mut scratch.entries);
        slot.step = step;
        (slot.waiting, slot.open) = (slot.entries.len(), slot.entries.len());
        if let Err(failure) = state.meet(rank, &self.rules, &mut scratch.met) {
            state.fail(failure, &mut scratch.wakes);
        }
        state = self.set_going(state, scratch);
        self.settle(state, rank, scratch)
    }

    /// A rule that the step breaks by itself.
    fn broken_rule(&self, rank: usize, entries: &[Entry]) -> Option<String> {
        for (i, entry) in entries.iter().enumerate() {
            let (peer, size) = (entry.peer, self.size());
            if peer >= size {
                return Some(format!("there is no rank {peer}; ranks are 0..{size}"));
            }
            if peer == rank {
                return Some("a rank cannot send to itself or receive from itself".to_owned());
            }
            let same = |e: &Entry| e.peer == peer && e.is_send() == entry.is_send();
            if self.rules.batch == BatchRule::Gang && entries[..i].iter().any(same) {
                let items = if entry.is_send() { "sends to" } else { "receives from" };
                return Some(format!("the batch has two {items} rank {peer}; split the batch"));
            }
        }
        None
    }

    /// Copies what has become ready, or wakes those who do.
    fn set_going<'w>(&'w self, mut state: Guard<'w>, scratch: &mut Scratch) -> Guard<'w> {
        for i in 0..scratch.met.members.len() {
            let member = scratch.met.members[i];
            if scratch.met.bytes <= COPY_FOR_OTHERS {
                state = self.copy_ready(state, member, &mut scratch.wakes);
            } else {
                state.wake(member, &mut scratch.wakes);
            }
        }
        scratch.met.members.clear();
        scratch.met.bytes = 0;
        state
    }

    /// Completes the receives of `rank` that are ready. The lock is given back during larger copies.
    fn copy_ready<'w>(&'w self, mut state: Guard<'w>, rank: usize, wakes: &mut Vec<Wake>) -> Guard<'w> {
        let mut i = 0;
        while let Some(entry) = state.slots[rank].entries.get_mut(i) {
            if let (TransferKind::Recv, Phase::Ready, Some(mate)) = (entry.kind, entry.phase, entry.mate) {
                let peer = entry.peer;
                let mut into = entry.memory.take();
                entry.phase = Phase::Copying;
                let sender = &mut state.slots[peer].entries[mate];
                sender.phase = Phase::Copying;
                if sender.kind == TransferKind::SendLast {
                    swap(&mut into, &mut sender.memory);
                } else if into.payload().bytes() <= COPY_UNDER_LOCK {
                    into.copy_from(&sender.memory);
                } else {
                    let from = sender.memory.take();
                    drop(state);
                    wake_all(&self.signals, wakes);
                    into.copy_from(&from);
                    state = self.lock();
                    state.slots[peer].entries[mate].memory = from;
                }
                state.slots[rank].entries[i].memory = into;
                state.done(peer, mate, wakes);
                state.done(rank, i, wakes);
            }
            i += 1;
        }
        state
    }

    /// Waits until the posted step of `rank` is over and takes its entries back.
    fn settle<'w>(&'w self, mut state: Guard<'w>, rank: usize, scratch: &mut Scratch) -> Result<(), Error> {
        let mut began = None;
        let mut timeout = None;
        loop {
            state = self.copy_ready(state, rank, &mut scratch.wakes);
            let failed = state.failure.is_some();
            let slot = &mut state.slots[rank];
            // What is ready completes even in a failed world; only the rest is taken back.
            if slot.open == 0 || (failed && slot.waiting == slot.open) {
                break;
            }
            let mut limit = None;
            if !failed && slot.waiting > 0 {
                let waited = began.get_or_insert_with(Instant::now).elapsed();
                limit = self.rules.deadline.checked_sub(waited).filter(|left| !left.is_zero());
                if limit.is_none() {
                    timeout = Some(self.give_up(&mut state, rank, waited, scratch));
                    continue;
                }
            }
            slot.sleeper = Some(thread::current());
            self.signals[rank].reset();
            drop(state);
            wake_all(&self.signals, &mut scratch.wakes);
            let patience = self.may_look.then_some(&mut scratch.patience);
            self.signals[rank].wait(limit, patience);
            state = self.lock();
        }
        let slot = &mut state.slots[rank];
        let (step, done) = (slot.step, slot.open == 0);
        swap(&mut slot.entries, &mut scratch.entries);
        (slot.waiting, slot.open, slot.sleeper) = (0, 0, None);
        let error = match &state.failure {
            Some(failure) if !done => timeout.or_else(|| Some(failure.error_for(rank, step))),
            _ => None,
        };
        drop(state);
        wake_all(&self.signals, &mut scratch.wakes);
        error.map_or(Ok(()), Err)
    }

    /// The deadline of `rank` has passed.
    fn give_up(&self, state: &mut State, rank: usize, waited: Duration, scratch: &mut Scratch) -> Error {
        let step = state.slots[rank].step;
        // In a complete gang nobody is missing, and it does not wait.
        let peer = state.missing(rank, &mut scratch.met.members).unwrap_or(rank);
        scratch.met.members.clear();
        let reason = format!("gave up at step {step}, after {waited:?} of waiting for rank {peer}");
        state.fail(Failure::Gone { rank, reason }, &mut scratch.wakes);
        Error::Timeout { rank, step, peer, peer_step: self.step_of(peer), waited }
    }

    /// `rank` has taken its last step.
    pub(super) fn finish(&self, rank: usize, scratch: &mut Scratch) -> Result<(), Error> {
        let step = self.step_of(rank).unwrap_or(0);
        let mut state = self.lock();
        state.slots[rank].finished = true;
        let unreceived = state.unreceived(rank);
        if let Some((from, at)) = unreceived {
            let reason = format!("rank {from}, step {at} sent a message that rank {rank} never receives");
            state.fail(Failure::Rule { ends: [(rank, step), (from, at)], reason }, &mut scratch.wakes);
        }
        let waits_for = |e: &&Entry| e.peer == rank && e.phase == Phase::Waiting;
        for waiter in 0..state.slots.len() {
            if let Some(entry) = state.slots[waiter].entries.iter().find(waits_for) {
                let failure = Failure::finished(waiter, entry.is_send(), rank);
                state.fail(failure, &mut scratch.wakes);
            }
        }
        let error = state.failure.as_ref().filter(|_| unreceived.is_some()).map(|f| f.error_for(rank, step));
        drop(state);
        wake_all(&self.signals, &mut scratch.wakes);
        error.map_or(Ok(()), Err)
    }

    /// `rank` goes without having finished.
    pub(super) fn leave(&self, rank: usize, panicking: bool, scratch: &mut Scratch) {
        let what = if panicking { "panicked" } else { "left before it had finished" };
        let reason = match self.step_of(rank) {
            None => format!("{what}, before its first step"),
            Some(step) => format!("{what}, at step {step}"),
        };
        self.lock().fail(Failure::Gone { rank, reason }, &mut scratch.wakes);
        wake_all(&self.signals, &mut scratch.wakes);
    }

    /// The rank that ended the world, where that has happened, and what it would say.
    pub(super) fn first_cause(&self) -> Option<(usize, Error)> {
        let state = self.lock();
        let failure = state.failure.as_ref()?;
        let (rank, step) = (failure.rank(), self.step_of(failure.rank()).unwrap_or(0));
        let error = match failure {
            Failure::Gone { reason, .. } => Error::Usage(format!("rank {rank} {reason}")),
            _ => failure.error_for(rank, step),
        };
        Some((rank, error))
    }
}
