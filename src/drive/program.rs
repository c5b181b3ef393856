//! The steps of a program, each as its call.

use frunk::{HCons, HNil};

use super::compute::{Perform, Take};
use super::pool::{Pool, PoolUse};
use crate::backend::{Backend, Transfer, TransferKind};
use crate::error::Error;
use crate::session::{Batch, Block, Compute, Count, Indices, Loops, Peer, Recv, Repeat, Send, Session, Task};

/// One run of the program of a rank.
pub struct Run<'a, B: Backend> {
    backend: &'a mut B,
    pool: &'a mut Pool<B>,
    /// The next use in [`Pool::uses`].
    next: usize,
    step: u32,
}

impl<'a, B: Backend> Run<'a, B> {
    pub(super) fn new(backend: &'a mut B, pool: &'a mut Pool<B>) -> Self {
        Run { backend, pool, next: 0, step: 0 }
    }

    #[inline]
    fn next_use(&mut self) -> PoolUse {
        let place = self.pool.uses[self.next];
        self.next += 1;
        place
    }

    /// Takes the buffer of the next use out of the pool.
    #[inline]
    pub(super) fn take_buffer(&mut self) -> Result<B::Buffer, Error> {
        let place = self.next_use();
        self.pool.buffers[place.buffer()].take().ok_or_else(lost)
    }

    /// Puts a buffer back to where use number `at` took it from.
    #[inline]
    pub(super) fn put_buffer(&mut self, at: usize, buffer: Option<B::Buffer>) {
        let place = self.pool.uses[at];
        self.pool.buffers[place.buffer()] = buffer;
    }

    #[inline]
    fn send(&mut self, to: usize) -> Result<(), Error> {
        let place = self.next_use();
        let buffer = self.pool.buffers[place.buffer()].as_mut().ok_or_else(lost)?;
        let step = self.step;
        self.step += 1;
        if place.is_last() {
            self.backend.send_last(step, to, buffer)
        } else {
            self.backend.send(step, to, buffer)
        }
    }

    #[inline]
    fn recv(&mut self, from: usize) -> Result<(), Error> {
        let place = self.next_use();
        let buffer = self.pool.buffers[place.buffer()].as_mut().ok_or_else(lost)?;
        let step = self.step;
        self.step += 1;
        self.backend.recv(step, from, buffer)
    }

    /// Adds a transfer to the batch that is being gathered.
    #[inline]
    fn gather(&mut self, send: bool, peer: usize) -> Result<(), Error> {
        let last = self.pool.uses[self.next].is_last();
        let buffer = self.take_buffer()?;
        let kind = match (send, last) {
            (false, _) => TransferKind::Recv,
            (true, false) => TransferKind::Send,
            (true, true) => TransferKind::SendLast,
        };
        self.pool.transfers.push(Transfer { kind, peer, buffer });
        Ok(())
    }

    #[inline]
    fn batch<I: Gather<B>>(&mut self) -> Result<(), Error> {
        let first = self.next;
        I::gather(self)?;
        let done = self.backend.batch(self.step, &mut self.pool.transfers);
        self.step += 1;
        for (at, transfer) in self.pool.transfers.drain(..).enumerate() {
            let place = self.pool.uses[first + at];
            self.pool.buffers[place.buffer()] = Some(transfer.buffer);
        }
        done
    }
}

#[cold]
fn lost() -> Error {
    Error::Usage("a buffer of this rank went down with an earlier failure: make a new driver".into())
}

/// A program that runs on backend `B` with the compute steps of `C`.
pub trait Drive<B: Backend, C: ?Sized> {
    /// Runs the program at these loop counters.
    ///
    /// # Errors
    /// When a compute step fails, a deadline passes, or another rank fails or leaves.
    fn drive(run: &mut Run<'_, B>, compute: &mut C, loops: Loops) -> Result<(), Error>;
}

impl<B: Backend, C: ?Sized> Drive<B, C> for HNil {
    #[inline]
    fn drive(_: &mut Run<'_, B>, _: &mut C, _: Loops) -> Result<(), Error> {
        Ok(())
    }
}

impl<B: Backend, C: ?Sized, P: Peer, V, R: Drive<B, C>> Drive<B, C> for HCons<Send<P, V>, R> {
    #[inline]
    fn drive(run: &mut Run<'_, B>, compute: &mut C, loops: Loops) -> Result<(), Error> {
        run.send(P::RANK as usize)?;
        R::drive(run, compute, loops)
    }
}

impl<B: Backend, C: ?Sized, P: Peer, V, R: Drive<B, C>> Drive<B, C> for HCons<Recv<P, V>, R> {
    #[inline]
    fn drive(run: &mut Run<'_, B>, compute: &mut C, loops: Loops) -> Result<(), Error> {
        run.recv(P::RANK as usize)?;
        R::drive(run, compute, loops)
    }
}

impl<B: Backend, C: ?Sized, I: Gather<B>, R: Drive<B, C>> Drive<B, C> for HCons<Batch<I>, R> {
    #[inline]
    fn drive(run: &mut Run<'_, B>, compute: &mut C, loops: Loops) -> Result<(), Error> {
        run.batch::<I>()?;
        R::drive(run, compute, loops)
    }
}

impl<B, C, T, I, U, R> Drive<B, C> for HCons<Compute<T, I, U>, R>
where
    B: Backend,
    C: ?Sized,
    T: Task + Perform<B, C, Buffers = U::Taken>,
    I: Indices,
    U: Take<B>,
    R: Drive<B, C>,
{
    #[inline]
    fn drive(run: &mut Run<'_, B>, compute: &mut C, loops: Loops) -> Result<(), Error> {
        let (first, step) = (run.next, run.step);
        run.step += 1;
        run.backend.compute(step);
        let mut taken = U::take(run)?;
        let done = T::perform(compute, I::at(loops), &mut taken);
        U::put_back(run, first, taken);
        if let Err(source) = done {
            return Err(Error::Compute { rank: run.backend.rank(), step, source });
        }
        R::drive(run, compute, loops)
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
    #[inline]
    fn drive(run: &mut Run<'_, B>, compute: &mut C, loops: Loops) -> Result<(), Error> {
        for turn in 0..N::COUNT as usize {
            L::drive(run, compute, [turn, loops[0], loops[1], loops[2]])?;
        }
        R::drive(run, compute, loops)
    }
}

impl<B, C, L, R> Drive<B, C> for HCons<Block<L>, R>
where
    B: Backend,
    C: ?Sized,
    L: Session + Drive<B, C>,
    R: Drive<B, C>,
{
    #[inline]
    fn drive(run: &mut Run<'_, B>, compute: &mut C, loops: Loops) -> Result<(), Error> {
        L::drive(run, compute, loops)?;
        R::drive(run, compute, loops)
    }
}

/// The items of a batch, as transfers.
pub trait Gather<B: Backend> {
    /// Adds each item to the batch.
    ///
    /// # Errors
    /// When the pool lost a buffer in an earlier failure.
    fn gather(run: &mut Run<'_, B>) -> Result<(), Error>;
}

impl<B: Backend> Gather<B> for HNil {
    #[inline]
    fn gather(_: &mut Run<'_, B>) -> Result<(), Error> {
        Ok(())
    }
}

impl<B: Backend, P: Peer, V, T: Gather<B>> Gather<B> for HCons<Send<P, V>, T> {
    #[inline]
    fn gather(run: &mut Run<'_, B>) -> Result<(), Error> {
        run.gather(true, P::RANK as usize)?;
        T::gather(run)
    }
}

impl<B: Backend, P: Peer, V, T: Gather<B>> Gather<B> for HCons<Recv<P, V>, T> {
    #[inline]
    fn gather(run: &mut Run<'_, B>) -> Result<(), Error> {
        run.gather(false, P::RANK as usize)?;
        T::gather(run)
    }
}
