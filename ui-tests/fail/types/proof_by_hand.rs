// A proof can't be put together from its parts.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; }

struct Unsafe;
impl Schedule for Unsafe {
    const NAME: &'static str = "Unsafe";
    type Ranks = HList![Program<Rank<0>, HList![Send<Rank<1>, Val<Act>>]>, Program<Rank<1>, HList![]>];
    type Coverage = HList![];
    const PROOF: Proof<Unsafe> = Proof(core::marker::PhantomData);
}

fn main() {}
