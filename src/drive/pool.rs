//! The buffers of a rank, and which of them each step uses.

use counterpart_core::Plan;

use crate::backend::{Backend, Transfer};
use crate::error::Error;
use crate::schedule::{Proof, Schedule};

/// How many buffers one rank needs at its peak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peak {
    /// Each message family with the number of its values that are live at once.
    pub buffers: &'static [(&'static str, usize)],
    /// Bytes of all of them together.
    pub bytes: u64,
}

/// The buffers of one rank. The program of a rank is a fixed sequence of uses, so which buffer each of them means is
/// a list that the driver reads from front to back.
pub(super) struct Pool<B: Backend> {
    /// Empty only while a step has the buffer.
    pub(super) buffers: Vec<Option<B::Buffer>>,
    /// For every use in program order: the buffer, and whether it is the last use of the value.
    pub(super) uses: Vec<PoolUse>,
    /// Room for the transfers of one batch.
    pub(super) transfers: Vec<Transfer<B::Buffer>>,
}

/// A buffer, doubled, plus one for the last use of a value.
#[derive(Clone, Copy)]
pub(super) struct PoolUse(u32);

impl PoolUse {
    #[inline]
    pub(super) fn buffer(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub(super) fn is_last(self) -> bool {
        self.0 & 1 == 1
    }
}

impl<B: Backend> Pool<B> {
    pub(super) fn new<S: Schedule>(proof: Proof<S>, backend: &mut B) -> Result<Self, Error> {
        let rank = backend.rank();
        let plan = proof.plan();
        if plan.ranks() != backend.size() || rank >= plan.ranks() {
            return Err(Error::Usage(format!(
                "schedule `{}` is for {} ranks, but rank {rank} is one of {}: start as many ranks as the schedule has",
                S::NAME,
                plan.ranks(),
                backend.size()
            )));
        }
        let live = plan.live(rank);
        stated::<S>(&plan, rank)?;
        let buffers = live.buffers.iter().map(|&(_, payload)| backend.alloc(payload).map(Some));
        Ok(Pool {
            buffers: buffers.collect::<Result<_, _>>()?,
            uses: live.uses.iter().map(|u| PoolUse(u.buffer << 1 | u32::from(u.last))).collect(),
            transfers: Vec::new(),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.buffers.len()
    }
}

/// The peak that a schedule states must be that of its session types.
fn stated<S: Schedule>(plan: &Plan, rank: usize) -> Result<(), Error> {
    let Some(peak) = S::PEAK.get(rank) else { return Ok(()) };
    let live = plan.live(rank);
    let names = plan.names();
    let found: Vec<(&str, usize)> =
        live.peaks().into_iter().map(|(family, n)| (names[family as usize].text, n)).collect();
    let mut stated: Vec<(&str, usize)> = peak.buffers.iter().copied().filter(|&(_, n)| n > 0).collect();
    let mut sorted = found.clone();
    stated.sort_unstable();
    sorted.sort_unstable();
    if stated == sorted {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "schedule `{}` states a peak of {stated:?} for rank {rank}, but its session types need {sorted:?}",
        S::NAME
    )))
}
