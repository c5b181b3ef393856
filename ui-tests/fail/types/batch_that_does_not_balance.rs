// Rank 0 exchanges in one batch, rank 1 in two steps.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; Grad: [f32; 8]; }

type Rank0 = HList![Batch<HList![Send<Rank<1>, Val<Act>>, Recv<Rank<1>, Val<Grad>>]>];
type Rank1 = HList![
    Recv<Rank<0>, Val<Act>>,
    Send<Rank<0>, Val<Grad>>,
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
