// The next step is a send of one family; the message is of another one whose type differs in a lifetime only.
#![allow(coherence_leak_check)]
use core::marker::PhantomData;
use counterpart::backend::Threads;
use counterpart::session::*;
use counterpart::{Endpoint, Error, Proof, Schedule};

pub struct Named<T>(PhantomData<T>);
pub type Short = Named<for<'a> fn(&'a ())>;
pub type Long = Named<fn(&'static ())>;

impl Family for Short {
    type Elem = f32;
    const NAME: &'static str = "Short";
    const SHAPE: &'static [usize] = &[8];
}

impl Family for Long {
    type Elem = f32;
    const NAME: &'static str = "Long";
    const SHAPE: &'static [usize] = &[99];
}

pub struct Pair;
impl Schedule for Pair {
    const NAME: &'static str = "Pair";
    type Ranks = HList![
        Program<Rank<0>, HList![Send<Rank<1>, Val<Short>>]>,
        Program<Rank<1>, HList![Recv<Rank<0>, Val<Short>>]>,
    ];
    type Coverage = HNil;
    const PROOF: Proof<Self> = Proof::new();
}

pub fn rank_0(backend: &mut Threads) -> Result<(), Error> {
    Pair::open(Rank::<0>, backend, |mut endpoint| {
        let long = endpoint.alloc::<Long>()?;
        let endpoint: Endpoint<'_, Threads, HList![Send<Rank<1>, Val<Long>>]> = endpoint;
        endpoint.send(Rank::<1>, &long)?.finish()
    })
}

fn main() {}
