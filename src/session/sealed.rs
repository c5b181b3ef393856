//! Session types are a closed set: nobody adds a step whose reflection says something else than what it does.

use frunk::{HCons, HNil};

use super::types::{Batch, Block, Compute, Covers, Group, Overlap, Program, Recv, Repeat, Send};

/// Only the session types of this crate have this, and lists.
pub trait Sealed {}

impl Sealed for HNil {}
impl<H, T> Sealed for HCons<H, T> {}

macro_rules! sealed {
    ($($type:ident<$($part:ident),*>),* $(,)?) => {$(
        impl<$($part),*> Sealed for $type<$($part),*> {}
    )*};
}

sealed! {
    Send<P, V>, Recv<P, V>, Batch<I>, Compute<T, I, U>, Overlap<L>, Repeat<N, B>, Block<B>, Program<R, S>, Group<P>, Covers<T, R>,
}
