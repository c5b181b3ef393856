//! Compute steps: their buffers are lent for the time of the step.

use frunk::{HCons, HNil};

use super::StepResult;
use super::pool::PoolUse;
use super::program::lost;
use super::tensors::{Read, Write};
use crate::backend::Backend;
use crate::error::Error;
use crate::session::{Absent, After, Message, Reads, Task, Writes};

/// Compute type `C` performs compute steps of this kind on backend `B`.
///
/// `schedule!` implements this for each kind of compute step, calling the method of the same name of the trait that
/// the user implements. By hand it is implemented for the type that [`task!`](crate::task) declares.
#[diagnostic::on_unimplemented(
    message = "`{C}` does not perform compute step `{Self}`",
    label = "implement the compute trait of the schedule for `{C}`"
)]
pub trait Perform<B: Backend, C: ?Sized>: Task {
    /// An `HList` with a [`Place`] of a [`Read`] or [`Write`] for each that the step declares, in order.
    type Buffers<'u>;

    /// Performs the step with these indices.
    ///
    /// # Errors
    /// Whatever the user's method fails with.
    fn perform(compute: &mut C, at: [usize; 4], buffers: Self::Buffers<'_>) -> StepResult;
}

/// What a compute step reads or writes; empty where it does not have that use.
pub type Place<T> = Option<T>;

/// The uses of a compute step. What it writes leaves the pool for the time of the step, so that it can be written
/// while other buffers are read.
pub trait Take<B: Backend> {
    /// How many of them have a buffer.
    const USES: usize;

    /// An `HList` of the buffers that are written.
    type Taken;

    /// Takes the buffers that are written out of the pool.
    ///
    /// # Errors
    /// When the pool lost a buffer in an earlier failure.
    fn take(buffers: &mut [Option<B::Buffer>], uses: &[PoolUse]) -> Result<Self::Taken, Error>;

    /// Puts them back.
    fn put_back(buffers: &mut [Option<B::Buffer>], uses: &[PoolUse], taken: Self::Taken);
}

/// The uses of a compute step, as the `HList` of [`Perform::Buffers`].
#[diagnostic::on_unimplemented(
    message = "the uses of this compute step are not those that it declares",
    label = "`{Self}` does not give `{Lent}`"
)]
pub trait Lend<'u, B: Backend, Lent>: Take<B> {
    /// Borrows the buffers.
    ///
    /// # Errors
    /// When the pool lost a buffer in an earlier failure.
    fn lend(
        buffers: &'u [Option<B::Buffer>],
        uses: &[PoolUse],
        taken: &'u mut Self::Taken,
    ) -> Result<Lent, Error>;
}

impl<B: Backend> Take<B> for HNil {
    const USES: usize = 0;

    type Taken = HNil;

    #[inline]
    fn take(_: &mut [Option<B::Buffer>], _: &[PoolUse]) -> Result<HNil, Error> {
        Ok(HNil)
    }

    #[inline]
    fn put_back(_: &mut [Option<B::Buffer>], _: &[PoolUse], _: HNil) {}
}

impl<'u, B: Backend> Lend<'u, B, HNil> for HNil {
    #[inline]
    fn lend(_: &'u [Option<B::Buffer>], _: &[PoolUse], _: &'u mut HNil) -> Result<HNil, Error> {
        Ok(HNil)
    }
}

impl<B: Backend, V, T: Take<B>> Take<B> for HCons<Reads<V>, T> {
    const USES: usize = 1 + T::USES;

    type Taken = T::Taken;

    #[inline]
    fn take(buffers: &mut [Option<B::Buffer>], uses: &[PoolUse]) -> Result<T::Taken, Error> {
        T::take(buffers, &uses[1..])
    }

    #[inline]
    fn put_back(buffers: &mut [Option<B::Buffer>], uses: &[PoolUse], taken: T::Taken) {
        T::put_back(buffers, &uses[1..], taken);
    }
}

impl<'u, B, V, T, L> Lend<'u, B, HCons<Place<Read<'u, V::Family, B>>, L>> for HCons<Reads<V>, T>
where
    B: Backend,
    V: Message,
    T: Lend<'u, B, L>,
{
    #[inline]
    fn lend(
        buffers: &'u [Option<B::Buffer>],
        uses: &[PoolUse],
        taken: &'u mut T::Taken,
    ) -> Result<HCons<Place<Read<'u, V::Family, B>>, L>, Error> {
        let buffer = buffers[uses[0].buffer()].as_ref().ok_or_else(lost)?;
        Ok(HCons { head: Some(Read::new(buffer)), tail: T::lend(buffers, &uses[1..], taken)? })
    }
}

impl<B: Backend, V, T: Take<B>> Take<B> for HCons<Writes<V>, T> {
    const USES: usize = 1 + T::USES;

    type Taken = HCons<B::Buffer, T::Taken>;

    #[inline]
    fn take(buffers: &mut [Option<B::Buffer>], uses: &[PoolUse]) -> Result<Self::Taken, Error> {
        let head = buffers[uses[0].buffer()].take().ok_or_else(lost)?;
        Ok(HCons { head, tail: T::take(buffers, &uses[1..])? })
    }

    #[inline]
    fn put_back(buffers: &mut [Option<B::Buffer>], uses: &[PoolUse], taken: Self::Taken) {
        buffers[uses[0].buffer()] = Some(taken.head);
        T::put_back(buffers, &uses[1..], taken.tail);
    }
}

impl<'u, B, V, T, L> Lend<'u, B, HCons<Place<Write<'u, V::Family, B>>, L>> for HCons<Writes<V>, T>
where
    B: Backend,
    V: Message,
    T: Lend<'u, B, L>,
{
    #[inline]
    fn lend(
        buffers: &'u [Option<B::Buffer>],
        uses: &[PoolUse],
        taken: &'u mut Self::Taken,
    ) -> Result<HCons<Place<Write<'u, V::Family, B>>, L>, Error> {
        let tail = T::lend(buffers, &uses[1..], &mut taken.tail)?;
        Ok(HCons { head: Some(Write::new(&mut taken.head)), tail })
    }
}

impl<B: Backend, T: Take<B>> Take<B> for HCons<Absent, T> {
    const USES: usize = T::USES;

    type Taken = T::Taken;

    #[inline]
    fn take(buffers: &mut [Option<B::Buffer>], uses: &[PoolUse]) -> Result<T::Taken, Error> {
        T::take(buffers, uses)
    }

    #[inline]
    fn put_back(buffers: &mut [Option<B::Buffer>], uses: &[PoolUse], taken: T::Taken) {
        T::put_back(buffers, uses, taken);
    }
}

impl<'u, B: Backend, T: Lend<'u, B, L>, A, L> Lend<'u, B, HCons<Place<A>, L>> for HCons<Absent, T> {
    #[inline]
    fn lend(
        buffers: &'u [Option<B::Buffer>],
        uses: &[PoolUse],
        taken: &'u mut T::Taken,
    ) -> Result<HCons<Place<A>, L>, Error> {
        Ok(HCons { head: None, tail: T::lend(buffers, uses, taken)? })
    }
}

impl<B: Backend, A, I, T: Take<B>> Take<B> for HCons<After<A, I>, T> {
    const USES: usize = T::USES;

    type Taken = T::Taken;

    #[inline]
    fn take(buffers: &mut [Option<B::Buffer>], uses: &[PoolUse]) -> Result<T::Taken, Error> {
        T::take(buffers, uses)
    }

    #[inline]
    fn put_back(buffers: &mut [Option<B::Buffer>], uses: &[PoolUse], taken: T::Taken) {
        T::put_back(buffers, uses, taken);
    }
}

impl<'u, B: Backend, A, I, T: Lend<'u, B, L>, L> Lend<'u, B, L> for HCons<After<A, I>, T> {
    #[inline]
    fn lend(buffers: &'u [Option<B::Buffer>], uses: &[PoolUse], taken: &'u mut T::Taken) -> Result<L, Error> {
        T::lend(buffers, uses, taken)
    }
}
