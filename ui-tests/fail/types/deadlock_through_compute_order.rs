// Rank 0 sends first and rank 1 receives first; the deadlock comes from the order of compute steps, behind which the
// second exchange stands the other way round.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; Grad: [f32; 8]; }
counterpart::task! { forward; backward; }

type Rank0 = HList![
    Send<Rank<1>, Val<Act, (Ix<3>, Ix<1>)>>,
    Compute<forward, (Ix<0>, Ix<2>), HList![]>,
    Send<Rank<1>, Val<Act, (Ix<1>, Ix<2>)>>,
    Recv<Rank<1>, Val<Grad, (Ix<2>, Ix<0>)>>,
    Compute<backward, (Ix<2>, Ix<0>), HList![]>,
    Recv<Rank<1>, Val<Grad, (Ix<2>, Ix<1>)>>,
];
type Rank1 = HList![
    Recv<Rank<0>, Val<Act, (Ix<3>, Ix<1>)>>,
    Send<Rank<0>, Val<Grad, (Ix<2>, Ix<0>)>>,
    Compute<forward, (Ix<3>, Ix<1>), HList![]>,
    Compute<backward, (Ix<3>, Ix<1>), HList![]>,
    Recv<Rank<0>, Val<Act, (Ix<1>, Ix<2>)>>,
    Send<Rank<0>, Val<Grad, (Ix<2>, Ix<1>)>>,
    Compute<forward, (Ix<1>, Ix<2>), HList![]>,
];

struct Interleaved;
impl Schedule for Interleaved {
    const NAME: &'static str = "Interleaved";
    type Ranks = HList![Program<Rank<0>, Rank0>, Program<Rank<1>, Rank1>];
    type Coverage = HList![];
    const PROOF: Proof<Interleaved> = Proof::new();
}
counterpart::prove!(Interleaved);

fn main() {}
