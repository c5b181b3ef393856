// The endpoint of an inner turn is passed off as that of the turn around it, which has a receive left.
use counterpart::backend::Threads;
use counterpart::session::*;
use counterpart::{Endpoint, Error, Proof, Schedule};

counterpart::message! { Act: [f32; 8]; Done: [u8; 1]; }

pub struct Nested;
impl Schedule for Nested {
    const NAME: &'static str = "Nested";
    type Ranks = HList![
        Program<Rank<0>, HList![Repeat<Times<2>, HList![
            Repeat<Times<4>, HList![Send<Rank<1>, Val<Act, (Ix<0, 1, 4>,)>>]>,
            Recv<Rank<1>, Val<Done, (Ix<0, 1>,)>>
        ]>]>,
        Program<Rank<1>, HList![Repeat<Times<2>, HList![
            Repeat<Times<4>, HList![Recv<Rank<0>, Val<Act, (Ix<0, 1, 4>,)>>]>,
            Send<Rank<0>, Val<Done, (Ix<0, 1>,)>>
        ]>]>,
    ];
    type Coverage = HNil;
    const PROOF: Proof<Self> = Proof::new();
}

pub fn rank_0(backend: &mut Threads) -> Result<(), Error> {
    Nested::open(Rank::<0>, backend, |mut endpoint| {
        let act = endpoint.alloc::<Act>()?;
        let endpoint = endpoint.repeat(|endpoint, _| {
            let mut inner = None;
            let _ = endpoint.repeat(|endpoint, _| {
                inner = Some(endpoint.send(Rank::<1>, &act)?);
                Err::<Endpoint<Threads, HNil>, _>(Error::Usage("enough".into()))
            });
            Ok(inner.unwrap())
        })?;
        endpoint.finish()
    })
}

fn main() {}
