// Rank 0 begins its loop one step too soon.
#[path = "../../pair.rs"]
mod pair;
use pair::*;

pub fn rank_0(backend: &mut Threads) -> Result<(), Error> {
    Pair::open(Rank::<0>, backend, |mut endpoint| {
        let mut act = endpoint.alloc::<Act>()?;
        let mut grad = endpoint.alloc::<Grad>()?;
        let endpoint = endpoint.compute::<forward>(|_| Ok(()))?;
        go_on(endpoint.repeat(|endpoint, _| Ok(endpoint))?, &mut act, &mut grad)
    })
}

fn main() {}
