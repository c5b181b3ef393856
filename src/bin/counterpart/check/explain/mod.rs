//! A page for each kind of fault.

use clap::ValueEnum;

/// What can be explained: the kinds of faults, and bounds on memory.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Page {
    Peer,
    Batch,
    Mismatch,
    Unmatched,
    Deadlock,
    Dataflow,
    Coverage,
    Memory,
}

impl Page {
    /// The page.
    pub fn text(self) -> &'static str {
        match self {
            Page::Peer => include_str!("peer.txt"),
            Page::Batch => include_str!("batch.txt"),
            Page::Mismatch => include_str!("mismatch.txt"),
            Page::Unmatched => include_str!("unmatched.txt"),
            Page::Deadlock => include_str!("deadlock.txt"),
            Page::Dataflow => include_str!("dataflow.txt"),
            Page::Coverage => include_str!("coverage.txt"),
            Page::Memory => include_str!("memory.txt"),
        }
    }
}
