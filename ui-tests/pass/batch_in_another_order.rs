//! The order of the transfers in a batch does not matter: here the two ends list them differently.

use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; Grad: [f32; 8]; }

type Rank0 = HList![Batch<HList![Send<Rank<1>, Val<Act>>, Recv<Rank<1>, Val<Grad>>]>];
type Rank1 = HList![Batch<HList![Send<Rank<0>, Val<Grad>>, Recv<Rank<0>, Val<Act>>]>];
type Rank1Turned = HList![Batch<HList![Recv<Rank<0>, Val<Act>>, Send<Rank<0>, Val<Grad>>]>];

struct Pair;
impl Schedule for Pair {
    const NAME: &'static str = "Pair";
    type Ranks = HList![Program<Rank<0>, Rank0>, Program<Rank<1>, Rank1>];
    type Coverage = HList![];
    const PROOF: Proof<Pair> = Proof::new();
}

struct Turned;
impl Schedule for Turned {
    const NAME: &'static str = "Turned";
    type Ranks = HList![Program<Rank<0>, Rank0>, Program<Rank<1>, Rank1Turned>];
    type Coverage = HList![];
    const PROOF: Proof<Turned> = Proof::new();
}

#[test]
fn runs() {
    crate::run::<Pair>();
    crate::run::<Turned>();
}
