//! What a rank does in the compute steps of the schedule.

use counterpart::backend::Threads;
use counterpart::{Read, StepResult, Write};
use ndarray::{Array2, ArrayView2, ArrayViewMut2};

use crate::data::{Digits, ROWS};
use crate::model::{Layer, Score, WIDTH, cross_entropy};
use crate::schedule::one_f1b::{Act, Compute, Grad};
use crate::stage::Stage;

/// A rank, with its stage and the batch of the present training step.
#[derive(Debug)]
pub struct Rank {
    stage: Stage,
    batch: Digits,
    /// The end of the forward pass of every micro-batch; only used on the last stage.
    ends: Vec<End>,
}

#[derive(Clone, Debug, Default)]
struct End {
    score: Score,
    grad_logits: Array2<f32>,
}

impl Rank {
    /// A rank that trains `stage`.
    pub fn new(stage: Stage, micro_batches: usize) -> Rank {
        Rank { stage, batch: Digits::default(), ends: vec![End::default(); micro_batches] }
    }

    /// Begins a training step.
    pub fn begin(&mut self, batch: Digits) {
        self.batch = batch;
    }

    /// Ends a training step: the stage learns. Returns how well the batch was recognised, which the last rank knows.
    pub fn end(&mut self) -> Score {
        self.stage.update();
        let mut total = Score::default();
        for end in &self.ends {
            total += end.score;
        }
        total
    }

    /// The layers of its stage.
    pub fn layers(&self) -> &[Layer] {
        self.stage.layers()
    }
}

impl Compute for Rank {
    fn forward(
        &mut self,
        _s: usize,
        m: usize,
        act_in: Option<Read<'_, Act, Threads>>,
        act_out: Option<Write<'_, Act, Threads>>,
    ) -> StepResult {
        let (images, labels) = self.batch.micro_batch(m);
        let input = match &act_in {
            Some(act) => ArrayView2::from_shape((ROWS, WIDTH), act)?,
            None => images,
        };
        let output = self.stage.forward(m, input);
        match act_out {
            Some(mut act) => output.assign_to(ArrayViewMut2::from_shape((ROWS, WIDTH), &mut act)?),
            None => {
                let (score, grad_logits) = cross_entropy(output, labels, self.batch.len());
                self.ends[m] = End { score, grad_logits };
            }
        }
        Ok(())
    }

    fn backward(
        &mut self,
        _s: usize,
        m: usize,
        act: Option<Read<'_, Act, Threads>>,
        grad_in: Option<Read<'_, Grad, Threads>>,
        grad_out: Option<Write<'_, Grad, Threads>>,
    ) -> StepResult {
        let input = match &act {
            Some(act) => ArrayView2::from_shape((ROWS, WIDTH), act)?,
            None => self.batch.micro_batch(m).0,
        };
        let grad_output = match grad_in {
            Some(grad) => ArrayView2::from_shape((ROWS, WIDTH), &grad)?.to_owned(),
            None => std::mem::take(&mut self.ends[m].grad_logits),
        };
        let grad_input = self.stage.backward(m, input, grad_output);
        if let Some(mut grad) = grad_out {
            grad_input.assign_to(ArrayViewMut2::from_shape((ROWS, WIDTH), &mut grad)?);
        }
        Ok(())
    }
}
