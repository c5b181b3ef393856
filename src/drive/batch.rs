//! Batches: their buffers lie in the transfers for the time of the step.

use frunk::{HCons, HNil};

use super::pool::PoolUse;
use super::program::{Run, lost};
use crate::backend::{Backend, Transfer, TransferKind};
use crate::error::Error;
use crate::session::{HList, Item};

/// The items of a batch, as transfers. Up to eight of them lie on the stack.
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
    Self: Collect<B>,
{
    const USES: usize = <Self as Collect<B>>::ITEMS;

    fn batch(run: &mut Run<'_, B>, uses: &[PoolUse], step: u32) -> Result<(), Error> {
        let mut transfers = Vec::with_capacity(Self::USES);
        Self::collect(run, uses, &mut transfers)?;
        let done = run.backend.batch(step, &mut transfers);
        uses.iter().zip(transfers).for_each(|(place, transfer)| run.put_back(*place, transfer));
        done
    }
}

/// Any number of items, as transfers in a vector.
pub trait Collect<B: Backend> {
    /// How many there are.
    const ITEMS: usize;

    /// Takes their buffers out of the pool.
    ///
    /// # Errors
    /// When the pool lost a buffer in an earlier failure.
    fn collect(
        run: &mut Run<'_, B>,
        uses: &[PoolUse],
        transfers: &mut Vec<Transfer<B::Buffer>>,
    ) -> Result<(), Error>;
}

impl<B: Backend> Collect<B> for HNil {
    const ITEMS: usize = 0;

    fn collect(_: &mut Run<'_, B>, _: &[PoolUse], _: &mut Vec<Transfer<B::Buffer>>) -> Result<(), Error> {
        Ok(())
    }
}

impl<B: Backend, I: Item, T: Collect<B>> Collect<B> for HCons<I, T> {
    const ITEMS: usize = 1 + T::ITEMS;

    fn collect(
        run: &mut Run<'_, B>,
        uses: &[PoolUse],
        transfers: &mut Vec<Transfer<B::Buffer>>,
    ) -> Result<(), Error> {
        let buffer = run.take(uses[0])?;
        transfers.push(Transfer { kind: kind::<I>(uses[0]), peer: I::COMM.peer as usize, buffer });
        T::collect(run, &uses[1..], transfers)
    }
}
