// Rank 0 receives where the protocol has a send.
#[path = "../../pair.rs"]
mod pair;
use pair::*;

pub fn rank_0(backend: &mut Threads) -> Result<(), Error> {
    Pair::open(Rank::<0>, backend, |mut endpoint| {
        let mut act = endpoint.alloc::<Act>()?;
        let mut grad = endpoint.alloc::<Grad>()?;
        let endpoint = endpoint.compute::<forward>(|_| Ok(()))?;
        let endpoint = endpoint.recv(Rank::<1>, &mut grad)?;
        go_on(endpoint, &mut act, &mut grad)
    })
}

fn main() {}
