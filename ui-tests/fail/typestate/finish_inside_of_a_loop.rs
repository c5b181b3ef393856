// The program is said to have ended in the first turn of its loop.
#[path = "../../pair.rs"]
mod pair;
use pair::*;

pub fn rank_0(backend: &mut Threads) -> Result<(), Error> {
    Pair::open(Rank::<0>, backend, |mut endpoint| {
        let mut act = endpoint.alloc::<Act>()?;
        let mut grad = endpoint.alloc::<Grad>()?;
        let endpoint = endpoint.compute::<forward>(|_| Ok(()))?.send(Rank::<1>, &act)?;
        let mut finished = None;
        let _ = endpoint.repeat(|endpoint, _| {
            let endpoint =
                endpoint.batch(hlist![sending(Rank::<1>, &mut act), receiving(Rank::<1>, &mut grad)])?;
            finished = Some(endpoint.finish()?);
            Err::<Endpoint<Threads, HNil>, _>(Error::Usage("enough".into()))
        });
        Ok(finished.unwrap())
    })
}

fn main() {}
