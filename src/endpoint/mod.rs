//! Typestate: an endpoint lets a rank take only the next step of its program.
//!
//! [`Schedule::open`](crate::Schedule::open) lends a rank its endpoint. Each step consumes the endpoint and returns
//! the one for the rest; what the protocol does not allow next does not compile. The body of a rank has to return what
//! [`Endpoint::finish`] gives, and only an endpoint at the end of its program has that.

mod allowed;
mod batch;
mod guard;
mod tensor;

use core::marker::PhantomData;

use frunk::HNil;

pub use allowed::{ComputeAt, Ended, Loop, Nested, OverlapAt, RecvAt, SendAt, State, Taken};
pub use batch::{BatchAt, Receiving, Sending, receiving, sending};
pub use tensor::Tensor;

use crate::backend::Backend;
use crate::error::Error;
use crate::session::{Family, Loops, Peer, Phantom, Task};
pub(crate) use guard::Guard;

/// A rank between two steps; `S` is what is left of its program.
///
/// Neither `Clone` nor `Copy`: nobody takes a step twice. Dropping an endpoint before its end tells the other ranks,
/// whose waits then return an error instead of lasting until their deadline.
///
/// ```
/// use counterpart::backend::{Backend, Threads, threads};
/// use counterpart::session::{HList, HNil, Program, Rank, Recv, Send, Val};
/// use counterpart::{Proof, Schedule};
///
/// counterpart::message! { Word: [u8; 5]; }
///
/// struct Hello;
/// impl Schedule for Hello {
///     const NAME: &'static str = "Hello";
///     type Ranks = HList![
///         Program<Rank<0>, HList![Send<Rank<1>, Val<Word>>]>,
///         Program<Rank<1>, HList![Recv<Rank<0>, Val<Word>>]>,
///     ];
///     type Coverage = HNil;
///     const PROOF: Proof<Self> = Proof::new();
/// }
///
/// let heard = threads::run(2, threads::Config::new(), |mut backend: Threads| {
///     let mut heard = Vec::new();
///     if backend.rank() == 0 {
///         Hello::open(Rank::<0>, &mut backend, |mut rank| {
///             let mut word = rank.alloc::<Word>()?;
///             word.copy_from_slice(b"hello");
///             rank.send(Rank::<1>, &word)?.finish()
///         })?;
///     } else {
///         Hello::open(Rank::<1>, &mut backend, |mut rank| {
///             let mut word = rank.alloc::<Word>()?;
///             let rank = rank.recv(Rank::<0>, &mut word)?;
///             heard = word.to_vec();
///             rank.finish()
///         })?;
///     }
///     backend.finish()?;
///     Ok(heard)
/// })?;
/// assert_eq!(heard[1], b"hello");
/// # Ok::<(), counterpart::Error>(())
/// ```
///
/// A step that is not the next one does not compile, nor does an end that comes too soon:
///
/// ```compile_fail,E0277
/// # use counterpart::backend::{Backend, Threads, threads};
/// # use counterpart::session::{HList, HNil, Program, Rank, Recv, Send, Val};
/// # use counterpart::{Proof, Schedule};
/// #
/// # counterpart::message! { Word: [u8; 5]; }
/// #
/// # struct Hello;
/// # impl Schedule for Hello {
/// #     const NAME: &'static str = "Hello";
/// #     type Ranks = HList![
/// #         Program<Rank<0>, HList![Send<Rank<1>, Val<Word>>]>,
/// #         Program<Rank<1>, HList![Recv<Rank<0>, Val<Word>>]>,
/// #     ];
/// #     type Coverage = HNil;
/// #     const PROOF: Proof<Self> = Proof::new();
/// # }
/// fn speak(backend: &mut Threads) -> Result<(), counterpart::Error> {
///     Hello::open(Rank::<0>, backend, |rank| rank.finish()) // the next step is `Send<Rank<1>, Val<Word>>`
/// }
/// ```
#[must_use = "the rank has not taken all its steps: go on, and `finish`"]
pub struct Endpoint<'b, B: Backend, S> {
    guard: Guard<'b, B>,
    loops: Loops,
    step: u32,
    state: Phantom<(&'b (), S)>,
}

/// Evidence that a rank has taken all its steps.
#[must_use = "the body of a rank returns this"]
pub struct Finished<'b>(Phantom<&'b ()>);

impl<'b, B: Backend, S> Endpoint<'b, B, S> {
    /// The endpoint of a program that has not begun.
    pub(crate) fn new(backend: &'b mut B) -> Self {
        Endpoint { guard: Guard::new(backend), loops: Loops::default(), step: 0, state: PhantomData }
    }

    fn at<T>(self, step: u32, loops: Loops) -> Endpoint<'b, B, T> {
        Endpoint { guard: self.guard, loops, step, state: PhantomData }
    }

    /// The endpoint of a loop or block inside the program. What comes out of it can't be passed off as the endpoint
    /// of anything around it: its lifetime is its own.
    fn part<T>(&mut self, loops: Loops) -> Endpoint<'_, B, T> {
        Endpoint { guard: self.guard.part(), loops, step: self.step, state: PhantomData }
    }

    /// The number of this rank.
    pub fn rank(&self) -> usize {
        self.guard.backend().rank()
    }

    /// The number of the next step in the program.
    pub fn step(&self) -> u32 {
        self.step
    }

    /// Memory for one message of family `F`, filled with zeros.
    ///
    /// # Errors
    /// When the backend has no memory left, or does not move the element type.
    pub fn alloc<F: Family>(&mut self) -> Result<Tensor<F, B>, Error> {
        Tensor::new(self.guard.backend_mut())
    }
}

impl<'b, B: Backend, S: State> Endpoint<'b, B, S> {
    /// Sends `what` to a rank.
    ///
    /// # Errors
    /// When a deadline passes, or another rank fails or leaves.
    pub fn send<P, F>(mut self, to: P, what: &Tensor<F, B>) -> Result<Endpoint<'b, B, S::Rest>, Error>
    where
        P: Peer,
        F: Family + SendAt<S::Head, P>,
    {
        let _ = to;
        self.guard.backend_mut().send(self.step, P::RANK as usize, what.buffer()?)?;
        let (step, loops) = (self.step + 1, self.loops);
        Ok(self.at(step, loops))
    }

    /// Receives from a rank into `into`.
    ///
    /// # Errors
    /// As [`send`](Endpoint::send).
    pub fn recv<P, F>(mut self, from: P, into: &mut Tensor<F, B>) -> Result<Endpoint<'b, B, S::Rest>, Error>
    where
        P: Peer,
        F: Family + RecvAt<S::Head, P>,
    {
        let _ = from;
        self.guard.backend_mut().recv(self.step, P::RANK as usize, into.buffer_mut()?)?;
        let (step, loops) = (self.step + 1, self.loops);
        Ok(self.at(step, loops))
    }

    /// Runs the sends and receives of a batch together: an `hlist!` of [`sending`] and [`receiving`], in the order of
    /// the session type.
    ///
    /// # Errors
    /// As [`send`](Endpoint::send).
    pub fn batch<T>(mut self, mut transfers: T) -> Result<Endpoint<'b, B, S::Rest>, Error>
    where
        T: BatchAt<S::Head, B>,
    {
        let mut lent = Vec::with_capacity(T::LEN);
        transfers.lend(&mut lent)?;
        let done = self.guard.backend_mut().batch(self.step, &mut lent);
        transfers.take_back(&mut lent.into_iter());
        done?;
        let (step, loops) = (self.step + 1, self.loops);
        Ok(self.at(step, loops))
    }

    /// Runs compute step `T`; `work` is given its indices.
    ///
    /// # Errors
    /// What `work` returns.
    pub fn compute<T>(
        mut self,
        work: impl FnOnce([usize; 4]) -> Result<(), Error>,
    ) -> Result<Endpoint<'b, B, S::Rest>, Error>
    where
        T: Task + ComputeAt<S::Head>,
    {
        self.guard.backend_mut().compute(self.step);
        work(T::indices(self.loops))?;
        let (step, loops) = (self.step + 1, self.loops);
        Ok(self.at(step, loops))
    }

    /// Runs compute steps that overlap, whose kinds are the `HList` `L`; `work` is given the indices of each, in order.
    ///
    /// # Errors
    /// What `work` returns.
    pub fn overlap<L>(
        mut self,
        work: impl FnOnce(&[[usize; 4]]) -> Result<(), Error>,
    ) -> Result<Endpoint<'b, B, S::Rest>, Error>
    where
        L: OverlapAt<S::Head>,
    {
        self.guard.backend_mut().compute(self.step);
        let mut indices = Vec::new();
        L::indices(self.loops, &mut indices);
        work(&indices)?;
        let (step, loops) = (self.step + 1, self.loops);
        Ok(self.at(step, loops))
    }

    /// Runs the body of a loop as often as the session type says; `body` is given the number of the turn.
    ///
    /// # Errors
    /// What `body` returns.
    pub fn repeat<F, T>(mut self, mut body: F) -> Result<Endpoint<'b, B, S::Rest>, Error>
    where
        S::Head: Loop,
        F: for<'t> FnMut(
            Endpoint<'t, B, <S::Head as Loop>::Body>,
            usize,
        ) -> Result<Endpoint<'t, B, T>, Error>,
        T: Taken,
    {
        let outer = self.loops;
        for turn in 0..<S::Head as Loop>::COUNT as usize {
            let loops = [turn, outer[0], outer[1], outer[2]];
            let step = body(self.part(loops), turn).map(|taken| taken.step)?;
            self.step = step;
        }
        let step = self.step;
        Ok(self.at(step, outer))
    }

    /// Runs the steps of a block.
    ///
    /// # Errors
    /// What `body` returns.
    pub fn block<F, T>(mut self, body: F) -> Result<Endpoint<'b, B, S::Rest>, Error>
    where
        S::Head: Nested,
        F: for<'t> FnOnce(Endpoint<'t, B, <S::Head as Nested>::Body>) -> Result<Endpoint<'t, B, T>, Error>,
        T: Taken,
    {
        let loops = self.loops;
        let step = body(self.part(loops)).map(|taken| taken.step)?;
        Ok(self.at(step, loops))
    }

    /// Ends the program. Only an endpoint that has taken all its steps can.
    ///
    /// # Errors
    /// When a transfer that is still under way fails.
    pub fn finish(mut self) -> Result<Finished<'b>, Error>
    where
        S::Head: Ended,
    {
        self.guard.backend_mut().synchronize()?;
        self.guard.disarm();
        Ok(Finished(PhantomData))
    }
}

static_assertions::assert_not_impl_any!(Endpoint<'static, crate::backend::Counting, HNil>: Clone, Copy);
static_assertions::assert_not_impl_any!(Finished<'static>: Clone, Copy);
