// Rank 0 sends what it computes only in the next step.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; }
counterpart::task! { first; last; }

type Rank0 = HList![
    Send<Rank<1>, Val<Act>>,
    Compute<first, (), HList![Writes<Val<Act>>]>,
];
type Rank1 = HList![
    Recv<Rank<0>, Val<Act>>,
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
