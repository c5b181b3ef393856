//! One pipeline stage: consecutive layers, and what they remember of every micro-batch between forward and backward.

use ndarray::{Array2, ArrayView2};

use crate::model::{Layer, Parameters};

/// A part of the model, as it lies on one rank.
#[derive(Debug)]
pub struct Stage {
    layers: Vec<Layer>,
    micro_batches: Vec<MicroBatch>,
}

#[derive(Clone, Debug, Default)]
struct MicroBatch {
    /// The output of every layer; empty before forward and after backward.
    outputs: Vec<Array2<f32>>,
    /// The gradient of every layer; empty before backward and after the update.
    gradients: Vec<Parameters>,
}

impl Stage {
    /// Stage `s` of a model that is split into `stages` parts, whose lengths differ by one layer at most.
    pub fn new(model: &[Layer], s: usize, stages: usize, micro_batches: usize) -> Stage {
        let first = |s: usize| (s * model.len()).div_ceil(stages);
        let layers = model[first(s)..first(s + 1)].to_vec();
        Stage { layers, micro_batches: vec![MicroBatch::default(); micro_batches] }
    }

    /// The layers of this stage.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Takes micro-batch `m` through the layers and returns what the last of them gives.
    pub fn forward(&mut self, m: usize, input: ArrayView2<'_, f32>) -> ArrayView2<'_, f32> {
        let outputs = &mut self.micro_batches[m].outputs;
        outputs.clear();
        for layer in &self.layers {
            let x = outputs.last().map_or(input, |x| x.view());
            outputs.push(layer.forward(x));
        }
        outputs[self.layers.len() - 1].view()
    }

    /// Takes the gradient of micro-batch `m` back through the layers, from the output to the input, after
    /// [`forward`](Stage::forward) of the same input.
    pub fn backward(
        &mut self,
        m: usize,
        input: ArrayView2<'_, f32>,
        grad_output: Array2<f32>,
    ) -> Array2<f32> {
        let MicroBatch { outputs, gradients } = &mut self.micro_batches[m];
        let mut grad = grad_output;
        gradients.clear();
        for (l, layer) in self.layers.iter().enumerate().rev() {
            let x = if l == 0 { input } else { outputs[l - 1].view() };
            let (gradient, grad_x) = layer.backward(x, outputs[l].view(), grad);
            gradients.push(gradient);
            grad = grad_x;
        }
        gradients.reverse();
        outputs.clear();
        grad
    }

    /// Ends a training step: every layer learns from the sum of its gradients. They are added from micro-batch 0
    /// upwards, in whichever order the schedule has computed them.
    pub fn update(&mut self) {
        for (l, layer) in self.layers.iter_mut().enumerate() {
            let mut sum = layer.no_gradient();
            for micro_batch in &self.micro_batches {
                sum += &micro_batch.gradients[l];
            }
            layer.update(&sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{CLASSES, PIXELS, ROWS};
    use crate::model::LAYERS;

    #[test]
    fn stages_differ_by_one_layer_at_most() {
        let lengths = |stages| -> Vec<usize> {
            let layers = crate::model::layers(&mut fastrand::Rng::with_seed(1));
            (0..stages).map(|s| Stage::new(&layers, s, stages, 1).layers.len()).collect()
        };
        assert_eq!(lengths(1), [LAYERS]);
        assert_eq!(lengths(3), [3, 3, 2]);
        assert_eq!(lengths(4), [2, 2, 2, 2]);
    }

    /// What a stage has learnt after `order` of forward (`true`) and backward steps.
    fn learn(order: &[(bool, usize)]) -> Vec<Parameters> {
        let mut rng = fastrand::Rng::with_seed(2);
        let layers = crate::model::layers(&mut rng);
        let mut random = |width| Array2::from_shape_simple_fn((ROWS, width), || rng.f32());
        let inputs: Vec<_> = (0..3).map(|_| random(PIXELS)).collect();
        let grads: Vec<_> = (0..3).map(|_| random(CLASSES)).collect();
        let mut stage = Stage::new(&layers, 0, 1, 3);
        for &(forward, m) in order {
            if forward {
                stage.forward(m, inputs[m].view());
            } else {
                stage.backward(m, inputs[m].view(), grads[m].clone());
            }
        }
        stage.update();
        stage.layers.into_iter().map(|layer| layer.parameters).collect()
    }

    #[test]
    fn the_order_of_the_schedule_does_not_show_in_what_is_learnt() {
        let (f, b) = (true, false);
        let one_by_one = learn(&[(f, 0), (b, 0), (f, 1), (b, 1), (f, 2), (b, 2)]);
        let last_first = learn(&[(f, 0), (f, 1), (f, 2), (b, 2), (b, 1), (b, 0)]);
        assert!(one_by_one == last_first);
    }
}
