// In turn `k`, rank 0 sends micro-batch `k` and rank 1 expects `k + 1`.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; }

type Rank0 = HList![Repeat<Times<4>, HList![Send<Rank<1>, Val<Act, (Ix<0, 1>,)>>]>];
type Rank1 = HList![Repeat<Times<4>, HList![Recv<Rank<0>, Val<Act, (Ix<1, 1>,)>>]>];

struct Pair;
impl Schedule for Pair {
    const NAME: &'static str = "Pair";
    type Ranks = HList![Program<Rank<0>, Rank0>, Program<Rank<1>, Rank1>];
    type Coverage = HList![];
    const PROOF: Proof<Pair> = Proof::new();
}
counterpart::prove!(Pair);

fn main() {}
