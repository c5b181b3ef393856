// The body of the loop returns without the batch in it.
#[path = "../../pair.rs"]
mod pair;
use pair::*;

pub fn rank_0(backend: &mut Threads) -> Result<(), Error> {
    Pair::open(Rank::<0>, backend, |mut endpoint| {
        let act = endpoint.alloc::<Act>()?;
        let mut grad = endpoint.alloc::<Grad>()?;
        let endpoint = endpoint.compute::<forward>(|_| Ok(()))?.send(Rank::<1>, &act)?;
        let endpoint = endpoint.repeat(|endpoint, _| Ok(endpoint))?;
        endpoint.recv(Rank::<1>, &mut grad)?.finish()
    })
}

fn main() {}
