// The schedule has ranks 0 and 1, no rank 2.
#[path = "../../pair.rs"]
mod pair;
use pair::*;

pub fn rank_2(backend: &mut Threads) -> Result<(), Error> {
    Pair::open(Rank::<2>, backend, |endpoint| endpoint.finish())
}

fn main() {}
