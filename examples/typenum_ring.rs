//! Session types by hand that calculate: a ring of any number of ranks, as one implementation of [`Schedule`] that is
//! generic in that number.
//!
//! ```text
//! cargo run --example typenum_ring
//! ```
//!
//! `typenum` numbers are ranks and indices like any others, so the program of a rank can say `Send<Sum<R, U1>, …>`.
//! Each ring is proven when it is used: write `Send<R, …>` below, and rustc says which rank sends to itself.
#![forbid(unsafe_code)]

use std::marker::PhantomData;
use std::ops::{Add, Rem, Sub};

use counterpart::backend::threads::{self, Config};
use counterpart::backend::{Backend, HostBuffer, Threads};
use counterpart::drive::{DriveRanks, Perform, Place};
use counterpart::session::{
    Compute, HCons, HList, HNil, Program, Reads, Recv, Send, System, Writes, hlist_pat,
};
use counterpart::{Driver, Error, Proof, Read, Schedule, StepResult, Val, Write};
use typenum::{B1, Bit, Mod, Sub1, Sum, U0, U1, U2, U5, U16, UInt, UTerm, Unsigned};

counterpart::message! {
    /// Goes around, and has passed as many ranks as its index says.
    Token: [u64; 1];
}
counterpart::task! {
    begin;
    pass;
    end;
}

/// Rank 0 sends the token to rank 1, and has it back from the last rank, `P - 1`.
type First<P> = HList![
    Compute<begin, (), HList![Writes<Val<Token, (U1,)>>]>,
    Send<U1, Val<Token, (U1,)>>,
    Recv<Sub1<P>, Val<Token, (P,)>>,
    Compute<end, (), HList![Reads<Val<Token, (P,)>>]>,
];
/// Rank `R` hands the token on to rank `R + 1`, or to rank 0 where it is the last.
type Next<P, R> = HList![
    Recv<Sub1<R>, Val<Token, (R,)>>,
    Compute<pass, (R,), HList![Reads<Val<Token, (R,)>>, Writes<Val<Token, (Sum<R, U1>,)>>]>,
    Send<Mod<Sum<R, U1>, P>, Val<Token, (Sum<R, U1>,)>>,
];

/// The programs of the ranks from 0 to this one, then those in `Tail`.
trait UpTo<P, Tail> {
    type Ranks;
}

impl<P: Sub<B1>, Tail> UpTo<P, Tail> for UTerm {
    type Ranks = HCons<Program<U0, First<P>>, Tail>;
}

impl<P, Tail, U: Unsigned, B: Bit> UpTo<P, Tail> for UInt<U, B>
where
    Self: Sub<B1, Output: UpTo<P, HCons<Program<Self, Next<P, Self>>, Tail>>> + Add<U1, Output: Rem<P>>,
{
    type Ranks = <Sub1<Self> as UpTo<P, HCons<Program<Self, Next<P, Self>>, Tail>>>::Ranks;
}

struct Ring<P>(PhantomData<P>);

impl<P: Sub<B1, Output: UpTo<P, HNil, Ranks: System>>> Schedule for Ring<P> {
    const NAME: &'static str = "Ring";
    type Ranks = <Sub1<P> as UpTo<P, HNil>>::Ranks;
    type Coverage = HNil;
    const PROOF: Proof<Self> = Proof::new();
}
counterpart::prove!(Ring<U2>, Ring<U5>, Ring<U16>);

/// The token, as rank 0 has it back.
#[derive(Default)]
struct Back(u64);

impl<B: Backend<Buffer = HostBuffer>> Perform<B, Back> for begin {
    type Buffers<'u> = HList![Place<Write<'u, Token, B>>];

    fn perform(_: &mut Back, _: [usize; 4], hlist_pat![token]: Self::Buffers<'_>) -> StepResult {
        Write::required(token)?[0] = 1;
        Ok(())
    }
}

impl<B: Backend<Buffer = HostBuffer>> Perform<B, Back> for pass {
    type Buffers<'u> = HList![Place<Read<'u, Token, B>>, Place<Write<'u, Token, B>>];

    fn perform(_: &mut Back, [rank, ..]: [usize; 4], hlist_pat![from, to]: Self::Buffers<'_>) -> StepResult {
        Write::required(to)?[0] = Read::required(from)?[0] + rank as u64;
        Ok(())
    }
}

impl<B: Backend<Buffer = HostBuffer>> Perform<B, Back> for end {
    type Buffers<'u> = HList![Place<Read<'u, Token, B>>];

    fn perform(back: &mut Back, _: [usize; 4], hlist_pat![token]: Self::Buffers<'_>) -> StepResult {
        back.0 = Read::required(token)?[0];
        Ok(())
    }
}

/// Sends a token around `P` ranks.
fn run<P: Unsigned>() -> Result<u64, Error>
where
    Ring<P>: Schedule<Ranks: DriveRanks<Threads, Back>>,
{
    let tokens = threads::run(P::USIZE, Config::new(), |mut backend| {
        let mut back = Back::default();
        Driver::<Ring<P>, _>::new(&mut backend)?.run(&mut backend, &mut back)?;
        backend.finish()?;
        Ok(back.0)
    })?;
    Ok(tokens[0])
}

fn main() -> Result<(), Error> {
    println!("around 2 ranks: {}, 5 ranks: {}, 16 ranks: {}", run::<U2>()?, run::<U5>()?, run::<U16>()?);
    Ok(())
}

#[test]
fn the_token_passes_every_rank() {
    assert_eq!((run::<U2>().unwrap(), run::<U5>().unwrap(), run::<U16>().unwrap()), (2, 11, 121));
}
