//! The steps of a program, each as its call.

use frunk::{HCons, HNil};

use super::batch::Gather;
use super::compute::{Lend, Perform};
use super::pool::PoolUse;
use crate::backend::Backend;
use crate::error::Error;
use crate::session::{
    Batch, Block, Compute, Count, Indices, Loops, Overlap, Peer, Recv, Repeat, Send, Session,
};

/// What a run works on.
pub struct Run<'a, B: Backend> {
    pub(super) backend: &'a mut B,
    /// The buffers of the pool. One is empty only while a step has it.
    pub(super) buffers: &'a mut [Option<B::Buffer>],
}

/// Where a run is.
#[derive(Clone, Copy)]
pub struct At<'a> {
    /// The buffer of every use from here to the end of the innermost list of steps.
    pub(super) uses: &'a [PoolUse],
    /// The number of the next step.
    pub(super) step: u32,
    pub(super) loops: Loops,
}

/// How long a program is, the turns of its loops counted.
#[derive(Clone, Copy)]
pub struct Length {
    pub(super) uses: usize,
    pub(super) steps: u32,
}

impl Length {
    /// One step with so many uses.
    const fn step(uses: usize) -> Length {
        Length { uses, steps: 1 }
    }

    /// This, then `next`.
    const fn then(self, next: Length) -> Length {
        Length { uses: self.uses + next.uses, steps: self.steps + next.steps }
    }

    const fn times(self, turns: u32) -> Length {
        Length { uses: self.uses * turns as usize, steps: self.steps * turns }
    }
}

impl<'a> At<'a> {
    /// The place after something so long.
    #[inline]
    fn after(self, length: Length) -> At<'a> {
        At { uses: &self.uses[length.uses..], step: self.step + length.steps, loops: self.loops }
    }

    /// The place where something so long begins, with these counters. Its uses end with it: a slice of a length that
    /// is known at compile time needs no checks of its bounds later on.
    #[inline]
    fn within(self, length: Length, loops: Loops) -> At<'a> {
        At { uses: &self.uses[..length.uses], step: self.step, loops }
    }
}

/// The error when a buffer is not in the pool.
#[cold]
pub(super) fn lost() -> Error {
    Error::Usage("a buffer of this rank went down with an earlier failure: make a new driver".into())
}

/// A program that runs on backend `B` with the compute steps of `C`.
pub trait Drive<B: Backend, C: ?Sized> {
    /// How long it is.
    const LENGTH: Length;

    /// Runs the program from this place on.
    ///
    /// # Errors
    /// When a compute step fails, a deadline passes, or another rank fails or leaves.
    fn drive(run: &mut Run<'_, B>, compute: &mut C, at: At<'_>) -> Result<(), Error>;
}

impl<B: Backend, C: ?Sized> Drive<B, C> for HNil {
    const LENGTH: Length = Length { uses: 0, steps: 0 };

    #[inline]
    fn drive(_: &mut Run<'_, B>, _: &mut C, _: At<'_>) -> Result<(), Error> {
        Ok(())
    }
}

impl<B: Backend, C: ?Sized, P: Peer, V, R: Drive<B, C>> Drive<B, C> for HCons<Send<P, V>, R> {
    const LENGTH: Length = Length::step(1).then(R::LENGTH);

    #[inline]
    fn drive(run: &mut Run<'_, B>, compute: &mut C, at: At<'_>) -> Result<(), Error> {
        let (place, to) = (at.uses[0], P::RANK as usize);
        let buffer = run.buffers[place.buffer()].as_mut().ok_or_else(lost)?;
        if place.is_last {
            run.backend.send_last(at.step, to, buffer)?;
        } else {
            run.backend.send(at.step, to, buffer)?;
        }
        R::drive(run, compute, at.after(Length::step(1)))
    }
}

impl<B: Backend, C: ?Sized, P: Peer, V, R: Drive<B, C>> Drive<B, C> for HCons<Recv<P, V>, R> {
    const LENGTH: Length = Length::step(1).then(R::LENGTH);

    #[inline]
    fn drive(run: &mut Run<'_, B>, compute: &mut C, at: At<'_>) -> Result<(), Error> {
        let buffer = run.buffers[at.uses[0].buffer()].as_mut().ok_or_else(lost)?;
        run.backend.recv(at.step, P::RANK as usize, buffer)?;
        R::drive(run, compute, at.after(Length::step(1)))
    }
}

impl<B: Backend, C: ?Sized, I: Gather<B>, R: Drive<B, C>> Drive<B, C> for HCons<Batch<I>, R> {
    const LENGTH: Length = Length::step(I::USES).then(R::LENGTH);

    #[inline]
    fn drive(run: &mut Run<'_, B>, compute: &mut C, at: At<'_>) -> Result<(), Error> {
        I::batch(run, at.uses, at.step)?;
        R::drive(run, compute, at.after(Length::step(I::USES)))
    }
}

impl<B, C, T, I, U, R> Drive<B, C> for HCons<Compute<T, I, U>, R>
where
    B: Backend,
    C: ?Sized,
    T: Perform<B, C>,
    I: Indices,
    U: for<'u> Lend<'u, B, T::Buffers<'u>>,
    R: Drive<B, C>,
{
    const LENGTH: Length = Length::step(U::USES).then(R::LENGTH);

    #[inline]
    fn drive(run: &mut Run<'_, B>, compute: &mut C, at: At<'_>) -> Result<(), Error> {
        run.backend.compute(at.step);
        perform::<B, C, T, I, U>(run, compute, at)?;
        R::drive(run, compute, at.after(Length::step(U::USES)))
    }
}

/// Runs one compute step, or one of several that overlap.
#[inline]
fn perform<B, C, T, I, U>(run: &mut Run<'_, B>, compute: &mut C, at: At<'_>) -> Result<(), Error>
where
    B: Backend,
    C: ?Sized,
    T: Perform<B, C>,
    I: Indices,
    U: for<'u> Lend<'u, B, T::Buffers<'u>>,
{
    let mut taken = U::take(run.buffers, at.uses)?;
    let done = match U::lend(run.buffers, at.uses, &mut taken) {
        Ok(buffers) => T::perform(compute, I::at(at.loops), buffers).map_err(|source| Error::Compute {
            rank: run.backend.rank(),
            step: at.step,
            source,
        }),
        Err(lost) => Err(lost),
    };
    U::put_back(run.buffers, at.uses, taken);
    done
}

/// Compute steps that overlap.
pub trait DriveParts<B: Backend, C: ?Sized> {
    /// How many of their uses have a buffer.
    const USES: usize;

    /// Runs them in their order.
    ///
    /// # Errors
    /// When one of them fails.
    fn drive(run: &mut Run<'_, B>, compute: &mut C, at: At<'_>) -> Result<(), Error>;
}

impl<B: Backend, C: ?Sized> DriveParts<B, C> for HNil {
    const USES: usize = 0;

    #[inline]
    fn drive(_: &mut Run<'_, B>, _: &mut C, _: At<'_>) -> Result<(), Error> {
        Ok(())
    }
}

impl<B, C, T, I, U, N> DriveParts<B, C> for HCons<Compute<T, I, U>, N>
where
    B: Backend,
    C: ?Sized,
    T: Perform<B, C>,
    I: Indices,
    U: for<'u> Lend<'u, B, T::Buffers<'u>>,
    N: DriveParts<B, C>,
{
    const USES: usize = U::USES + N::USES;

    #[inline]
    fn drive(run: &mut Run<'_, B>, compute: &mut C, at: At<'_>) -> Result<(), Error> {
        perform::<B, C, T, I, U>(run, compute, at)?;
        N::drive(run, compute, At { uses: &at.uses[U::USES..], ..at })
    }
}

impl<B: Backend, C: ?Sized, L: DriveParts<B, C>, R: Drive<B, C>> Drive<B, C> for HCons<Overlap<L>, R> {
    const LENGTH: Length = Length::step(L::USES).then(R::LENGTH);

    #[inline]
    fn drive(run: &mut Run<'_, B>, compute: &mut C, at: At<'_>) -> Result<(), Error> {
        run.backend.compute(at.step);
        L::drive(run, compute, at)?;
        R::drive(run, compute, at.after(Length::step(L::USES)))
    }
}

impl<B, C, N, L, R> Drive<B, C> for HCons<Repeat<N, L>, R>
where
    B: Backend,
    C: ?Sized,
    N: Count,
    L: Session + Drive<B, C>,
    R: Drive<B, C>,
{
    const LENGTH: Length = L::LENGTH.times(N::COUNT).then(R::LENGTH);

    #[inline]
    fn drive(run: &mut Run<'_, B>, compute: &mut C, at: At<'_>) -> Result<(), Error> {
        let all = L::LENGTH.times(N::COUNT);
        let mut here = at.within(all, at.loops);
        for turn in 0..N::COUNT as usize {
            let loops = [turn, at.loops[0], at.loops[1], at.loops[2]];
            L::drive(run, compute, here.within(L::LENGTH, loops))?;
            here = here.after(L::LENGTH);
        }
        R::drive(run, compute, at.after(all))
    }
}

impl<B, C, L, R> Drive<B, C> for HCons<Block<L>, R>
where
    B: Backend,
    C: ?Sized,
    L: Session + Drive<B, C>,
    R: Drive<B, C>,
{
    const LENGTH: Length = L::LENGTH.then(R::LENGTH);

    #[inline]
    fn drive(run: &mut Run<'_, B>, compute: &mut C, at: At<'_>) -> Result<(), Error> {
        L::drive(run, compute, at.within(L::LENGTH, at.loops))?;
        R::drive(run, compute, at.after(L::LENGTH))
    }
}
