// The backward pass of micro-batch 1 runs before its forward pass.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Loss: [f32; 1]; }
counterpart::task! { forward; backward; }

type Rank0 = HList![
    Compute<forward, (Ix<0>,), HList![Writes<Val<Loss, (Ix<0>,)>>]>,
    Compute<backward, (Ix<0>,), HList![After<forward, (Ix<0>,)>]>,
    Compute<backward, (Ix<1>,), HList![After<forward, (Ix<1>,)>]>,
    Compute<forward, (Ix<1>,), HList![Writes<Val<Loss, (Ix<1>,)>>]>,
];

struct One;
impl Schedule for One {
    const NAME: &'static str = "One";
    type Ranks = HList![Program<Rank<0>, Rank0>];
    type Coverage = HList![];
    const PROOF: Proof<One> = Proof::new();
}
counterpart::prove!(One);

fn main() {}
