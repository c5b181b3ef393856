// Rank 0 sends a gradient where the protocol has an activation.
#[path = "../../pair.rs"]
mod pair;
use pair::*;

pub fn rank_0(backend: &mut Threads) -> Result<(), Error> {
    Pair::open(Rank::<0>, backend, |mut endpoint| {
        let mut act = endpoint.alloc::<Act>()?;
        let mut grad = endpoint.alloc::<Grad>()?;
        let endpoint = endpoint.compute::<forward>(|_| Ok(()))?;
        let endpoint = endpoint.send(Rank::<1>, &grad)?;
        go_on(endpoint, &mut act, &mut grad)
    })
}

fn main() {}
