// The protocol overlaps `make` with `take`, in this order.
use counterpart::backend::{Threads, threads};
use counterpart::session::*;
use counterpart::{Error, Proof, Schedule};

counterpart::message! { Act: [f32; 8]; }
counterpart::task! { make; take; }

struct Alone;
impl Schedule for Alone {
    const NAME: &'static str = "Alone";
    type Ranks = HList![Program<Rank<0>, HList![
        Overlap<HList![Compute<make, (), HList![]>, Compute<take, (), HList![]>]>,
    ]>];
    type Coverage = HList![];
    const PROOF: Proof<Alone> = Proof::new();
}

fn main() -> Result<(), Error> {
    threads::run(1, threads::Config::new(), |mut backend: Threads| {
        Alone::open(Rank::<0>, &mut backend, |rank| {
            rank.overlap::<HList![take, make]>(|_| Ok(()))?.finish()
        })
    })?;
    Ok(())
}
