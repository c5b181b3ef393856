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
    /// What the first layer was given, where the schedule does not keep it; empty after backward.
    input: Option<Array2<f32>>,
    /// The output of every layer; empty before forward and after backward.
    outputs: Vec<Array2<f32>>,
    /// The gradient by what every layer gives, between the halves of a backward; the last layer first.
    grads: Vec<Array2<f32>>,
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

    /// Remembers the input of micro-batch `m` until its backward is complete.
    pub fn keep(&mut self, m: usize, input: ArrayView2<'_, f32>) {
        self.micro_batches[m].input = Some(input.to_owned());
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
    /// [`forward`](Stage::forward). The gradients of the layers wait for [`backward_weight`](Stage::backward_weight).
    pub fn backward_input(&mut self, m: usize, grad_output: Array2<f32>) -> Array2<f32> {
        let MicroBatch { outputs, grads, .. } = &mut self.micro_batches[m];
        let mut grad = grad_output;
        grads.clear();
        for (layer, output) in self.layers.iter().zip(outputs).rev() {
            let (grad_y, grad_x) = layer.backward_input(output.view(), grad);
            grads.push(grad_y);
            grad = grad_x;
        }
        grad
    }

    /// Completes the backward of micro-batch `m`: the gradients of its layers. `input` is what the stage was given, unless
    /// it has [kept](Stage::keep) that.
    ///
    /// # Panics
    /// When neither of them is there.
    pub fn backward_weight(&mut self, m: usize, input: Option<ArrayView2<'_, f32>>) {
        let MicroBatch { input: kept, outputs, grads, gradients } = &mut self.micro_batches[m];
        let input = input.or(kept.as_ref().map(|kept| kept.view())).expect("the input of the stage");
        gradients.clear();
        for (l, (layer, grad)) in self.layers.iter().zip(grads.iter().rev()).enumerate() {
            let x = if l == 0 { input } else { outputs[l - 1].view() };
            gradients.push(layer.backward_weight(x, grad));
        }
        *kept = None;
        outputs.clear();
        grads.clear();
    }

    /// Adds the gradients of these micro-batches to `sum`, layer by layer, from the first upwards, in whichever order the
    /// schedule has computed them.
    pub fn add_gradients(&self, micro_batches: core::ops::Range<usize>, l: usize, sum: &mut Parameters) {
        for micro_batch in &self.micro_batches[micro_batches] {
            *sum += &micro_batch.gradients[l];
        }
    }

    /// Ends a training step: every layer learns from the sum of its gradients.
    pub fn update(&mut self, sums: &[Parameters]) {
        for (layer, sum) in self.layers.iter_mut().zip(sums) {
            layer.update(sum);
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
        assert_eq!(lengths(8), [1; 8]);
    }

    /// What a step is: a forward, a gradient of the input or one of the weights.
    #[derive(Clone, Copy)]
    enum Half {
        F,
        I,
        W,
    }

    /// What a stage has learnt after steps in this order.
    fn learn(order: &[(Half, usize)]) -> Vec<Parameters> {
        let mut rng = fastrand::Rng::with_seed(2);
        let layers = crate::model::layers(&mut rng);
        let mut random = |width| Array2::from_shape_simple_fn((ROWS, width), || rng.f32());
        let inputs: Vec<_> = (0..3).map(|_| random(PIXELS)).collect();
        let grads: Vec<_> = (0..3).map(|_| random(CLASSES)).collect();
        let mut stage = Stage::new(&layers, 0, 1, 3);
        for &(half, m) in order {
            match half {
                Half::F => {
                    stage.keep(m, inputs[m].view());
                    stage.forward(m, inputs[m].view());
                }
                Half::I => drop(stage.backward_input(m, grads[m].clone())),
                Half::W => stage.backward_weight(m, None),
            }
        }
        let mut sums: Vec<Parameters> = stage.layers.iter().map(Layer::no_gradient).collect();
        sums.iter_mut().enumerate().for_each(|(l, sum)| stage.add_gradients(0..3, l, sum));
        stage.update(&sums);
        stage.layers.into_iter().map(|layer| layer.parameters).collect()
    }

    #[test]
    fn the_order_of_the_schedule_does_not_show_in_what_is_learnt() {
        use Half::{F, I, W};
        let one_by_one = learn(&[(F, 0), (I, 0), (W, 0), (F, 1), (I, 1), (W, 1), (F, 2), (I, 2), (W, 2)]);
        let last_first = learn(&[(F, 0), (F, 1), (F, 2), (I, 2), (I, 1), (W, 1), (I, 0), (W, 0), (W, 2)]);
        assert!(one_by_one == last_first);
    }
}
