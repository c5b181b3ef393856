//! Faults: the reasons why a plan is unsafe.

use core::fmt;

use crate::model::Model;
use crate::value::Value;

/// The kind of a fault, the most helpful first: a lost step shifts its edge, and the mismatch says more than the step
/// that is left over at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// The peer is not in `0..P`, or is the rank itself.
    Peer,
    /// A batch has two blocks in one direction for one peer, or does not balance with its peers' batches.
    Batch,
    /// The k-th send of an edge and the k-th receive differ in value, element type or count.
    Mismatch,
    /// A send nobody receives, or a receive nobody sends.
    Unmatched,
    /// A cycle of waits.
    Deadlock,
    /// A value is sent before it is there, read before it has arrived, written twice, or received and never used.
    Dataflow,
    /// A compute step declared over a domain does not occur exactly once for every element.
    Coverage,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [FaultKind; 7] = [
        FaultKind::Peer,
        FaultKind::Batch,
        FaultKind::Mismatch,
        FaultKind::Unmatched,
        FaultKind::Deadlock,
        FaultKind::Dataflow,
        FaultKind::Coverage,
    ];

    /// The word for this kind in reports.
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::Peer => "peer",
            FaultKind::Batch => "batch",
            FaultKind::Unmatched => "unmatched",
            FaultKind::Mismatch => "mismatch",
            FaultKind::Deadlock => "deadlock",
            FaultKind::Dataflow => "dataflow",
            FaultKind::Coverage => "coverage",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One wait of a deadlock: step `step` of rank `rank` waits for step `on_step` of rank `on_rank`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Wait {
    /// The rank that waits.
    pub rank: usize,
    /// Its step.
    pub step: usize,
    /// The item of the step whose partner is not there yet; `None` for a wait inside the rank.
    pub item: Option<usize>,
    /// The rank waited for.
    pub on_rank: usize,
    /// Its step.
    pub on_step: usize,
    /// The wait in words.
    pub message: String,
}

/// One reason why a plan is unsafe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of fault it is.
    pub kind: FaultKind,
    /// The rank where it shows; `None` only for an element of a domain that occurs nowhere.
    pub rank: Option<usize>,
    /// The step of that rank.
    pub step: Option<usize>,
    /// The item of that step, where it is a batch.
    pub item: Option<usize>,
    /// The rank at the other end, where the fault has one.
    pub peer_rank: Option<usize>,
    /// The step at the other end.
    pub peer_step: Option<usize>,
    /// The item at the other end, where that step is a batch.
    pub peer_item: Option<usize>,
    /// What is wrong, both ends named; lower case, no full stop.
    pub message: String,
    /// What would mend it, where that is clear.
    pub help: Option<String>,
    /// The compute step that is declared and occurs nowhere, of a coverage fault without a rank.
    pub element: Option<Value>,
    /// The cycle of a deadlock, wait by wait; empty for other kinds. Of more than 256 waits the first 255 and the last.
    pub waits: Vec<Wait>,
}

impl Fault {
    /// A fault without places, help or waits.
    pub fn new(kind: FaultKind, message: String) -> Fault {
        Fault {
            kind,
            rank: None,
            step: None,
            item: None,
            peer_rank: None,
            peer_step: None,
            peer_item: None,
            message,
            help: None,
            element: None,
            waits: Vec::new(),
        }
    }
}

impl fmt::Display for Fault {
    /// `kind: message`, then `help: …` on a line of its own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)?;
        match &self.help {
            Some(help) => write!(f, "\nhelp: {help}"),
            None => Ok(()),
        }
    }
}

/// What the verifier says of a plan under a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Verdict {
    /// The model it was judged under.
    pub model: Model,
    /// The faults, the most helpful first; empty for a safe plan.
    pub faults: Vec<Fault>,
    /// How many further faults were counted but not kept.
    pub more: usize,
}

impl Verdict {
    /// Is the plan safe under this model?
    pub fn is_safe(&self) -> bool {
        self.faults.is_empty()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_safe() {
            return write!(f, "safe under {}", self.model);
        }
        write!(f, "unsafe under {}", self.model)?;
        for fault in &self.faults {
            write!(f, "\n{fault}")?;
        }
        if self.more > 0 {
            write!(f, "\nand {} more", self.more)?;
        }
        Ok(())
    }
}
