// The programs of the two ranks stand the other way round.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; }

type Rank0 = HList![Send<Rank<1>, Val<Act>>];
type Rank1 = HList![Recv<Rank<0>, Val<Act>>];

struct Pair;
impl Schedule for Pair {
    const NAME: &'static str = "Pair";
    type Ranks = HList![Program<Rank<1>, Rank1>, Program<Rank<0>, Rank0>];
    type Coverage = HList![];
    const PROOF: Proof<Pair> = Proof::new();
}
counterpart::prove!(Pair);

fn main() {}
