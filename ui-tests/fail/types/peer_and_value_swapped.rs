// `Send` takes the rank first, then the value.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; }

type Rank0 = HList![Send<Val<Act>, Rank<1>>];
type Rank1 = HList![Recv<Rank<0>, Val<Act>>];

struct Pair;
impl Schedule for Pair {
    const NAME: &'static str = "Pair";
    type Ranks = HList![Program<Rank<0>, Rank0>, Program<Rank<1>, Rank1>];
    type Coverage = HList![];
    const PROOF: Proof<Pair> = Proof::new();
}
counterpart::prove!(Pair);

fn main() {}
