//! A forward and a backward of other micro-batches at once, a whole backward as its two halves, and a step with its own
//! overlapped part before it: all of it legal.

use counterpart::backend::Threads;
use counterpart::{Read, StepResult, Write, schedule};

schedule! {
    /// Each turn runs the forward of one micro-batch with both halves of the backward of the one before.
    schedule Pairs(M);
    message Act[m]:  [u64; 1];
    message Grad[m]: [u64; 1];
    compute forward(m in 0..M) on 0 { writes Act[m]; }
    compute loss(m in 0..M) on 1 { reads Act[m]; writes Grad[m]; }
    compute input(m in 0..M) on 0 { reads Grad[m]; after forward[m]; }
    compute weight(m in 0..M) on 0 { after input[m]; }
    comms auto;
    rank 0 {
        forward(0);
        for m in 1..M {
            overlap { forward(m); input(m - 1); weight(m - 1); }
        }
        overlap { input(M - 1); weight(M - 1); }
    }
    rank 1 {
        for m in 0..M { loss(m); }
    }
    instance Pairs<1>;
    instance Pairs<6>;
}

use pairs::{Act, Compute, Grad};

#[derive(Default)]
struct Log(Vec<(char, usize)>);

impl Compute for Log {
    fn forward(&mut self, m: usize, mut act: Write<'_, Act, Threads>) -> StepResult {
        act[0] = m as u64;
        self.0.push(('F', m));
        Ok(())
    }

    fn loss(&mut self, m: usize, act: Read<'_, Act, Threads>, mut grad: Write<'_, Grad, Threads>) -> StepResult {
        assert_eq!(act[0], m as u64);
        grad[0] = 10 * act[0];
        Ok(())
    }

    fn input(&mut self, m: usize, grad: Read<'_, Grad, Threads>) -> StepResult {
        assert_eq!(grad[0], 10 * m as u64);
        self.0.push(('I', m));
        Ok(())
    }

    fn weight(&mut self, m: usize) -> StepResult {
        self.0.push(('W', m));
        Ok(())
    }
}

#[test]
fn runs() {
    let logs = crate::run_with::<Pairs<6>, Log>(|_| Log::default());
    let mut once = vec![('F', 0)];
    once.extend((1..6).flat_map(|m| [('F', m), ('I', m - 1), ('W', m - 1)]));
    once.extend([('I', 5), ('W', 5)]);
    assert_eq!(logs[0].0, [once.clone(), once].concat());
    crate::run_with::<Pairs<1>, Log>(|_| Log::default());
}
