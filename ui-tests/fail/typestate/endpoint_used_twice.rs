// Rank 0 takes its first step twice, with the endpoint that the first one has consumed.
#[path = "../../pair.rs"]
mod pair;
use pair::*;

pub fn rank_0(backend: &mut Threads) -> Result<(), Error> {
    Pair::open(Rank::<0>, backend, |mut endpoint| {
        let mut act = endpoint.alloc::<Act>()?;
        let mut grad = endpoint.alloc::<Grad>()?;
        let first = endpoint.compute::<forward>(|_| Ok(()))?;
        let second = endpoint.compute::<forward>(|_| Ok(()))?;
        drop(first);
        go_on(second.send(Rank::<1>, &act)?, &mut act, &mut grad)
    })
}

fn main() {}
