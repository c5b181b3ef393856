//! The schedule that is written out: one-forward-one-backward, with its sends, receives and batches.

use counterpart::backend::Threads;
use counterpart::{Read, StepResult, Write, schedule};

use crate::data::ROWS;
use crate::drive::{Chains, Instance};
use crate::model::WIDTH;
use crate::rank::Rank;
use one_f1b::{Act, Compute, Grad};

schedule! {
    /// One-forward-one-backward: a pipeline of `P` stages, one per rank, and `M` micro-batches in every step.
    ///
    /// Rank `r` warms up with `P - 1 - r` forwards, so that the last rank can begin with its backwards; then every rank
    /// takes one forward and one backward in turn, and what crosses between neighbours crosses in one batch. An
    /// activation is forgotten after its backward, so that rank `r` never keeps more than `P - r` of them, however
    /// many micro-batches there are.
    pub schedule OneF1B(P, M);

    /// Enters stage `s`.
    message Act[s, m]:  [f32; ROWS, WIDTH];
    /// Gradient of the loss by what stage `s` was given.
    message Grad[s, m]: [f32; ROWS, WIDTH];

    /// Takes micro-batch `m` through stage `s`; the first stage begins with images, the last one ends at the loss.
    compute forward(s in 0..P, m in 0..M) {
        reads  Act[s, m]      if s > 0;
        writes Act[s + 1, m]  if s + 1 < P;
    }

    /// Takes the gradient of micro-batch `m` back through stage `s`.
    compute backward(s in 0..P, m in 0..M) {
        after  forward[s, m];
        reads  Act[s, m]      if s > 0;
        reads  Grad[s + 1, m] if s + 1 < P;
        writes Grad[s, m]     if s > 0;
    }

    // Those that it keeps, and one on its way to the next rank.
    memory r <= min(M, P - r) + 1 Act;
    memory r <= 2 Grad;

    rank r in 0..P {
        let first = r == 0;
        let last = r + 1 == P;
        let warmup = min(M, P - 1 - r);
        let steady = M - warmup;

        for m in 0..warmup {
            recv Act[r, m] from r - 1 if !first;
            forward(r, m);
            send Act[r + 1, m] to r + 1;
        }

        recv Act[r, warmup] from r - 1 if !first && steady > 0;
        for m in 0..steady {
            forward(r, warmup + m);
            batch {
                send Act[r + 1, warmup + m] to r + 1 if !last;
                recv Grad[r + 1, m] from r + 1 if !last;
            }
            backward(r, m);
            batch {
                send Grad[r, m] to r - 1 if !first;
                recv Act[r, warmup + m + 1] from r - 1 if !first && m + 1 < steady;
            }
        }

        for m in steady..M {
            recv Grad[r + 1, m] from r + 1;
            backward(r, m);
            send Grad[r, m] to r - 1 if !first;
        }
    }

    instance OneF1B<1, 1>; instance OneF1B<1, 4>; instance OneF1B<1, 8>;
    instance OneF1B<2, 1>; instance OneF1B<2, 4>; instance OneF1B<2, 8>;
    instance OneF1B<3, 1>; instance OneF1B<3, 4>; instance OneF1B<3, 8>;
    instance OneF1B<4, 1>; instance OneF1B<4, 4>; instance OneF1B<4, 8>;
}

impl Compute for Rank {
    fn forward(
        &mut self,
        s: usize,
        m: usize,
        act_in: Option<Read<'_, Act, Threads>>,
        mut act_out: Option<Write<'_, Act, Threads>>,
    ) -> StepResult {
        Rank::forward(self, (s, m), act_in.as_deref(), act_out.as_deref_mut(), false)
    }

    fn backward(
        &mut self,
        s: usize,
        m: usize,
        act: Option<Read<'_, Act, Threads>>,
        grad_in: Option<Read<'_, Grad, Threads>>,
        mut grad_out: Option<Write<'_, Grad, Threads>>,
    ) -> StepResult {
        self.backward_input((s, m), grad_in.as_deref(), grad_out.as_deref_mut())?;
        self.backward_weight_of((s, m), act.as_deref())
    }
}

/// The instances of the schedule.
pub fn instances() -> Vec<Instance> {
    macro_rules! instances {
        ($($stages:literal: $($micro_batches:literal)*;)*) => {
            vec![$($(Instance::of::<OneF1B<$stages, $micro_batches>>(Chains::One)),*),*]
        };
    }
    instances! {
        1: 1 4 8;
        2: 1 4 8;
        3: 1 4 8;
        4: 1 4 8;
    }
}
