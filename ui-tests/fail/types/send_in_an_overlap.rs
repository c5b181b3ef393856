// Only compute steps overlap; sends and receives make a batch.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; }
counterpart::task! { make; take; }

type Rank0 = HList![Overlap<HList![
    Compute<make, (), HList![Writes<Val<Act>>]>,
    Send<Rank<1>, Val<Act>>,
]>];

struct Alone;
impl Schedule for Alone {
    const NAME: &'static str = "Alone";
    type Ranks = HList![Program<Rank<0>, Rank0>];
    type Coverage = HList![];
    const PROOF: Proof<Alone> = Proof::new();
}
counterpart::prove!(Alone);

fn main() {}
