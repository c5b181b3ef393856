// The evidence of one run can't be kept and returned in the next.
#[path = "../../pair.rs"]
mod pair;
use pair::*;

pub fn rank_0(backend: &mut Threads) -> Result<(), Error> {
    let mut kept = None;
    let _ = Pair::open(Rank::<0>, backend, |mut endpoint| {
        let mut act = endpoint.alloc::<Act>()?;
        let mut grad = endpoint.alloc::<Grad>()?;
        let endpoint = endpoint.compute::<forward>(|_| Ok(()))?.send(Rank::<1>, &act)?;
        kept = Some(go_on(endpoint, &mut act, &mut grad)?);
        Err(Error::Usage("once more".into()))
    });
    Pair::open(Rank::<0>, backend, |_| Ok(kept.unwrap()))
}

fn main() {}
