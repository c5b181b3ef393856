//! A small proven schedule, for cases about endpoints: rank 0 computes and sends, the two exchange in a loop of batches,
//! and rank 1 sends a last gradient back.
#![allow(dead_code, unused_imports)]

pub use counterpart::backend::Threads;
pub use counterpart::endpoint::{receiving, sending};
pub use counterpart::session::*;
pub use counterpart::{Endpoint, Error, Finished, Schedule, Tensor};

counterpart::message! {
    pub Act: [f32; 8];
    pub Grad: [f32; 8];
}
counterpart::task! {
    pub forward;
}

pub type Rank0 = HList![
    Compute<forward, (Ix<0>,), HList![]>,
    Send<Rank<1>, Val<Act, (Ix<0>,)>>,
    Exchange,
    Recv<Rank<1>, Val<Grad, (Ix<3>,)>>,
];
pub type Rank1 = HList![
    Recv<Rank<0>, Val<Act, (Ix<0>,)>>,
    Repeat<Times<3>, HList![
        Batch<HList![Send<Rank<0>, Val<Grad, (Ix<0, 1>,)>>, Recv<Rank<0>, Val<Act, (Ix<1, 1>,)>>]>,
    ]>,
    Send<Rank<0>, Val<Grad, (Ix<3>,)>>,
];

pub type Exchange = Repeat<Times<3>, HList![
    Batch<HList![Send<Rank<1>, Val<Act, (Ix<1, 1>,)>>, Recv<Rank<1>, Val<Grad, (Ix<0, 1>,)>>]>,
]>;

pub struct Pair;
impl Schedule for Pair {
    const NAME: &'static str = "Pair";
    type Ranks = HList![Program<Rank<0>, Rank0>, Program<Rank<1>, Rank1>];
    type Coverage = HList![];
    const PROOF: counterpart::Proof<Pair> = counterpart::Proof::new();
}

/// What rank 0 does after its first send.
pub fn go_on<'b>(
    endpoint: Endpoint<'b, Threads, HList![Exchange, Recv<Rank<1>, Val<Grad, (Ix<3>,)>>]>,
    act: &mut Tensor<Act, Threads>,
    grad: &mut Tensor<Grad, Threads>,
) -> Result<Finished<'b>, Error> {
    let endpoint = endpoint.repeat(|endpoint, _| {
        endpoint.batch(hlist![sending(Rank::<1>, &mut *act), receiving(Rank::<1>, &mut *grad)])
    })?;
    endpoint.recv(Rank::<1>, grad)?.finish()
}
