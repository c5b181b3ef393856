//! Which step the protocol allows next, and what rustc says of any other.
//!
//! What the caller asks for stands in `Self` position, so that a wrong call is an error about the call.

use frunk::{HCons, HNil};

use crate::session::{
    Block, Compute, Count, End, HList, Indices, Loops, Overlap, Recv, Repeat, Send, Session, Val,
};

/// A program from its next step on.
pub trait State {
    /// The next step; [`End`] where there is none.
    type Head;
    /// What follows it.
    type Rest;
}

impl State for HNil {
    type Head = End;
    type Rest = HList![];
}

impl<H, R> State for HCons<H, R> {
    type Head = H;
    type Rest = R;
}

/// What families and compute steps are allowed to do is not for their authors to say.
pub(super) mod sealed {
    pub trait Sends<Head, P> {}
    pub trait Receives<Head, P> {}
    pub trait Computes<Head> {}
    pub trait Overlaps<Head> {}
    pub trait Batches<Head, B> {}
}

/// The next step `Head` is a send of this family to `P`.
#[diagnostic::on_unimplemented(
    message = "the protocol does not allow `send` of `{Self}` to `{P}` here",
    label = "the next step is `{Head}`",
    note = "the session type of this rank fixes its steps and their order: take the next step"
)]
pub trait SendAt<Head, P>: sealed::Sends<Head, P> {}

impl<P, F, I> sealed::Sends<Send<P, Val<F, I>>, P> for F {}
#[diagnostic::do_not_recommend]
impl<P, F, I> SendAt<Send<P, Val<F, I>>, P> for F {}

/// The next step `Head` is a receive of this family from `P`.
#[diagnostic::on_unimplemented(
    message = "the protocol does not allow `recv` of `{Self}` from `{P}` here",
    label = "the next step is `{Head}`",
    note = "the session type of this rank fixes its steps and their order: take the next step"
)]
pub trait RecvAt<Head, P>: sealed::Receives<Head, P> {}

impl<P, F, I> sealed::Receives<Recv<P, Val<F, I>>, P> for F {}
#[diagnostic::do_not_recommend]
impl<P, F, I> RecvAt<Recv<P, Val<F, I>>, P> for F {}

/// The next step `Head` is this compute step.
#[diagnostic::on_unimplemented(
    message = "the protocol does not allow compute step `{Self}` here",
    label = "the next step is `{Head}`",
    note = "the session type of this rank fixes its steps and their order: take the next step"
)]
pub trait ComputeAt<Head>: sealed::Computes<Head> {
    /// The indices of the step at these loop counters.
    fn indices(loops: Loops) -> [usize; 4];
}

impl<T, I: Indices, U> sealed::Computes<Compute<T, I, U>> for T {}
#[diagnostic::do_not_recommend]
impl<T, I: Indices, U> ComputeAt<Compute<T, I, U>> for T {
    fn indices(loops: Loops) -> [usize; 4] {
        I::at(loops)
    }
}

/// The next step `Head` overlaps compute steps of these kinds, an `HList`, in this order.
#[diagnostic::on_unimplemented(
    message = "the protocol does not allow these compute steps to overlap here: `{Self}`",
    label = "the next step is `{Head}`",
    note = "the session type of this rank fixes its steps and their order: take the next step"
)]
pub trait OverlapAt<Head>: sealed::Overlaps<Head> {
    /// Adds the indices of each at these loop counters.
    fn indices(loops: Loops, all: &mut Vec<[usize; 4]>);
}

impl sealed::Overlaps<Overlap<HNil>> for HNil {}
#[diagnostic::do_not_recommend]
impl OverlapAt<Overlap<HNil>> for HNil {
    fn indices(_: Loops, _: &mut Vec<[usize; 4]>) {}
}

impl<T, I, U, M, L: sealed::Overlaps<Overlap<M>>> sealed::Overlaps<Overlap<HCons<Compute<T, I, U>, M>>>
    for HCons<T, L>
{
}
#[diagnostic::do_not_recommend]
impl<T, I: Indices, U, M, L: OverlapAt<Overlap<M>>> OverlapAt<Overlap<HCons<Compute<T, I, U>, M>>>
    for HCons<T, L>
{
    fn indices(loops: Loops, all: &mut Vec<[usize; 4]>) {
        all.push(I::at(loops));
        L::indices(loops, all);
    }
}

/// The next step is a loop.
#[diagnostic::on_unimplemented(
    message = "the protocol has no loop here",
    label = "the next step is `{Self}`"
)]
pub trait Loop {
    /// The steps of one turn.
    type Body;
    /// The number of turns.
    const COUNT: u32;
}

#[diagnostic::do_not_recommend]
impl<N: Count, B: Session> Loop for Repeat<N, B> {
    type Body = B;
    const COUNT: u32 = N::COUNT;
}

/// Nothing is left of a turn of a loop, or of a block.
#[diagnostic::on_unimplemented(
    message = "the steps of this loop or block are not all taken",
    label = "what is left of them is `{Self}`",
    note = "take the remaining steps before you return the endpoint"
)]
pub trait Taken {}

#[diagnostic::do_not_recommend]
impl Taken for HNil {}

/// The next step is a block.
#[diagnostic::on_unimplemented(
    message = "the protocol has no block here",
    label = "the next step is `{Self}`"
)]
pub trait Nested {
    /// The steps of the block.
    type Body;
}

#[diagnostic::do_not_recommend]
impl<B: Session> Nested for Block<B> {
    type Body = B;
}

/// There is no next step.
#[diagnostic::on_unimplemented(
    message = "the program of this rank has not ended",
    label = "the next step is `{Self}`",
    note = "a rank that stops here leaves its peers waiting: take the remaining steps before `finish`"
)]
pub trait Ended {}

#[diagnostic::do_not_recommend]
impl Ended for End {}
