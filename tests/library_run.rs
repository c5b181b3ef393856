//! Schedules of the library on threads, each with its proof, with values that say what they are.

use std::time::Duration;

use counterpart::backend::threads::{self, Config};
use counterpart::backend::{Backend, Threads};
use counterpart::core::{Model, Plan};
use counterpart::drive::DriveRanks;
use counterpart::{Driver, Read, Schedule, StepResult, Write, schedule};

/// How many compute steps a rank has run: forwards, backwards or input gradients, weight gradients.
#[derive(Debug, Default, PartialEq)]
struct Log {
    forward: usize,
    backward: usize,
    weight: usize,
}

/// What a value carries: which family it is of, and its indices.
fn mark(family: u64, c: usize, s: usize, m: usize) -> u64 {
    ((family * 10 + c as u64) * 1000 + s as u64) * 1000 + m as u64
}

fn expect(value: Option<&[u64]>, mark: u64) {
    if let Some(value) = value {
        assert_eq!(value, [mark; 4]);
    }
}

macro_rules! forward {
    ($($c:ident)?) => {
        fn forward(
            &mut self,
            $($c: usize,)?
            s: usize,
            m: usize,
            act_in: Option<Read<'_, Act, Threads>>,
            act_out: Option<Write<'_, Act, Threads>>,
        ) -> StepResult {
            let c = 0 $(+ $c)?;
            expect(act_in.as_deref(), mark(1, c, s, m));
            if let Some(mut act) = act_out {
                act.fill(mark(1, c, s + 1, m));
            }
            self.forward += 1;
            Ok(())
        }
    };
}

macro_rules! backward {
    ($name:ident $($c:ident)?) => {
        fn $name(
            &mut self,
            $($c: usize,)?
            s: usize,
            m: usize,
            grad_in: Option<Read<'_, Grad, Threads>>,
            grad_out: Option<Write<'_, Grad, Threads>>,
        ) -> StepResult {
            let c = 0 $(+ $c)?;
            expect(grad_in.as_deref(), mark(2, c, s + 1, m));
            if let Some(mut grad) = grad_out {
                grad.fill(mark(2, c, s, m));
            }
            self.backward += 1;
            Ok(())
        }
    };
}

macro_rules! weight {
    ($($c:ident)?) => {
        fn backward_weight(&mut self, $($c: usize,)? _: usize, _: usize) -> StepResult {
            $(let _ = $c;)?
            self.weight += 1;
            Ok(())
        }
    };
}

/// Declares `S`, the schedule of the library `$base` at these sizes, in a module of its own.
macro_rules! library {
    ($($module:ident $kind:ident $base:ident $(<$($size:tt),*>)*;)*) => {$(
        mod $module {
            use super::*;
            library! { @$kind $base $(<$($size),*>)* }

            #[test]
            fn runs_on_threads() {
                $(run::<S<$($size),*>>();)*
            }
        }
    )*};
    (@whole $base:ident $($sizes:tt)*) => {
        library! { @declare $base [s, m] $($sizes)* }
        impl Compute for Log { forward!(); backward!(backward); }
    };
    (@split $base:ident $($sizes:tt)*) => {
        library! { @declare $base [s, m] $($sizes)* }
        impl Compute for Log { forward!(); backward!(backward_input); weight!(); }
    };
    (@two $base:ident $($sizes:tt)*) => {
        library! { @declare $base [c, s, m] $($sizes)* }
        impl Compute for Log { forward!(c); backward!(backward c); }
    };
    (@two_split $base:ident $($sizes:tt)*) => {
        library! { @declare $base [c, s, m] $($sizes)* }
        impl Compute for Log { forward!(c); backward!(backward_input c); weight!(c); }
    };
    (@declare $base:ident $indices:tt $(<$($size:tt),*>)*) => {
        schedule! {
            schedule S = $base;
            message Act $indices: [u64; 4];
            message Grad $indices: [u64; 4];
            $(instance S<$($size),*>;)*
        }
        use s::{Act, Compute, Grad};
    };
}

library! {
    gpipe           whole     GPipe                 <1, 3> <2, 1> <3, 2> <4, 8>;
    one_f1b         whole     OneF1B                <1, 3> <2, 1> <3, 2> <4, 8>;
    interleaved     whole     Interleaved1F1B       <1, 2, 3> <2, 2, 1> <2, 3, 4> <4, 2, 10, 5>;
    deepspeed       whole     DeepSpeed             <1, 3> <2, 1> <3, 2> <4, 8>;
    chimera         two       Chimera               <2, 2> <4, 8>;
    looped_bfs      whole     LoopedBFS             <1, 2, 3> <2, 2, 1> <4, 2, 8>;
    zb_h1           split     ZBH1                  <1, 3> <2, 1> <3, 2> <4, 8>;
    interleaved_zb  split     InterleavedZeroBubble <1, 2, 3> <2, 2, 1> <4, 2, 8>;
    zbv             split     ZBV                   <1, 3> <2, 1> <3, 2> <4, 8>;
    dualpipe        two_split DualPipe              <2, 4> <4, 8> <4, 12>;
    dualpipev       split     DualPipeV             <1, 2> <2, 4> <3, 7> <4, 8>;
}

/// Runs a schedule on threads; every rank runs what its program lists.
fn run<S>()
where
    S: Schedule<Ranks: DriveRanks<Threads, Log>>,
{
    let plan = S::plan();
    for model in Model::ALL {
        assert!(plan.verify(model).is_safe(), "{} under {model}", S::NAME);
    }
    let config = Config::new().deadline(Duration::from_secs(60));
    let logs = threads::run(plan.ranks(), config, |mut backend: Threads| {
        let mut log = Log::default();
        Driver::<S, Threads>::new(&mut backend)?.run(&mut backend, &mut log)?;
        backend.finish()?;
        Ok(log)
    });
    let expected: Vec<Log> = (0..plan.ranks()).map(|rank| listed(&plan, rank)).collect();
    assert_eq!(logs.expect("it runs"), expected, "{}", S::NAME);
}

fn listed(plan: &Plan, rank: usize) -> Log {
    let names = plan.names();
    let mut log = Log::default();
    for name in plan.steps(rank).iter().flat_map(|step| plan.compute_names(step)) {
        match names[name.family() as usize].text {
            "forward" => log.forward += 1,
            "backward" | "backward_input" => log.backward += 1,
            "backward_weight" => log.weight += 1,
            other => panic!("{other} is no compute step of the library"),
        }
    }
    log
}
