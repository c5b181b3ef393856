// Every rank of a ring sends first.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Part: [f32; 8]; }

type Rank0 = HList![
    Send<Rank<1>, Val<Part, (Ix<0>,)>>,
    Recv<Rank<3>, Val<Part, (Ix<3>,)>>,
];
type Rank1 = HList![
    Send<Rank<2>, Val<Part, (Ix<1>,)>>,
    Recv<Rank<0>, Val<Part, (Ix<0>,)>>,
];
type Rank2 = HList![
    Send<Rank<3>, Val<Part, (Ix<2>,)>>,
    Recv<Rank<1>, Val<Part, (Ix<1>,)>>,
];
type Rank3 = HList![
    Send<Rank<0>, Val<Part, (Ix<3>,)>>,
    Recv<Rank<2>, Val<Part, (Ix<2>,)>>,
];

struct Ring;
impl Schedule for Ring {
    const NAME: &'static str = "Ring";
    type Ranks = HList![Program<Rank<0>, Rank0>, Program<Rank<1>, Rank1>, Program<Rank<2>, Rank2>, Program<Rank<3>, Rank3>];
    type Coverage = HList![];
    const PROOF: Proof<Ring> = Proof::new();
}
counterpart::prove!(Ring);

fn main() {}
