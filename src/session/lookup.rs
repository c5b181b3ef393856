//! From the type of a rank to its program.

use core::marker::PhantomData;

use frunk::HCons;

use super::types::{Group, Program};

/// The program stands first.
pub struct Here;
/// It stands further on.
pub struct There<At>(PhantomData<At>);
/// It stands in the group that comes first.
pub struct Inside<At>(PhantomData<At>);

/// The places are these three, and nobody adds one where another program stands.
mod sealed {
    pub trait Place<At> {}
}
impl<H, T> sealed::Place<Here> for HCons<H, T> {}
impl<H, T, At> sealed::Place<There<At>> for HCons<H, T> {}
impl<H, T, At> sealed::Place<Inside<At>> for HCons<H, T> {}

/// The list of programs has one for rank `R`; `At` says where, and is inferred.
#[diagnostic::on_unimplemented(
    message = "the schedule has no program for `{R}`",
    label = "this rank is not in the schedule",
    note = "the ranks of a schedule are those of the `Program`s in `Schedule::Ranks`"
)]
pub trait ProgramOf<R, At>: sealed::Place<At> {
    /// The steps of the rank.
    type Steps;
}

#[diagnostic::do_not_recommend]
impl<R, S, T> ProgramOf<R, Here> for HCons<Program<R, S>, T> {
    type Steps = S;
}

#[diagnostic::do_not_recommend]
impl<R, H, T: ProgramOf<R, At>, At> ProgramOf<R, There<At>> for HCons<H, T> {
    type Steps = T::Steps;
}

#[diagnostic::do_not_recommend]
impl<R, G: ProgramOf<R, At>, T, At> ProgramOf<R, Inside<At>> for HCons<Group<G>, T> {
    type Steps = G::Steps;
}
