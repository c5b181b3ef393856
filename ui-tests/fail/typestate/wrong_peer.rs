// Rank 0 sends to rank 2 what the protocol sends to rank 1.
#[path = "../../pair.rs"]
mod pair;
use pair::*;

pub fn rank_0(backend: &mut Threads) -> Result<(), Error> {
    Pair::open(Rank::<0>, backend, |mut endpoint| {
        let mut act = endpoint.alloc::<Act>()?;
        let mut grad = endpoint.alloc::<Grad>()?;
        let endpoint = endpoint.compute::<forward>(|_| Ok(()))?;
        let endpoint = endpoint.send(Rank::<2>, &act)?;
        go_on(endpoint, &mut act, &mut grad)
    })
}

fn main() {}
