//! Batches: their buffers lie in the transfers for the time of the step.

use counterpart_core::node::Comm;
use frunk::{HCons, HNil};

use super::pool::PoolUse;
use super::program::{Run, lost};
use crate::backend::{Backend, Transfer, TransferKind};
use crate::error::Error;
use crate::session::{HList, Item};

/// The items of a batch, as transfers. Up to eight of them lie on the stack, unless a value may be among them twice.
pub trait Gather<B: Backend> {
    /// How many there are.
    const USES: usize;

    /// Runs them as step number `step`.
    ///
    /// # Errors
    /// As [`Backend::batch`], and when the pool lost a buffer in an earlier failure.
    fn batch(run: &mut Run<'_, B>, uses: &[PoolUse], step: u32) -> Result<(), Error>;
}

impl<B: Backend> Run<'_, B> {
    /// Takes a buffer out of the pool.
    #[inline]
    fn take(&mut self, place: PoolUse) -> Result<B::Buffer, Error> {
        self.buffers[place.buffer()].take().ok_or_else(lost)
    }

    /// Puts the buffer of a transfer back.
    #[inline]
    fn put_back(&mut self, place: PoolUse, transfer: Transfer<B::Buffer>) {
        self.buffers[place.buffer()] = Some(transfer.buffer);
    }
}

/// What an item does with its buffer.
#[inline]
fn kind<I: Item>(place: PoolUse) -> TransferKind {
    match (const { I::COMM.send }, place.is_last) {
        (false, _) => TransferKind::Recv,
        (true, false) => TransferKind::Send,
        (true, true) => TransferKind::SendLast,
    }
}

impl<B: Backend> Gather<B> for HNil {
    const USES: usize = 0;

    fn batch(run: &mut Run<'_, B>, _: &[PoolUse], step: u32) -> Result<(), Error> {
        run.backend.batch(step, &mut [])
    }
}

macro_rules! on_the_stack {
    ($([$($item:ident $at:literal),*])*) => {$(
        impl<B: Backend, $($item: Item),*> Gather<B> for HList![$($item),*] {
            const USES: usize = <[usize]>::len(&[$($at),*]);

            #[inline]
            #[allow(non_snake_case)]
            fn batch(run: &mut Run<'_, B>, uses: &[PoolUse], step: u32) -> Result<(), Error> {
                if const { may_repeat(&[$(&$item::COMM),*]) } {
                    return run.gathered(&[$(end::<$item>()),*], uses, step);
                }
                $(let $item = run.take(uses[$at])?;)*
                let mut transfers = [$(Transfer {
                    kind: kind::<$item>(uses[$at]),
                    peer: const { $item::COMM.peer as usize },
                    buffer: $item,
                }),*];
                let done = run.backend.batch(step, &mut transfers);
                let [$($item),*] = transfers;
                $(run.put_back(uses[$at], $item);)*
                done
            }
        }
    )*};
}

on_the_stack! {
    [I0 0]
    [I0 0, I1 1]
    [I0 0, I1 1, I2 2]
    [I0 0, I1 1, I2 2, I3 3]
    [I0 0, I1 1, I2 2, I3 3, I4 4]
    [I0 0, I1 1, I2 2, I3 3, I4 4, I5 5]
    [I0 0, I1 1, I2 2, I3 3, I4 4, I5 5, I6 6]
    [I0 0, I1 1, I2 2, I3 3, I4 4, I5 5, I6 6, I7 7]
}

impl<B, I0, I1, I2, I3, I4, I5, I6, I7, I8, More> Gather<B> for HList![I0, I1, I2, I3, I4, I5, I6, I7, I8, ...More]
where
    B: Backend,
    Self: Collect,
{
    const USES: usize = <Self as Collect>::ITEMS;

    fn batch(run: &mut Run<'_, B>, uses: &[PoolUse], step: u32) -> Result<(), Error> {
        let mut ends = Vec::with_capacity(<Self as Collect>::ITEMS);
        Self::collect(&mut ends);
        run.gathered(&ends, uses, step)
    }
}

/// The kind of an item, and the rank at its other end.
pub(super) type End = (bool, usize);

const fn end<I: Item>() -> End {
    (I::COMM.send, I::COMM.peer as usize)
}

/// Any number of items, as a list.
pub trait Collect {
    /// How many there are.
    const ITEMS: usize;

    /// Lists them.
    fn collect(ends: &mut Vec<End>);
}

impl Collect for HNil {
    const ITEMS: usize = 0;

    fn collect(_: &mut Vec<End>) {}
}

impl<I: Item, T: Collect> Collect for HCons<I, T> {
    const ITEMS: usize = 1 + T::ITEMS;

    fn collect(ends: &mut Vec<End>) {
        ends.push(end::<I>());
        T::collect(ends);
    }
}

/// Could the batch send one value twice? Two of a family may be one at some turn of a loop.
const fn may_repeat(items: &[&Comm]) -> bool {
    let mut i = 0;
    while i < items.len() {
        let mut j = 0;
        while j < i {
            let (a, b) = (items[i], items[j]);
            if a.send && b.send && same(a.label.name.as_bytes(), b.label.name.as_bytes()) {
                return true;
            }
            j += 1;
        }
        i += 1;
    }
    false
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

impl<B: Backend> Run<'_, B> {
    /// Runs a batch of any length, in which a value may be sent several times.
    pub(super) fn gathered(&mut self, ends: &[End], uses: &[PoolUse], step: u32) -> Result<(), Error> {
        let mut transfers = Vec::with_capacity(ends.len());
        let done = match self.gather(ends, uses, step, &mut transfers) {
            Ok(()) => self.backend.batch(step, &mut transfers),
            Err(error) => Err(error),
        };
        for (at, transfer) in transfers.into_iter().enumerate() {
            if first_use(uses, at) == at {
                self.put_back(uses[at], transfer);
            }
        }
        done
    }

    fn gather(
        &mut self,
        ends: &[End],
        uses: &[PoolUse],
        step: u32,
        transfers: &mut Vec<Transfer<B::Buffer>>,
    ) -> Result<(), Error> {
        for (at, &(send, peer)) in ends.iter().enumerate() {
            let first = first_use(uses, at);
            let buffer = match first == at {
                true => self.take(uses[at])?,
                false if send && ends[first].0 => self.backend.share(&transfers[first].buffer)?,
                false => return Err(received_too(self.backend.rank(), step)),
            };
            let kind = match (send, uses[at].is_last && first == at) {
                (false, _) => TransferKind::Recv,
                (true, false) => TransferKind::Send,
                (true, true) => TransferKind::SendLast,
            };
            transfers.push(Transfer { kind, peer, buffer });
        }
        Ok(())
    }
}

/// The first item of the batch that has the same buffer as item `at`.
fn first_use(uses: &[PoolUse], at: usize) -> usize {
    uses[..at].iter().position(|place| place.buffer() == uses[at].buffer()).unwrap_or(at)
}

#[cold]
fn received_too(rank: usize, step: u32) -> Error {
    Error::Usage(format!("rank {rank}, step {step}: the batch receives a value that it has a second time"))
}
