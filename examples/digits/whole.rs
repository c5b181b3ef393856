//! The same training in one piece: a plain loop over micro-batches and layers, without stages or messages.

use std::time::Instant;

use crate::data::Digits;
use crate::model::{Layer, Parameters, Score, cross_entropy};
use crate::train::{Course, Log};

/// Trains `layers`, and returns what they have become.
pub fn train(mut layers: Vec<Layer>, course: &Course, log: &mut Log<'_>) -> Vec<Layer> {
    for batches in course.epochs() {
        for batch in &batches {
            let start = Instant::now();
            let score = step(&mut layers, batch, course.micro_batches);
            log.step(score, start.elapsed());
        }
        log.epoch(&layers);
    }
    layers
}

fn step(layers: &mut [Layer], batch: &Digits, micro_batches: usize) -> Score {
    let mut total = Score::default();
    let mut gradients: Vec<Parameters> = layers.iter().map(Layer::no_gradient).collect();
    for m in 0..micro_batches {
        let (images, labels) = batch.micro_batch(m);
        let mut values = vec![images.to_owned()];
        for (l, layer) in layers.iter().enumerate() {
            values.push(layer.forward(values[l].view()));
        }
        let (score, mut grad) = cross_entropy(values[layers.len()].view(), labels, batch.len());
        total += score;
        for (l, layer) in layers.iter().enumerate().rev() {
            let (gradient, grad_x) = layer.backward(values[l].view(), values[l + 1].view(), grad);
            gradients[l] += &gradient;
            grad = grad_x;
        }
    }
    for (layer, gradient) in layers.iter_mut().zip(&gradients) {
        layer.update(gradient);
    }
    total
}
