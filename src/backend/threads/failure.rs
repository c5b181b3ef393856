//! Why a world of threads came to its end, and what each rank is told about it.

use crate::error::{Error, Wait};

/// A rank and its step.
pub(super) type End = (usize, u32);

/// The first cause. It ends the world: every wait from now on returns it.
pub(super) enum Failure {
    /// A rule was broken; the ends that took part (twice the same, where only one did) are told so.
    Rule { ends: [End; 2], reason: String },
    /// A rank left, panicked or gave up.
    Gone { rank: usize, reason: String },
    /// A rank waits for one that has taken its last step.
    Finished { waiter: usize, peer: usize, reason: &'static str },
    /// Ranks wait for each other in a circle.
    Deadlock(Vec<Wait>),
}

impl Failure {
    /// A rule that one end broke alone.
    pub(super) fn local(end: End, reason: String) -> Failure {
        Failure::Rule { ends: [end, end], reason }
    }

    /// `waiter` wants to send to (or else receive from) `peer`, which has finished.
    pub(super) fn finished(waiter: usize, send: bool, peer: usize) -> Failure {
        let reason =
            if send { "has finished and will not receive" } else { "has finished and will not send" };
        Failure::Finished { waiter, peer, reason }
    }

    /// The rank whose error tells the cause best.
    pub(super) fn rank(&self) -> usize {
        match self {
            Failure::Rule { ends, .. } => ends[0].0,
            Failure::Gone { rank, .. } => *rank,
            Failure::Finished { waiter, .. } => *waiter,
            Failure::Deadlock(waits) => waits[0].rank,
        }
    }

    /// What `rank`, now at `step`, is told.
    pub(super) fn error_for(&self, rank: usize, step: u32) -> Error {
        let peer = |peer: usize, reason: String| Error::Peer { rank, step, peer, reason };
        match self {
            Failure::Rule { ends, reason } if ends.contains(&(rank, step)) => {
                Error::Rule { rank, step, reason: reason.clone() }
            }
            Failure::Rule { ends: [(first, at), _], reason } => {
                peer(*first, format!("broke a rule at step {at}: {reason}"))
            }
            Failure::Gone { rank: gone, reason } => peer(*gone, reason.clone()),
            Failure::Finished { waiter, peer: finished, reason } if *waiter == rank => {
                peer(*finished, (*reason).to_owned())
            }
            Failure::Finished { waiter, peer: finished, reason } => {
                peer(*waiter, format!("waits for rank {finished}, which {reason}"))
            }
            Failure::Deadlock(waits) => Error::Deadlock { waits: waits.clone() },
        }
    }
}
