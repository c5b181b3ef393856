//! What a rank does in the compute steps of a schedule, whichever schedule it is.

use std::collections::BTreeMap;

use counterpart::StepResult;
use ndarray::{Array2, ArrayView2, ArrayViewMut2};

use crate::data::{Digits, ROWS};
use crate::model::{Layer, Parameters, Score, WIDTH, cross_entropy};
use crate::stage::Stage;

/// A rank, with its stages and the batch of the present training step.
#[derive(Debug)]
pub struct Rank {
    stages: BTreeMap<usize, Stage>,
    batch: Digits,
    /// The end of the forward pass of every micro-batch; only used on the last stage.
    ends: Vec<End>,
    /// The sum of the gradients of every layer of a stage, while it is being summed.
    sums: BTreeMap<usize, Vec<Parameters>>,
    /// How well the batch was recognised, while it is being summed.
    score: Score,
}

#[derive(Clone, Debug, Default)]
struct End {
    score: Score,
    grad_logits: Array2<f32>,
}

impl Rank {
    /// A rank that trains these stages of a model that is split into `stages` of them.
    pub fn new(
        model: &[Layer],
        own: impl IntoIterator<Item = usize>,
        stages: usize,
        micro_batches: usize,
    ) -> Rank {
        let stage = |s| (s, Stage::new(model, s, stages, micro_batches));
        Rank {
            stages: own.into_iter().map(stage).collect(),
            batch: Digits::default(),
            ends: vec![End::default(); micro_batches],
            sums: BTreeMap::new(),
            score: Score::default(),
        }
    }

    /// Begins a training step.
    pub fn begin(&mut self, batch: Digits) {
        self.batch = batch;
        self.score = Score::default();
        let zeros =
            |(&s, stage): (&usize, &Stage)| (s, stage.layers().iter().map(Layer::no_gradient).collect());
        self.sums = self.stages.iter().map(zeros).collect();
    }

    /// Micro-batches in a batch.
    pub fn micro_batches(&self) -> usize {
        self.ends.len()
    }

    /// Layers of one of its stages.
    pub fn depth(&self, s: usize) -> usize {
        self.stages[&s].layers().len()
    }

    /// Adds the gradients of these micro-batches to the sum of a layer of a stage.
    pub fn add_gradients(&mut self, (s, l): (usize, usize), micro_batches: core::ops::Range<usize>) {
        let sums = self.sums.get_mut(&s).expect("one of its stages");
        self.stages[&s].add_gradients(micro_batches, l, &mut sums[l]);
    }

    /// Adds the scores of these micro-batches.
    pub fn add_scores(&mut self, micro_batches: core::ops::Range<usize>) {
        self.ends[micro_batches].iter().for_each(|end| self.score += end.score);
    }

    /// The score so far.
    pub fn score(&mut self) -> &mut Score {
        &mut self.score
    }

    /// The sum of the gradients of a layer of a stage.
    pub fn sum(&mut self, (s, l): (usize, usize)) -> &mut Parameters {
        &mut self.sums.get_mut(&s).expect("one of its stages")[l]
    }

    /// The stages of this rank.
    pub fn stages(&self) -> Vec<usize> {
        self.stages.keys().copied().collect()
    }

    /// Ends a training step: the stages learn. Returns how well the batch was recognised.
    pub fn end(&mut self) -> Score {
        for (s, stage) in &mut self.stages {
            stage.update(&self.sums[s]);
        }
        self.score
    }

    /// Its stages, with their layers.
    pub fn layers(&self) -> Vec<(usize, Vec<Layer>)> {
        self.stages.iter().map(|(&s, stage)| (s, stage.layers().to_vec())).collect()
    }

    /// Takes micro-batch `m` through stage `s`; the first stage begins with images, the last one ends at the loss. The stage
    /// keeps its input, where `keep` says so.
    ///
    /// # Errors
    /// When a value has another shape.
    pub fn forward(
        &mut self,
        (s, m): (usize, usize),
        input: Option<&[f32]>,
        output: Option<&mut [f32]>,
        keep: bool,
    ) -> StepResult {
        let (images, labels) = self.batch.micro_batch(m);
        let stage = self.stages.get_mut(&s).expect("one of its stages");
        let input = match input {
            Some(act) => ArrayView2::from_shape((ROWS, WIDTH), act)?,
            None => images,
        };
        if keep {
            stage.keep(m, input);
        }
        let result = stage.forward(m, input);
        match output {
            Some(act) => result.assign_to(ArrayViewMut2::from_shape((ROWS, WIDTH), act)?),
            None => {
                let (score, grad_logits) = cross_entropy(result, labels, self.batch.len());
                self.ends[m] = End { score, grad_logits };
            }
        }
        Ok(())
    }

    /// Takes the gradient of micro-batch `m` back through stage `s`, which begins at the loss on the last stage.
    ///
    /// # Errors
    /// When a value has another shape.
    pub fn backward_input(
        &mut self,
        (s, m): (usize, usize),
        grad: Option<&[f32]>,
        output: Option<&mut [f32]>,
    ) -> StepResult {
        let grad = match grad {
            Some(grad) => ArrayView2::from_shape((ROWS, WIDTH), grad)?.to_owned(),
            None => std::mem::take(&mut self.ends[m].grad_logits),
        };
        let stage = self.stages.get_mut(&s).expect("one of its stages");
        let grad_input = stage.backward_input(m, grad);
        if let Some(grad) = output {
            grad_input.assign_to(ArrayViewMut2::from_shape((ROWS, WIDTH), grad)?);
        }
        Ok(())
    }

    /// Completes the backward of micro-batch `m` on stage `s`, which has kept its input.
    pub fn backward_weight(&mut self, (s, m): (usize, usize)) {
        self.stages.get_mut(&s).expect("one of its stages").backward_weight(m, None);
    }

    /// The same where the schedule has kept the input, if it is none of the images.
    ///
    /// # Errors
    /// When a value has another shape.
    pub fn backward_weight_of(&mut self, (s, m): (usize, usize), input: Option<&[f32]>) -> StepResult {
        let input = match input {
            Some(act) => ArrayView2::from_shape((ROWS, WIDTH), act)?,
            None => self.batch.micro_batch(m).0,
        };
        self.stages.get_mut(&s).expect("one of its stages").backward_weight(m, Some(input));
        Ok(())
    }
}
