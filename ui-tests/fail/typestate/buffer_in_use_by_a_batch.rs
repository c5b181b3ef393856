// A buffer that a batch is about to send is filled anew.
#[path = "../../pair.rs"]
mod pair;
use pair::*;

pub fn rank_0(backend: &mut Threads) -> Result<(), Error> {
    Pair::open(Rank::<0>, backend, |mut endpoint| {
        let mut act = endpoint.alloc::<Act>()?;
        let mut grad = endpoint.alloc::<Grad>()?;
        let endpoint = endpoint.compute::<forward>(|_| Ok(()))?.send(Rank::<1>, &act)?;
        let endpoint = endpoint.repeat(|endpoint, _| {
            let exchange = hlist![sending(Rank::<1>, &mut act), receiving(Rank::<1>, &mut grad)];
            act.fill(0.0);
            endpoint.batch(exchange)
        })?;
        endpoint.recv(Rank::<1>, &mut grad)?.finish()
    })
}

fn main() {}
