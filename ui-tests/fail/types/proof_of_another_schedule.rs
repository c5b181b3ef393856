// An unsafe schedule borrows the proof of a safe one.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; }

struct Safe;
impl Schedule for Safe {
    const NAME: &'static str = "Safe";
    type Ranks = HList![Program<Rank<0>, HList![Send<Rank<1>, Val<Act>>]>, Program<Rank<1>, HList![Recv<Rank<0>, Val<Act>>]>];
    type Coverage = HList![];
    const PROOF: Proof<Safe> = Proof::new();
}

struct Unsafe;
impl Schedule for Unsafe {
    const NAME: &'static str = "Unsafe";
    type Ranks = HList![Program<Rank<0>, HList![Send<Rank<1>, Val<Act>>]>, Program<Rank<1>, HList![]>];
    type Coverage = HList![];
    const PROOF: Proof<Unsafe> = Safe::PROOF;
}

fn main() {}
