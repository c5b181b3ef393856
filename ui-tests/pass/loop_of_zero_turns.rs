//! A loop that never turns takes no step, so what stands in it cannot be wrong.

use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; }

struct Idle;
impl Schedule for Idle {
    const NAME: &'static str = "Idle";
    type Ranks = HList![Program<Rank<0>, HList![Repeat<Times<0>, HList![Send<Rank<7>, Val<Act>>]>]>];
    type Coverage = HList![];
    const PROOF: Proof<Idle> = Proof::new();
}

counterpart::schedule! {
    schedule None(M);
    message Act[m]: [f32; 8];

    rank 0 { for m in 0..M { send Act[m] to 1; } }
    rank 1 { for m in 0..M { recv Act[m] from 0; } }

    instance None<0>;
}

#[test]
fn runs() {
    crate::run::<Idle>();
    crate::run::<None<0>>();
    assert_eq!((Idle::plan().len(), None::<0>::plan().len()), (0, 0));
}
