//! Overlapped compute steps without the macro: in an endpoint, and in a driver.

use counterpart::backend::threads::{self, Config};
use counterpart::backend::{Backend, Threads};
use counterpart::drive::{Perform, Place};
use counterpart::session::*;
use counterpart::{Driver, Error, Proof, Read, Schedule, StepResult, Write};

counterpart::message! { Act: [u32; 2]; Grad: [u32; 2]; }
counterpart::task! { forward; backward; loss; }

type F<const M: i64> = Compute<forward, (Ix<M>,), HList![Writes<Val<Act, (Ix<M>,)>>]>;
type B<const M: i64> =
    Compute<backward, (Ix<M>,), HList![Reads<Val<Grad, (Ix<M>,)>>, After<forward, (Ix<M>,)>]>;
type L<const M: i64> =
    Compute<loss, (Ix<M>,), HList![Reads<Val<Act, (Ix<M>,)>>, Writes<Val<Grad, (Ix<M>,)>>]>;
type SendAct<const M: i64> = Send<Rank<1>, Val<Act, (Ix<M>,)>>;
type RecvGrad<const M: i64> = Recv<Rank<1>, Val<Grad, (Ix<M>,)>>;
type RecvAct<const M: i64> = Recv<Rank<0>, Val<Act, (Ix<M>,)>>;
type SendGrad<const M: i64> = Send<Rank<0>, Val<Grad, (Ix<M>,)>>;

/// The forward of micro-batch 1 overlaps with the backward of micro-batch 0.
struct Pair;

impl Schedule for Pair {
    const NAME: &'static str = "Pair";
    type Ranks = HList![
        Program<
            Rank<0>,
            HList![F<0>, SendAct<0>, RecvGrad<0>, Overlap<HList![F<1>, B<0>]>, SendAct<1>, RecvGrad<1>, B<1>,],
        >,
        Program<Rank<1>, HList![RecvAct<0>, L<0>, SendGrad<0>, RecvAct<1>, L<1>, SendGrad<1>]>,
    ];
    type Coverage = HList![
        Covers<forward, HList![Range<0, 2>]>,
        Covers<backward, HList![Range<0, 2>]>,
        Covers<loss, HList![Range<0, 2>]>,
    ];
    const PROOF: Proof<Pair> = Proof::new();
}
counterpart::prove!(Pair);

/// What ran, in order.
#[derive(Default)]
struct Log(Vec<String>);

impl Perform<Threads, Log> for forward {
    type Buffers<'u> = HList![Place<Write<'u, Act, Threads>>];

    fn perform(log: &mut Log, at: [usize; 4], hlist_pat![act]: Self::Buffers<'_>) -> StepResult {
        Write::required(act)?.fill(at[0] as u32 + 1);
        log.0.push(format!("F{}", at[0]));
        Ok(())
    }
}

impl Perform<Threads, Log> for backward {
    type Buffers<'u> = HList![Place<Read<'u, Grad, Threads>>];

    fn perform(log: &mut Log, at: [usize; 4], hlist_pat![grad]: Self::Buffers<'_>) -> StepResult {
        assert_eq!(Read::required(grad)?[..], [10 * (at[0] as u32 + 1); 2]);
        log.0.push(format!("B{}", at[0]));
        Ok(())
    }
}

impl Perform<Threads, Log> for loss {
    type Buffers<'u> = HList![Place<Read<'u, Act, Threads>>, Place<Write<'u, Grad, Threads>>];

    fn perform(_: &mut Log, _: [usize; 4], hlist_pat![act, grad]: Self::Buffers<'_>) -> StepResult {
        let act = Read::required(act)?;
        Write::required(grad)?.iter_mut().zip(&act[..]).for_each(|(grad, act)| *grad = 10 * act);
        Ok(())
    }
}

#[test]
fn a_driver_runs_the_parts_in_their_order() {
    let logs = threads::run(2, Config::new(), |mut backend: Threads| {
        let mut log = Log::default();
        Driver::<Pair, Threads>::new(&mut backend)?.run(&mut backend, &mut log)?;
        backend.finish()?;
        Ok(log.0)
    });
    assert_eq!(logs.expect("it runs")[0], ["F0", "F1", "B0", "B1"]);
    let plan = Pair::plan();
    assert_eq!(plan.describe(0, 3).as_deref(), Some("rank 0, step 3: `forward[1] + backward[0]`"));
}

#[test]
fn an_endpoint_takes_them_as_one_step() {
    fn first(backend: &mut Threads) -> Result<(), Error> {
        Pair::open(Rank::<0>, backend, |mut rank| {
            let act = rank.alloc::<Act>()?;
            let mut grad = rank.alloc::<Grad>()?;
            let rank = rank.compute::<forward>(|_| Ok(()))?.send(Rank::<1>, &act)?;
            let rank = rank.recv(Rank::<1>, &mut grad)?;
            let rank = rank.overlap::<HList![forward, backward]>(|at| {
                assert_eq!(at, [[1, 0, 0, 0], [0; 4]]);
                Ok(())
            })?;
            let rank = rank.send(Rank::<1>, &act)?.recv(Rank::<1>, &mut grad)?;
            rank.compute::<backward>(|_| Ok(()))?.finish()
        })
    }
    fn second(backend: &mut Threads) -> Result<(), Error> {
        Pair::open(Rank::<1>, backend, |mut rank| {
            let mut act = rank.alloc::<Act>()?;
            let grad = rank.alloc::<Grad>()?;
            let rank = rank.recv(Rank::<0>, &mut act)?.compute::<loss>(|_| Ok(()))?.send(Rank::<0>, &grad)?;
            let rank = rank.recv(Rank::<0>, &mut act)?.compute::<loss>(|_| Ok(()))?.send(Rank::<0>, &grad)?;
            rank.finish()
        })
    }
    let done = threads::run(2, Config::new(), |mut backend: Threads| {
        match backend.rank() {
            0 => first(&mut backend)?,
            _ => second(&mut backend)?,
        }
        backend.finish()
    });
    done.expect("both ranks come to their end");
}
