//! 1F1B on threads, at several sizes in one program: every value arrives where it belongs.

use counterpart::backend::threads::{self, Config, Threads};
use counterpart::backend::{Backend, Counting};
use counterpart::core::Model;
use counterpart::drive::DriveRanks;
use counterpart::{Driver, Read, Schedule, StepResult, Write};

counterpart::schedule! {
    /// One-forward-one-backward, one stage per rank.
    pub schedule OneF1B(P, M);

    message Act[s, m]: [f32; 2, 3];
    message Grad[s, m]: [f64; 4];

    compute forward(s in 0..P, m in 0..M) {
        reads  Act[s, m]      if s > 0;
        writes Act[s + 1, m]  if s + 1 < P;
    }
    compute backward(s in 0..P, m in 0..M) {
        after  forward[s, m];
        reads  Act[s, m]      if s > 0;
        reads  Grad[s + 1, m] if s + 1 < P;
        writes Grad[s, m]     if s > 0;
    }

    memory r <= min(M, P - r) + 2 Act;

    rank r in 0..P {
        let first = r == 0;
        let last = r + 1 == P;
        let warmup = min(M, P - 1 - r);
        for m in 0..warmup {
            recv Act[r, m] from r - 1 if !first;
            forward(r, m);
            send Act[r + 1, m] to r + 1 if !last;
        }
        let steady = M - warmup;
        recv Act[r, warmup] from r - 1 if !first && steady > 0;
        for k in 0..steady {
            forward(r, warmup + k);
            batch {
                send Act[r + 1, warmup + k] to r + 1 if !last;
                recv Grad[r + 1, k] from r + 1 if !last;
            }
            backward(r, k);
            batch {
                send Grad[r, k] to r - 1 if !first;
                recv Act[r, warmup + k + 1] from r - 1 if !first && k + 1 < steady;
            }
        }
        for m in steady..M {
            recv Grad[r + 1, m] from r + 1 if !last;
            backward(r, m);
            send Grad[r, m] to r - 1 if !first;
        }
    }

    instance OneF1B<1, 3>;
    instance OneF1B<2, 2>;
    instance OneF1B<4, 2>;
    instance OneF1B<4, 8>;
    instance OneF1B<16, 20>;
}

/// Checks that each compute step gets the value of its own indices, and counts the steps.
#[derive(Default)]
struct Stage {
    forwards: Vec<(usize, usize)>,
    backwards: Vec<(usize, usize)>,
}

fn act(s: usize, m: usize) -> f32 {
    (1000 * s + m) as f32
}

impl one_f1b::Compute for Stage {
    fn forward(
        &mut self,
        s: usize,
        m: usize,
        act_in: Option<Read<'_, one_f1b::Act, Threads>>,
        act_out: Option<Write<'_, one_f1b::Act, Threads>>,
    ) -> StepResult {
        assert_eq!(act_in.is_some(), s > 0);
        if let Some(act_in) = act_in {
            assert_eq!(*act_in, [act(s, m); 6]);
        }
        if let Some(mut act_out) = act_out {
            act_out.fill(act(s + 1, m));
        }
        self.forwards.push((s, m));
        Ok(())
    }

    fn backward(
        &mut self,
        s: usize,
        m: usize,
        act_in: Option<Read<'_, one_f1b::Act, Threads>>,
        grad_in: Option<Read<'_, one_f1b::Grad, Threads>>,
        grad_out: Option<Write<'_, one_f1b::Grad, Threads>>,
    ) -> StepResult {
        // The activation that entered the stage is still there.
        if let Some(act_in) = act_in {
            assert_eq!(*act_in, [act(s, m); 6]);
        }
        if let Some(grad_in) = grad_in {
            assert_eq!(*grad_in, [-f64::from(act(s + 1, m)); 4]);
        }
        if let Some(mut grad_out) = grad_out {
            grad_out.fill(-f64::from(act(s, m)));
        }
        self.backwards.push((s, m));
        Ok(())
    }
}

fn run<S>(ranks: usize, micro_batches: usize)
where
    S: Schedule,
    S::Ranks: DriveRanks<Threads, Stage>,
{
    let stages = threads::run(ranks, Config::new(), |mut backend: Threads| {
        let mut driver = Driver::<S, _>::new(&mut backend)?;
        let mut stage = Stage::default();
        driver.run(&mut backend, &mut stage)?;
        driver.run(&mut backend, &mut stage)?;
        backend.finish()?;
        Ok(stage)
    });
    for (rank, stage) in stages.expect("a proven schedule runs to its end").into_iter().enumerate() {
        let twice: Vec<_> = (0..2).flat_map(|_| (0..micro_batches).map(|m| (rank, m))).collect();
        assert_eq!(stage.forwards, twice);
        assert_eq!(stage.backwards, twice);
    }
}

#[test]
fn every_size_runs() {
    run::<OneF1B<1, 3>>(1, 3);
    run::<OneF1B<2, 2>>(2, 2);
    run::<OneF1B<4, 2>>(4, 2);
    run::<OneF1B<4, 8>>(4, 8);
    run::<OneF1B<16, 20>>(16, 20);
}

#[test]
fn its_plan_has_the_same_verdict() {
    let plan = OneF1B::<4, 8>::plan();
    assert_eq!(plan.name, "OneF1B<4, 8>");
    // 8 forwards and 8 backwards on each rank; 11, 21, 19 and 9 communication steps.
    assert_eq!((plan.ranks(), plan.len()), (4, 124));
    for model in Model::ALL {
        assert!(plan.verify(model).is_safe(), "{model}");
    }
}

#[test]
fn its_peak_is_a_constant() {
    const PEAK: &[counterpart::Peak] = OneF1B::<4, 8>::PEAK;
    let acts: Vec<usize> = PEAK.iter().map(counterpart::Peak::count::<one_f1b::Act>).collect();
    let grads: Vec<usize> = PEAK.iter().map(counterpart::Peak::count::<one_f1b::Grad>).collect();
    // The ends have one. The others keep the activations of P - r micro-batches, and the one that they send.
    assert_eq!(acts, [1, 4, 3, 1]);
    assert_eq!(grads, [1, 2, 2, 1]);
    assert_eq!(PEAK[1].bytes(), 4 * 24 + 2 * 32);
}

#[test]
fn another_number_of_ranks_is_refused() {
    let refused = threads::run(3, Config::new(), |mut backend: Threads| {
        Driver::<OneF1B<4, 8>, _>::new(&mut backend).map(|_| ())
    });
    let message = refused.expect_err("4 ranks are not 3").to_string();
    assert!(message.contains("is for 4 ranks"), "{message}");
}

#[test]
fn the_calls_are_those_of_the_plan() {
    struct Idle;
    impl<B: Backend> one_f1b::Compute<B> for Idle {
        fn forward(
            &mut self,
            _: usize,
            _: usize,
            _: Option<Read<'_, one_f1b::Act, B>>,
            _: Option<Write<'_, one_f1b::Act, B>>,
        ) -> StepResult {
            Ok(())
        }

        fn backward(
            &mut self,
            _: usize,
            _: usize,
            _: Option<Read<'_, one_f1b::Act, B>>,
            _: Option<Read<'_, one_f1b::Grad, B>>,
            _: Option<Write<'_, one_f1b::Grad, B>>,
        ) -> StepResult {
            Ok(())
        }
    }
    for rank in 0..4 {
        let mut backend = Counting::new(rank, 4);
        let mut driver = Driver::<OneF1B<4, 8>, _>::new(&mut backend).expect("4 ranks");
        driver.run(&mut backend, &mut Idle).expect("nothing fails");
        let counts = backend.counts();
        // Forward and backward each send 8 messages over every edge.
        let (before, after) = (u64::from(rank > 0), u64::from(rank < 3));
        let sent = 8 * after * 24 + 8 * before * 32;
        assert_eq!((counts.computes, counts.bytes), (16, sent));
    }
}
