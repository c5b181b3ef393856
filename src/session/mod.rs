//! Session types: who sends what to whom, as types that rustc can judge.
//!
//! The program of each rank is an `HList` of steps; values carry their indices. A [`Schedule`](crate::Schedule) names
//! the programs of all ranks, and a [`Proof`](crate::Proof) of it exists only when they fit together.

mod family;
mod index;
mod lookup;
mod reflect;
mod sealed;
mod types;

pub use family::{Family, Message, Phantom, Task, Val};
pub use frunk::{HCons, HNil};
pub use index::{Count, Index, Indices, Ix, Loops, Peer, Rank, Times};
pub use lookup::ProgramOf;
pub use reflect::{Coverage, Item, Items, Parts, Ranges, Session, Step, System, UseList};
pub use types::{
    Absent, After, Batch, Block, Compute, Covers, End, Group, Overlap, Program, Range, Reads, Recv, Repeat,
    Send, Writes,
};

/// An `HList` of types: the steps of a program, the items of a batch, the programs of a schedule.
///
/// ```
/// use counterpart::session::{HList, HNil, HCons, Times};
/// let _: HList![] = HNil;
/// let _: fn() -> HList![Times<1>, Times<2>] = || HCons { head: Times, tail: HCons { head: Times, tail: HNil } };
/// ```
pub use frunk::HList;
/// A value of an `HList`, and a pattern for one.
pub use frunk::{hlist, hlist_pat};
