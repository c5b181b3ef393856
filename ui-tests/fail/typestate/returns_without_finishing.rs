// The body of rank 0 returns without the evidence that only `finish` gives.
#[path = "../../pair.rs"]
mod pair;
use pair::*;

pub fn rank_0(backend: &mut Threads) -> Result<(), Error> {
    Pair::open(Rank::<0>, backend, |mut endpoint| {
        let act = endpoint.alloc::<Act>()?;
        let _ = endpoint.compute::<forward>(|_| Ok(()))?.send(Rank::<1>, &act)?;
        Ok(())
    })
}

fn main() {}
