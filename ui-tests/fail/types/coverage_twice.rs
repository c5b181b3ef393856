// Both ranks run stage 0.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::task! { forward; }

type Rank0 = HList![Compute<forward, (Ix<0>,), HList![]>];
type Rank1 = HList![
    Compute<forward, (Ix<0>,), HList![]>,
    Compute<forward, (Ix<1>,), HList![]>,
];

struct Two;
impl Schedule for Two {
    const NAME: &'static str = "Two";
    type Ranks = HList![Program<Rank<0>, Rank0>, Program<Rank<1>, Rank1>];
    type Coverage = HList![Covers<forward, HList![Range<0, 2>]>];
    const PROOF: Proof<Two> = Proof::new();
}
counterpart::prove!(Two);

fn main() {}
