// Four billion turns: safe, but nobody could list them when the schedule runs.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::message! { Act: [f32; 8]; }

struct Pair;
impl Schedule for Pair {
    const NAME: &'static str = "Pair";
    type Ranks = HList![
        Program<Rank<0>, HList![Repeat<Times<{ u32::MAX }>, HList![Send<Rank<1>, Val<Act>>]>]>,
        Program<Rank<1>, HList![Repeat<Times<{ u32::MAX }>, HList![Recv<Rank<0>, Val<Act>>]>]>,
    ];
    type Coverage = HList![];
    const PROOF: Proof<Pair> = Proof::new();
}
counterpart::prove!(Pair);

fn main() {}
