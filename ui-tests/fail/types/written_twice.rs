// Both turns of the loop write the same activation: its index does not move.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; }
counterpart::task! { first; last; }

type Rank0 = HList![
    Repeat<Times<2>, HList![Compute<first, (Ix<0, 1>,), HList![Writes<Val<Act, (Ix<0>,)>>]>]>,
    Send<Rank<1>, Val<Act, (Ix<0>,)>>,
];
type Rank1 = HList![
    Recv<Rank<0>, Val<Act, (Ix<0>,)>>,
    Compute<last, (), HList![Reads<Val<Act, (Ix<0>,)>>]>,
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
