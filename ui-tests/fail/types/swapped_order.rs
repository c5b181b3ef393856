// Rank 1 receives the two messages in the other order: matching has no tags, so they would be swapped silently.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; Mask: [f32; 8]; }

type Rank0 = HList![
    Send<Rank<1>, Val<Act>>,
    Send<Rank<1>, Val<Mask>>,
];
type Rank1 = HList![
    Recv<Rank<0>, Val<Mask>>,
    Recv<Rank<0>, Val<Act>>,
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
