//! The same training in one piece: a plain loop over micro-batches and layers, without stages or messages.

use crate::Result;
use crate::data::Digits;
use crate::model::{Layer, Parameters, Score, cross_entropy};
use crate::train::Trainer;

/// All layers in one place.
#[derive(Debug)]
pub struct Whole {
    layers: Vec<Layer>,
    micro_batches: usize,
}

impl Whole {
    /// Trains `layers` on batches of `micro_batches` micro-batches.
    pub fn new(layers: Vec<Layer>, micro_batches: usize) -> Whole {
        Whole { layers, micro_batches }
    }
}

impl Trainer for Whole {
    fn step(&mut self, batch: &Digits) -> Result<Score> {
        let mut total = Score::default();
        let mut gradients: Vec<Parameters> = self.layers.iter().map(Layer::no_gradient).collect();
        for m in 0..self.micro_batches {
            let (images, labels) = batch.micro_batch(m);
            let mut values = vec![images.to_owned()];
            for (l, layer) in self.layers.iter().enumerate() {
                values.push(layer.forward(values[l].view()));
            }
            let (score, mut grad) = cross_entropy(values[self.layers.len()].view(), labels, batch.len());
            total += score;
            for (l, layer) in self.layers.iter().enumerate().rev() {
                let (gradient, grad_x) = layer.backward(values[l].view(), values[l + 1].view(), grad);
                gradients[l] += &gradient;
                grad = grad_x;
            }
        }
        for (layer, gradient) in self.layers.iter_mut().zip(&gradients) {
            layer.update(gradient);
        }
        Ok(total)
    }

    fn layers(&self) -> Vec<&Layer> {
        self.layers.iter().collect()
    }
}
