// Rank 0 sends where the protocol has a compute step.
#[path = "../../pair.rs"]
mod pair;
use pair::*;

pub fn rank_0(backend: &mut Threads) -> Result<(), Error> {
    Pair::open(Rank::<0>, backend, |mut endpoint| {
        let mut act = endpoint.alloc::<Act>()?;
        let mut grad = endpoint.alloc::<Grad>()?;
        let endpoint = endpoint.send(Rank::<1>, &act)?;
        let endpoint = endpoint.send(Rank::<1>, &act)?;
        go_on(endpoint, &mut act, &mut grad)
    })
}

fn main() {}
