//! Errors of a run.

use std::time::Duration;

/// Why a rank could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A wait passed its deadline.
    #[error("{}", timeout(*.rank, *.step, *.peer, *.peer_step, *.waited))]
    Timeout {
        /// The rank that waited.
        rank: usize,
        /// Its step.
        step: u32,
        /// The rank it waited for.
        peer: usize,
        /// The step at which that rank is, where known.
        peer_step: Option<u32>,
        /// How long it waited.
        waited: Duration,
    },
    /// Another rank failed, panicked or left before it had finished.
    #[error("rank {rank}, step {step}: rank {peer} {reason}")]
    Peer {
        /// The rank that reports it.
        rank: usize,
        /// Its step.
        step: u32,
        /// The rank that failed first.
        peer: usize,
        /// What happened there.
        reason: String,
    },
    /// The two ends of a transfer do not agree, or a rule of the backend was broken.
    #[error("rank {rank}, step {step}: {reason}")]
    Rule {
        /// The rank that reports it.
        rank: usize,
        /// Its step.
        step: u32,
        /// What does not agree.
        reason: String,
    },
    /// A compute step of the user failed.
    #[error("rank {rank}, step {step}: {source}")]
    Compute {
        /// The rank that failed.
        rank: usize,
        /// Its step.
        step: u32,
        /// The error that the compute step returned.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A rank panicked.
    #[error("rank {rank} panicked: {message}")]
    Panic {
        /// The rank that panicked.
        rank: usize,
        /// The panic message.
        message: String,
    },
    /// The backend was used in a way that it does not support.
    #[error("{0}")]
    Usage(String),
}

fn timeout(rank: usize, step: u32, peer: usize, peer_step: Option<u32>, waited: Duration) -> String {
    let at = peer_step.map_or_else(|| "has not begun".to_owned(), |s| format!("is at step {s}"));
    format!("rank {rank}, step {step}: waited {waited:?} for rank {peer}, which {at}")
}
