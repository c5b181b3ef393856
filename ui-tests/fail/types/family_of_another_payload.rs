// A family that says something else than its shape: its buffers would not be what is read and written.
use counterpart::core::{DType, Payload};
use counterpart::session::*;
use counterpart::{Proof, Schedule};

enum Act {}
impl Family for Act {
    type Elem = f32;
    const NAME: &'static str = "Act";
    const SHAPE: &'static [usize] = &[8];
    const PAYLOAD: Payload = Payload::new(DType::F64, 5);
}

struct Pair;
impl Schedule for Pair {
    const NAME: &'static str = "Pair";
    type Ranks = HList![Program<Rank<0>, HList![Send<Rank<1>, Val<Act>>]>, Program<Rank<1>, HList![Recv<Rank<0>, Val<Act>>]>];
    type Coverage = HList![];
    const PROOF: Proof<Pair> = Proof::new();
}
counterpart::prove!(Pair);

fn main() {}
