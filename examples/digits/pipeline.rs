//! The training split over pipeline stages.

use ndarray::{Array2, ArrayView2, ArrayViewMut2};

use crate::Result;
use crate::data::{Digits, ROWS};
use crate::model::{Layer, Score, WIDTH, cross_entropy};
use crate::stage::Stage;
use crate::train::Trainer;

/// The numbers of stages that this program has been built for.
pub const STAGES: [&str; 4] = ["1", "2", "3", "4"];
/// The numbers of micro-batches that this program has been built for.
pub const MICRO_BATCHES: [&str; 5] = ["1", "2", "4", "8", "16"];

/// The model, one stage per rank.
#[derive(Debug)]
pub struct Pipeline {
    stages: Vec<Stage>,
    micro_batches: usize,
}

impl Pipeline {
    /// Splits `layers` over `stages` stages.
    pub fn new(layers: Vec<Layer>, stages: usize, micro_batches: usize) -> Pipeline {
        Pipeline { stages: Stage::split(layers, stages, micro_batches), micro_batches }
    }
}

impl Trainer for Pipeline {
    fn step(&mut self, batch: &Digits) -> Result<Score> {
        let mut ranks: Vec<Rank<'_>> =
            self.stages.iter_mut().map(|stage| Rank::new(stage, batch, self.micro_batches)).collect();
        in_turn(&mut ranks, self.micro_batches)?;
        let mut total = Score::default();
        for micro_batch in ranks.last().into_iter().flat_map(|rank| &rank.results) {
            total += micro_batch.score;
        }
        for stage in &mut self.stages {
            stage.update();
        }
        Ok(total)
    }

    fn layers(&self) -> Vec<&Layer> {
        self.stages.iter().flat_map(Stage::layers).collect()
    }
}

/// What one rank works on during a training step.
struct Rank<'a> {
    stage: &'a mut Stage,
    batch: &'a Digits,
    /// The end of the forward pass of every micro-batch; only used on the last stage.
    results: Vec<MicroBatchResult>,
}

#[derive(Clone, Default)]
struct MicroBatchResult {
    score: Score,
    grad_logits: Array2<f32>,
}

/// The compute steps of the schedule.
trait Compute {
    fn forward(
        &mut self,
        s: usize,
        m: usize,
        act_in: Option<&[f32]>,
        act_out: Option<&mut [f32]>,
    ) -> Result<()>;
    fn backward(
        &mut self,
        s: usize,
        m: usize,
        grad_in: Option<&[f32]>,
        grad_out: Option<&mut [f32]>,
    ) -> Result<()>;
}

impl<'a> Rank<'a> {
    fn new(stage: &'a mut Stage, batch: &'a Digits, micro_batches: usize) -> Rank<'a> {
        Rank { stage, batch, results: vec![MicroBatchResult::default(); micro_batches] }
    }
}

impl Compute for Rank<'_> {
    /// The first stage reads images, the last one ends at the loss; between them activations are read and written.
    fn forward(
        &mut self,
        _s: usize,
        m: usize,
        act_in: Option<&[f32]>,
        act_out: Option<&mut [f32]>,
    ) -> Result<()> {
        let (images, labels) = self.batch.micro_batch(m);
        let input = act_in.map_or(Ok(images), |act| ArrayView2::from_shape((ROWS, WIDTH), act))?;
        let output = self.stage.forward(m, input);
        match act_out {
            Some(act) => output.assign_to(ArrayViewMut2::from_shape((ROWS, WIDTH), act)?),
            None => {
                let (score, grad_logits) = cross_entropy(output, labels, self.batch.len());
                self.results[m] = MicroBatchResult { score, grad_logits };
            }
        }
        Ok(())
    }

    /// The last stage begins at the loss; the first one has nobody to hand its gradient to.
    fn backward(
        &mut self,
        _s: usize,
        m: usize,
        grad_in: Option<&[f32]>,
        grad_out: Option<&mut [f32]>,
    ) -> Result<()> {
        let grad_output = match grad_in {
            Some(grad) => ArrayView2::from_shape((ROWS, WIDTH), grad)?.to_owned(),
            None => core::mem::take(&mut self.results[m].grad_logits),
        };
        let grad_input = self.stage.backward(m, grad_output);
        if let Some(grad) = grad_out {
            grad_input.assign_to(ArrayViewMut2::from_shape((ROWS, WIDTH), grad)?);
        }
        Ok(())
    }
}

/// Takes the stages in turn: all micro-batches forward, then all backward.
fn in_turn(ranks: &mut [Rank<'_>], micro_batches: usize) -> Result<()> {
    let last = ranks.len() - 1;
    let (mut given, mut taken) = (vec![0.0; ROWS * WIDTH], vec![0.0; ROWS * WIDTH]);
    for m in 0..micro_batches {
        for (s, rank) in ranks.iter_mut().enumerate() {
            rank.forward(s, m, (s > 0).then_some(&taken), (s < last).then_some(&mut given))?;
            core::mem::swap(&mut given, &mut taken);
        }
    }
    for m in 0..micro_batches {
        for (s, rank) in ranks.iter_mut().enumerate().rev() {
            rank.backward(s, m, (s < last).then_some(&taken), (s > 0).then_some(&mut given))?;
            core::mem::swap(&mut given, &mut taken);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::whole::Whole;

    #[test]
    fn every_size_learns_what_the_model_in_one_piece_learns() {
        let mut rng = fastrand::Rng::with_seed(5);
        let layers = crate::model::layers(&mut rng);
        let digits = Digits::load().unwrap();
        for micro_batches in MICRO_BATCHES.map(|m| m.parse().unwrap()) {
            let batch = digits.batches(micro_batches, &mut rng).swap_remove(0);
            let mut whole = Whole::new(layers.clone(), micro_batches);
            let score = whole.step(&batch).unwrap();
            for stages in STAGES.map(|p| p.parse().unwrap()) {
                let mut pipeline = Pipeline::new(layers.clone(), stages, micro_batches);
                assert_eq!(
                    pipeline.step(&batch).unwrap(),
                    score,
                    "{stages} stages, {micro_batches} micro-batches"
                );
                for (a, b) in pipeline.layers().iter().zip(whole.layers()) {
                    assert!(a.parameters == b.parameters, "{stages} stages, {micro_batches} micro-batches");
                }
            }
        }
    }
}
