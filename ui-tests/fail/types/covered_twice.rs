// A compute step is declared over two domains; the second would not count.
use counterpart::session::*;
use counterpart::{Proof, Schedule};

counterpart::task! { forward; }

struct Alone;
impl Schedule for Alone {
    const NAME: &'static str = "Alone";
    type Ranks = HList![Program<Rank<0>, HList![Repeat<Times<4>, HList![Compute<forward, (Ix<0, 1>,), HList![]>]>]>];
    type Coverage = HList![Covers<forward, HList![Range<0, 4>]>, Covers<forward, HList![Range<0, 8>]>];
    const PROOF: Proof<Alone> = Proof::new();
}
counterpart::prove!(Alone);

fn main() {}
