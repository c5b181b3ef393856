// Two families are called `Act`, and a rank that has values of both would keep them in the same buffers.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; }
counterpart::task! { make; use_; }

mod double {
    counterpart::message! { pub Act: [f64; 4]; }
}

type Rank0 = HList![
    Compute<make, (), HList![Writes<Val<Act>>]>,
    Compute<use_, (), HList![Reads<Val<double::Act>>]>,
];

struct Alone;
impl Schedule for Alone {
    const NAME: &'static str = "Alone";
    type Ranks = HList![Program<Rank<0>, Rank0>];
    type Coverage = HList![];
    const PROOF: Proof<Alone> = Proof::new();
}
counterpart::prove!(Alone);

fn main() {}
