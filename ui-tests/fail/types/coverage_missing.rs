// The last of four micro-batches has no backward pass.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::task! { backward; }

type Rank0 = HList![Repeat<Times<3>, HList![Compute<backward, (Ix<0, 1>,), HList![]>]>];

struct One;
impl Schedule for One {
    const NAME: &'static str = "One";
    type Ranks = HList![Program<Rank<0>, Rank0>];
    type Coverage = HList![Covers<backward, HList![Range<0, 4>]>];
    const PROOF: Proof<One> = Proof::new();
}
counterpart::prove!(One);

fn main() {}
