// Rank 1 receives a mask that no step of it reads.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; Mask: [f32; 8]; }
counterpart::task! { first; last; }

type Rank0 = HList![
    Compute<first, (), HList![Writes<Val<Act>>, Writes<Val<Mask>>]>,
    Send<Rank<1>, Val<Act>>,
    Send<Rank<1>, Val<Mask>>,
];
type Rank1 = HList![
    Recv<Rank<0>, Val<Act>>,
    Recv<Rank<0>, Val<Mask>>,
    Compute<last, (), HList![Reads<Val<Act>>]>,
];

struct Pair;
impl Schedule for Pair {
    const NAME: &'static str = "Pair";
    type Ranks = HList![Program<Rank<0>, Rank0>, Program<Rank<1>, Rank1>];
    type Coverage = HList![];
    const PROOF: Proof<Pair> = Proof::new();
}
counterpart::prove!(Pair);

fn main() {}
