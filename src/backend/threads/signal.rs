//! How a rank sleeps until another rank has news for it.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// Looks before a rank goes to sleep, where every rank can have a core of its own; a few microseconds.
const SPINS: u32 = 500;

/// "There is news for this rank."
#[derive(Default)]
pub(super) struct Signal(AtomicBool);

/// A sleeping rank, to be woken once the lock has been given back.
pub(super) type Wake = (usize, Thread);

/// How often a rank of a world of `ranks` looks for news before it sleeps. Where ranks share cores, looking only
/// keeps the others from working.
pub(super) fn spins(ranks: usize) -> u32 {
    let cores = thread::available_parallelism().map_or(1, |n| n.get());
    if ranks <= cores { SPINS } else { 0 }
}

impl Signal {
    /// Forgets earlier news.
    pub(super) fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Waits for news, or until `limit` has passed. May return early.
    pub(super) fn wait(&self, limit: Option<Duration>, spins: u32) {
        for _ in 0..spins {
            if self.0.load(Ordering::Acquire) {
                return;
            }
            spin_loop();
        }
        let began = Instant::now();
        while !self.0.load(Ordering::Acquire) {
            match limit.map(|limit| limit.saturating_sub(began.elapsed())) {
                None => thread::park(),
                Some(Duration::ZERO) => return,
                Some(left) => thread::park_timeout(left),
            }
        }
    }
}

/// Wakes every sleeper of the list and empties it.
pub(super) fn wake_all(signals: &[Signal], wakes: &mut Vec<Wake>) {
    for (rank, thread) in wakes.drain(..) {
        signals[rank].0.store(true, Ordering::Release);
        thread.unpark();
    }
}
