//! What the verifier has found, in a form that const evaluation can build.

use crate::fault::FaultKind;
use crate::tape::NONE;

/// Findings of one kind that are kept. Every further one is only counted: nobody reads the twentieth before the first
/// is mended. Each kind has room of its own, so that a plan never loses the last word on what is wrong with it.
const KEPT_PER_KIND: usize = 16;
const KINDS: usize = FaultKind::ALL.len();
/// Findings that are kept in all.
pub(crate) const KEPT: usize = KEPT_PER_KIND * KINDS;
/// Waits of a cycle that are kept: the first, and the last.
pub(crate) const CYCLE: usize = 256;

/// What exactly is wrong; [`FaultKind`] groups these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    PeerOutside,
    PeerSelf,
    TwoBlocks,
    Unbalanced,
    SendWithoutRecv,
    RecvWithoutSend,
    OtherValue,
    OtherPayload,
    Cycle,
    SentTooSoon,
    ReadTooSoon,
    WrittenTwice,
    ReceivedTwice,
    Unused,
    AfterMissing,
    Missing,
    Repeated,
    OutsideDomain,
}

impl Detail {
    pub(crate) const fn kind(self) -> FaultKind {
        use Detail::{
            AfterMissing, Cycle, Missing, OtherPayload, OtherValue, OutsideDomain, PeerOutside, PeerSelf,
            ReadTooSoon, ReceivedTwice, RecvWithoutSend, Repeated, SendWithoutRecv, SentTooSoon, TwoBlocks,
            Unbalanced, Unused, WrittenTwice,
        };
        match self {
            PeerOutside | PeerSelf => FaultKind::Peer,
            TwoBlocks | Unbalanced => FaultKind::Batch,
            SendWithoutRecv | RecvWithoutSend => FaultKind::Unmatched,
            OtherValue | OtherPayload => FaultKind::Mismatch,
            Cycle => FaultKind::Deadlock,
            SentTooSoon | ReadTooSoon | WrittenTwice | ReceivedTwice | Unused | AfterMissing => {
                FaultKind::Dataflow
            }
            Missing | Repeated | OutsideDomain => FaultKind::Coverage,
        }
    }
}

/// One fault. Steps and items are places in the tape; [`NONE`] where there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finding {
    pub detail: Detail,
    pub step: u32,
    /// An item of `step`, or one of its uses where that is a compute step.
    pub item: u32,
    pub other_step: u32,
    pub other_item: u32,
    /// What goes with the detail: the third step of an unbalanced batch, the number of missing elements.
    pub number: u32,
    /// The element of a domain that does not occur, as a packed value.
    pub element: u128,
}

impl Finding {
    pub(crate) const fn new(detail: Detail, step: u32, item: u32) -> Finding {
        Finding { detail, step, item, other_step: NONE, other_item: NONE, number: 0, element: 0 }
    }

    pub(crate) const fn against(self, other_step: u32, other_item: u32) -> Finding {
        Finding { other_step, other_item, ..self }
    }
}

/// One wait of a deadlock: `step` waits for `on`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hop {
    pub step: u32,
    /// The item whose partner is not there yet; [`NONE`] for a wait inside one rank.
    pub item: u32,
    pub on: u32,
}

/// The first faults of each kind, and the cycle of waits.
pub(crate) struct Findings {
    pub list: [Finding; KEPT],
    pub len: usize,
    /// How many faults of each kind there are, kept or not.
    counts: [usize; KINDS],
    /// Faults that are not kept.
    pub lost: usize,
    pub cycle: [Hop; CYCLE],
    pub cycle_len: usize,
    /// Waits of the cycle that are not kept.
    pub cycle_lost: usize,
}

impl Findings {
    pub(crate) const fn new() -> Findings {
        Findings {
            list: [Finding::new(Detail::Cycle, NONE, NONE); KEPT],
            len: 0,
            counts: [0; KINDS],
            lost: 0,
            cycle: [Hop { step: NONE, item: NONE, on: NONE }; CYCLE],
            cycle_len: 0,
            cycle_lost: 0,
        }
    }

    pub(crate) const fn push(&mut self, finding: Finding) {
        if self.has_room(finding.detail.kind()) {
            self.list[self.len] = finding;
            self.len += 1;
        } else {
            self.lost += 1;
        }
        self.counts[finding.detail.kind() as usize] += 1;
    }

    /// Would the next finding of this kind be kept?
    pub(crate) const fn has_room(&self, kind: FaultKind) -> bool {
        self.counts[kind as usize] < KEPT_PER_KIND
    }

    pub(crate) const fn hop(&mut self, hop: Hop) {
        if self.cycle_len < CYCLE {
            self.cycle[self.cycle_len] = hop;
            self.cycle_len += 1;
        } else {
            // The last one closes the cycle.
            self.cycle[CYCLE - 1] = hop;
            self.cycle_lost += 1;
        }
    }

    /// Is there a finding of this kind?
    pub(crate) const fn has(&self, kind: FaultKind) -> bool {
        self.counts[kind as usize] > 0
    }
}
