//! One-forward-one-backward with two micro-batches on four ranks: the pipeline never fills.

counterpart::schedule! {
    schedule Short(P, M);
    message Act[s, m]: [f32; 2];
    message Grad[s, m]: [f32; 2];

    compute forward(s in 0..P, m in 0..M) {
        reads  Act[s, m]     if s > 0;
        writes Act[s + 1, m] if s + 1 < P;
    }
    compute backward(s in 0..P, m in 0..M) {
        after  forward[s, m];
        reads  Grad[s + 1, m] if s + 1 < P;
        writes Grad[s, m]     if s > 0;
    }

    rank r in 0..P {
        let first = r == 0;
        let last = r + 1 == P;
        let warmup = min(M, P - 1 - r);
        for m in 0..warmup {
            recv Act[r, m] from r - 1 if !first;
            forward(r, m);
            send Act[r + 1, m] to r + 1;
        }
        recv Act[r, warmup] from r - 1 if !first && warmup < M;
        for m in warmup..M {
            forward(r, m);
            batch {
                send Act[r + 1, m] to r + 1 if !last;
                recv Grad[r + 1, m - warmup] from r + 1 if !last;
            }
            backward(r, m - warmup);
            batch {
                send Grad[r, m - warmup] to r - 1 if !first;
                recv Act[r, m + 1] from r - 1 if !first && m + 1 < M;
            }
        }
        for m in M - warmup..M {
            recv Grad[r + 1, m] from r + 1;
            backward(r, m);
            send Grad[r, m] to r - 1 if !first;
        }
    }

    instance Short<4, 2>;
    instance Short<4, 1>;
    instance Short<1, 1>;
}

struct Stage(usize);

type Tensor<'a, F> = Option<counterpart::Read<'a, F, counterpart::backend::Threads>>;
type Made<'a, F> = Option<counterpart::Write<'a, F, counterpart::backend::Threads>>;

impl short::Compute for Stage {
    fn forward(
        &mut self,
        s: usize,
        m: usize,
        act_in: Tensor<'_, short::Act>,
        act_out: Made<'_, short::Act>,
    ) -> counterpart::StepResult {
        assert!(act_in.is_none_or(|act| *act == [(s * 10 + m) as f32; 2]));
        act_out.into_iter().for_each(|mut act| act.fill(((s + 1) * 10 + m) as f32));
        self.0 += 1;
        Ok(())
    }

    fn backward(
        &mut self,
        s: usize,
        m: usize,
        grad_in: Tensor<'_, short::Grad>,
        grad_out: Made<'_, short::Grad>,
    ) -> counterpart::StepResult {
        assert!(grad_in.is_none_or(|grad| *grad == [((s + 1) * 10 + m) as f32; 2]));
        grad_out.into_iter().for_each(|mut grad| grad.fill((s * 10 + m) as f32));
        self.0 += 1;
        Ok(())
    }
}

#[test]
fn runs() {
    let stages = crate::run_with::<Short<4, 2>, _>(|_| Stage(0));
    assert!(stages.iter().all(|stage| stage.0 == 2 * 4));
    crate::run_with::<Short<4, 1>, _>(|_| Stage(0));
    crate::run_with::<Short<1, 1>, _>(|_| Stage(0));
}
