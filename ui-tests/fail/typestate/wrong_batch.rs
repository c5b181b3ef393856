// The batch of the protocol sends first; here its transfers are listed the other way round.
#[path = "../../pair.rs"]
mod pair;
use pair::*;

pub fn rank_0(backend: &mut Threads) -> Result<(), Error> {
    Pair::open(Rank::<0>, backend, |mut endpoint| {
        let mut act = endpoint.alloc::<Act>()?;
        let mut grad = endpoint.alloc::<Grad>()?;
        let endpoint = endpoint.compute::<forward>(|_| Ok(()))?.send(Rank::<1>, &act)?;
        let endpoint = endpoint.repeat(|endpoint, _| {
            endpoint.batch(hlist![receiving(Rank::<1>, &mut grad), sending(Rank::<1>, &mut act)])
        })?;
        endpoint.recv(Rank::<1>, &mut grad)?.finish()
    })
}

fn main() {}
