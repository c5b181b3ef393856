// The proof of a safe schedule serves an unsafe one whose type differs in a lifetime only.
#![allow(coherence_leak_check)]
use core::marker::PhantomData;
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; }

struct Named<T>(PhantomData<T>);
type Safe = Named<for<'a> fn(&'a ())>;
type Unsafe = Named<fn(&'static ())>;

impl Schedule for Safe {
    const NAME: &'static str = "Safe";
    type Ranks = HList![Program<Rank<0>, HList![Send<Rank<1>, Val<Act>>]>, Program<Rank<1>, HList![Recv<Rank<0>, Val<Act>>]>];
    type Coverage = HList![];
    const PROOF: Proof<Self> = Proof::new();
}

impl Schedule for Unsafe {
    const NAME: &'static str = "Unsafe";
    type Ranks = HList![Program<Rank<0>, HList![Send<Rank<1>, Val<Act>>]>, Program<Rank<1>, HList![]>];
    type Coverage = HList![];
    const PROOF: Proof<Self> = <Safe as Schedule>::PROOF;
}

fn main() {}
