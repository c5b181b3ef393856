//! The buffers of a rank, and which of them each step uses.

use counterpart_core::Plan;
use counterpart_core::live::Live;

use crate::backend::Backend;
use crate::error::Error;
use crate::session::Family;

/// How many buffers one rank needs at its peak: for each message family the number of its values that are live at
/// once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peak {
    /// The families that the rank has values of.
    pub buffers: &'static [FamilyPeak],
}

/// The number of buffers that a rank needs for one message family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FamilyPeak {
    /// The name of the family.
    pub family: &'static str,
    /// How many of its values are live at once.
    pub count: usize,
    /// Bytes of one of them.
    pub bytes: u64,
}

impl FamilyPeak {
    /// So many buffers for a family.
    pub const fn of<F: Family>(count: usize) -> FamilyPeak {
        FamilyPeak { family: F::NAME, count, bytes: F::PAYLOAD.bytes() }
    }
}

impl Peak {
    /// Buffers of one family; 0 where the rank has no value of it.
    pub fn count<F: Family>(&self) -> usize {
        self.buffers.iter().find(|b| b.family == F::NAME).map_or(0, |b| b.count)
    }

    /// Bytes of all buffers together.
    pub fn bytes(&self) -> u64 {
        self.buffers.iter().map(|b| b.count as u64 * b.bytes).sum()
    }
}

/// The buffers of one rank. The program of a rank is a fixed sequence of uses, so which buffer each of them means is
/// a list that the driver reads from front to back.
pub(super) struct Pool<B: Backend> {
    /// Empty only while a step has the buffer.
    pub(super) buffers: Vec<Option<B::Buffer>>,
    /// For every use in program order: the buffer, and whether it is the last use of the value.
    pub(super) uses: Vec<PoolUse>,
    /// Whose they are: the number of the rank, and of all ranks.
    rank: (usize, usize),
}

/// One use of a buffer.
#[derive(Clone, Copy)]
pub struct PoolUse {
    buffer: u32,
    /// Is it the last use of the value?
    pub(super) is_last: bool,
}

impl PoolUse {
    /// A use of the buffer at this place.
    pub(super) fn new(buffer: u32, is_last: bool) -> PoolUse {
        PoolUse { buffer, is_last }
    }

    /// The place of the buffer in the pool.
    #[inline]
    pub(super) fn buffer(self) -> usize {
        self.buffer as usize
    }
}

impl<B: Backend> Pool<B> {
    /// The pool of this rank, for a schedule that states these peaks. Not generic in the schedule, so that it is
    /// compiled once for all of them.
    pub(super) fn new(plan: &Plan, peaks: &[Peak], backend: &mut B) -> Result<Self, Error> {
        let (rank, size) = place(plan, "schedule", backend)?;
        let live = plan.live(rank);
        stated(plan, peaks, &live, rank)?;
        let buffers = live.buffers.iter().map(|&(_, payload)| backend.alloc(payload).map(Some));
        Ok(Pool {
            buffers: buffers.collect::<Result<_, _>>()?,
            uses: live.uses.iter().map(|u| PoolUse::new(u.buffer, u.last)).collect(),
            rank: (rank, size),
        })
    }

    /// These buffers are for the programs of one rank only.
    #[inline]
    pub(super) fn is_for(&self, backend: &B) -> Result<(), Error> {
        is_for(self.rank, backend)
    }

    pub(super) fn len(&self) -> usize {
        self.buffers.len()
    }
}

/// The number of this rank and of all ranks, where a plan can run on them; `what` the plan is of, for the error.
pub(super) fn place<B: Backend>(plan: &Plan, what: &str, backend: &B) -> Result<(usize, usize), Error> {
    let (rank, size) = (backend.rank(), backend.size());
    if plan.ranks() == size && rank < size {
        return Ok((rank, size));
    }
    Err(Error::Usage(format!(
        "{what} `{}` is for {} ranks, but rank {rank} is one of {size}: start as many ranks as the {what} has",
        plan.name,
        plan.ranks(),
    )))
}

/// Does what was made for a rank run on that rank?
#[inline]
pub(super) fn is_for<B: Backend>(made_for: (usize, usize), backend: &B) -> Result<(), Error> {
    let here = (backend.rank(), backend.size());
    if here == made_for { Ok(()) } else { Err(elsewhere(made_for, here)) }
}

#[cold]
fn elsewhere((rank, of): (usize, usize), here: (usize, usize)) -> Error {
    Error::Usage(format!(
        "this driver was made for rank {rank} of {of}, but runs on rank {} of {}: make one for each rank",
        here.0, here.1
    ))
}

/// The peak that a schedule states must be that of its session types.
fn stated(plan: &Plan, peaks: &[Peak], live: &Live, rank: usize) -> Result<(), Error> {
    let Some(peak) = peaks.get(rank) else { return Ok(()) };
    let names = plan.names();
    let mut found: Vec<(&str, usize)> =
        live.peaks().into_iter().map(|(family, n)| (names[family as usize].text, n)).collect();
    let mut stated: Vec<(&str, usize)> = peak.buffers.iter().map(|b| (b.family, b.count)).collect();
    stated.sort_unstable();
    found.sort_unstable();
    if stated == found {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "schedule `{}` states a peak of {stated:?} for rank {rank}, but its session types need {found:?}",
        plan.name
    )))
}
