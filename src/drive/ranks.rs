//! From the number of a rank, known at run time, to its program, a type.

use frunk::{HCons, HNil};

use super::pool::PoolUse;
use super::program::{At, Drive, Run};
use crate::backend::Backend;
use crate::error::Error;
use crate::session::{Group, Loops, Peer, Program};

/// The programs of all ranks, each of which runs on backend `B` with the compute steps of `C`.
pub trait DriveRanks<B: Backend, C: ?Sized> {
    /// Runs the program of a rank. `uses` has the buffer of every use in program order.
    ///
    /// # Errors
    /// As [`Drive::drive`], and when there is no such rank.
    fn drive(rank: u32, run: &mut Run<'_, B>, compute: &mut C, uses: &[PoolUse]) -> Result<(), Error>;

    /// Is the rank among these?
    fn has(rank: u32) -> bool;
}

impl<B: Backend, C: ?Sized> DriveRanks<B, C> for HNil {
    fn drive(rank: u32, _: &mut Run<'_, B>, _: &mut C, _: &[PoolUse]) -> Result<(), Error> {
        Err(Error::Usage(format!("the schedule has no rank {rank}")))
    }

    fn has(_: u32) -> bool {
        false
    }
}

impl<B, C, R, S, T> DriveRanks<B, C> for HCons<Program<R, S>, T>
where
    B: Backend,
    C: ?Sized,
    R: Peer,
    S: Drive<B, C>,
    T: DriveRanks<B, C>,
{
    fn drive(rank: u32, run: &mut Run<'_, B>, compute: &mut C, uses: &[PoolUse]) -> Result<(), Error> {
        if rank != R::RANK {
            return T::drive(rank, run, compute, uses);
        }
        S::drive(run, compute, At { uses, step: 0, loops: Loops::default() })
    }

    fn has(rank: u32) -> bool {
        rank == R::RANK || T::has(rank)
    }
}

impl<B, C, G, T> DriveRanks<B, C> for HCons<Group<G>, T>
where
    B: Backend,
    C: ?Sized,
    G: DriveRanks<B, C>,
    T: DriveRanks<B, C>,
{
    fn drive(rank: u32, run: &mut Run<'_, B>, compute: &mut C, uses: &[PoolUse]) -> Result<(), Error> {
        if G::has(rank) { G::drive(rank, run, compute, uses) } else { T::drive(rank, run, compute, uses) }
    }

    fn has(rank: u32) -> bool {
        G::has(rank) || T::has(rank)
    }
}
