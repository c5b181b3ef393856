//! Errors of a run.

use std::fmt;
use std::time::Duration;

use counterpart_core::Plan;

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
    /// Ranks wait for each other in a circle; all ranks return it at once.
    #[error("{}", deadlock(.waits))]
    Deadlock {
        /// The circle: each wait is for the rank of the next one, the last for the rank of the first.
        waits: Vec<Wait>,
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
    /// An error of a schedule's run, with the steps that it names in words.
    #[error("{source}{}", steps.iter().map(|s| format!("\n    {s}")).collect::<String>())]
    Step {
        /// The error.
        source: Box<Error>,
        /// Each step that it names: rank, step, and what the step does.
        steps: Vec<String>,
    },
    /// The backend was used in a way that it does not support.
    #[error("{0}")]
    Usage(String),
}

impl Error {
    /// The steps that the error names, as rank and step.
    pub fn steps(&self) -> Vec<(usize, u32)> {
        match self {
            Error::Timeout { rank, step, peer, peer_step, .. } => {
                let there = peer_step.map(|peer_step| (*peer, peer_step));
                [(*rank, *step)].into_iter().chain(there).collect()
            }
            Error::Deadlock { waits } => waits.iter().map(|wait| (wait.rank, wait.step)).collect(),
            Error::Peer { rank, step, .. }
            | Error::Rule { rank, step, .. }
            | Error::Compute { rank, step, .. } => {
                vec![(*rank, *step)]
            }
            Error::Step { source, .. } => source.steps(),
            Error::Panic { .. } | Error::Usage(_) => Vec::new(),
        }
    }

    /// The same error with the steps that it names in words, as `plan` has them.
    #[must_use]
    pub fn in_plan(self, plan: &Plan) -> Error {
        let describe = |(rank, step): (usize, u32)| plan.describe(rank, step as usize);
        let steps: Vec<String> = self.steps().into_iter().filter_map(describe).collect();
        match self {
            named @ Error::Step { .. } => named,
            bare if steps.is_empty() => bare,
            bare => Error::Step { source: Box::new(bare), steps },
        }
    }
}

/// One wait of a deadlock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The rank that waits.
    pub rank: usize,
    /// Its step.
    pub step: u32,
    /// It waits to send, or else to receive.
    pub send: bool,
    /// The rank at the other end.
    pub peer: usize,
    /// The step at which that rank waits.
    pub peer_step: u32,
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wait { rank, step, send, peer, peer_step } = self;
        let does = if *send { "send to" } else { "receive from" };
        write!(f, "rank {rank}, step {step} waits to {does} rank {peer}, which is at step {peer_step}")
    }
}

fn timeout(rank: usize, step: u32, peer: usize, peer_step: Option<u32>, waited: Duration) -> String {
    let at = peer_step.map_or_else(|| "has not begun".to_owned(), |s| format!("is at step {s}"));
    format!("rank {rank}, step {step}: waited {waited:?} for rank {peer}, which {at}")
}

fn deadlock(waits: &[Wait]) -> String {
    let waits: Vec<String> = waits.iter().map(Wait::to_string).collect();
    format!(
        "deadlock: {} (let one end receive first, or put transfers that cross into one batch)",
        waits.join("; ")
    )
}
