//! How a rank sleeps until another rank has news for it.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How often a rank looks for news before it goes to sleep; a few microseconds.
const LOOKS: u32 = 500;
/// A rank that has stopped looking tries it again after so many waits.
const TRY_AGAIN: u32 = 32;

/// "There is news for this rank."
#[derive(Default)]
pub(super) struct Signal(AtomicBool);

/// A sleeping rank, to be woken once the lock has been given back.
pub(super) type Wake = (usize, Thread);

/// How long a rank looks for news before it sleeps: news that come soon are taken ten times as fast that way, but
/// where the other rank is far, or waits for this very core, looking is in its way. So a rank looks for as long as
/// that has paid lately.
#[derive(Default)]
pub(super) struct Patience {
    looks: u32,
    waits: u32,
}

/// Can every rank of a world have a core of its own? Where not, nobody looks, and a rank that waits sleeps at once.
pub(super) fn may_look(ranks: usize) -> bool {
    thread::available_parallelism().is_ok_and(|cores| ranks <= cores.get())
}

impl Patience {
    fn looks(&mut self) -> u32 {
        self.waits += 1;
        if self.waits >= TRY_AGAIN {
            (self.looks, self.waits) = (LOOKS, 0);
        }
        self.looks
    }

    fn learn(&mut self, paid: bool) {
        self.looks = if paid { LOOKS } else { self.looks / 2 };
    }
}

impl Signal {
    /// Forgets earlier news.
    pub(super) fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Waits for news, or until `limit` has passed. May return early.
    pub(super) fn wait(&self, limit: Option<Duration>, patience: Option<&mut Patience>) {
        if let Some(patience) = patience {
            let paid = self.look(patience.looks());
            patience.learn(paid);
            if paid {
                return;
            }
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

    fn look(&self, times: u32) -> bool {
        (0..times).any(|_| {
            spin_loop();
            self.0.load(Ordering::Acquire)
        })
    }
}

/// Wakes every sleeper of the list and empties it.
pub(super) fn wake_all(signals: &[Signal], wakes: &mut Vec<Wake>) {
    for (rank, thread) in wakes.drain(..) {
        signals[rank].0.store(true, Ordering::Release);
        thread.unpark();
    }
}
