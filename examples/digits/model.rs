//! The classifier: a chain of fully connected layers, their gradients, and the loss.

use ndarray::{Array, Array1, Array2, ArrayView1, ArrayView2, Axis, Dimension, Zip};

use crate::data::{CLASSES, Digits, PIXELS};

/// Neurons of every hidden layer, so that every boundary between stages has the same width.
pub const WIDTH: usize = 256;
/// Layers of the whole model.
pub const LAYERS: usize = 8;

const LEARNING_RATE: f32 = 5e-4;
/// How long Adam remembers gradients and their squares.
const DECAY: (f32, f32) = (0.9, 0.999);

/// Weights and biases of a layer. Gradients and the optimiser's state have the same shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// `[inputs, outputs]`.
    pub weight: Array2<f32>,
    /// `[outputs]`.
    pub bias: Array1<f32>,
}

/// `y = x · weight + bias`, then ReLU in every layer but the last; with the state of its optimiser.
#[derive(Clone, Debug)]
pub struct Layer {
    /// What is learnt.
    pub parameters: Parameters,
    relu: bool,
    mean: Parameters,
    square: Parameters,
    updates: i32,
}

/// How well a batch, or a part of it, was recognised.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Its part of the mean loss of the whole batch.
    pub loss: f32,
    /// Images recognised.
    pub correct: usize,
}

impl core::ops::AddAssign for Score {
    fn add_assign(&mut self, other: Score) {
        self.loss += other.loss;
        self.correct += other.correct;
    }
}

/// A new model.
pub fn layers(rng: &mut fastrand::Rng) -> Vec<Layer> {
    let width = |l| match l {
        0 => PIXELS,
        LAYERS => CLASSES,
        _ => WIDTH,
    };
    (0..LAYERS).map(|l| Layer::new(width(l), width(l + 1), l + 1 < LAYERS, rng)).collect()
}

impl Parameters {
    /// All zeros.
    pub fn zeros((inputs, outputs): (usize, usize)) -> Parameters {
        Parameters { weight: Array2::zeros((inputs, outputs)), bias: Array1::zeros(outputs) }
    }
}

impl core::ops::AddAssign<&Parameters> for Parameters {
    fn add_assign(&mut self, other: &Parameters) {
        self.weight += &other.weight;
        self.bias += &other.bias;
    }
}

impl Layer {
    fn new(inputs: usize, outputs: usize, relu: bool, rng: &mut fastrand::Rng) -> Layer {
        let mut parameters = Parameters::zeros((inputs, outputs));
        // He's initialisation: ReLU keeps the variance of activations.
        let bound = (6.0 / inputs as f32).sqrt();
        parameters.weight.mapv_inplace(|_| bound * (2.0 * rng.f32() - 1.0));
        let zeros = Parameters::zeros((inputs, outputs));
        Layer { parameters, relu, mean: zeros.clone(), square: zeros, updates: 0 }
    }

    /// A gradient of this layer that is still zero.
    pub fn no_gradient(&self) -> Parameters {
        Parameters::zeros(self.parameters.weight.dim())
    }

    /// From `[rows, inputs]` to `[rows, outputs]`.
    pub fn forward(&self, x: ArrayView2<'_, f32>) -> Array2<f32> {
        let mut y = x.dot(&self.parameters.weight);
        y += &self.parameters.bias;
        if self.relu {
            y.mapv_inplace(|v| v.max(0.0));
        }
        y
    }

    /// From input, output and the gradient of the loss by the output: its gradient by the parameters, and by the
    /// input.
    pub fn backward(
        &self,
        x: ArrayView2<'_, f32>,
        y: ArrayView2<'_, f32>,
        grad_y: Array2<f32>,
    ) -> (Parameters, Array2<f32>) {
        let (grad_y, grad_x) = self.backward_input(y, grad_y);
        (self.backward_weight(x, &grad_y), grad_x)
    }

    /// The first half of [`backward`](Layer::backward): the gradient of the loss by what comes before ReLU, which the second
    /// half takes, and by the input.
    pub fn backward_input(
        &self,
        y: ArrayView2<'_, f32>,
        mut grad_y: Array2<f32>,
    ) -> (Array2<f32>, Array2<f32>) {
        if self.relu {
            grad_y.zip_mut_with(&y, |g, &y| *g = if y > 0.0 { *g } else { 0.0 });
        }
        let grad_x = grad_y.dot(&self.parameters.weight.t());
        (grad_y, grad_x)
    }

    /// The second half: the gradient by the parameters.
    pub fn backward_weight(&self, x: ArrayView2<'_, f32>, grad_y: &Array2<f32>) -> Parameters {
        Parameters { weight: x.t().dot(grad_y), bias: grad_y.sum_axis(Axis(0)) }
    }

    /// One step of Adam (Kingma and Ba, 2015).
    pub fn update(&mut self, gradient: &Parameters) {
        self.updates += 1;
        let Layer { parameters, mean, square, updates, .. } = self;
        adam(&mut parameters.weight, &gradient.weight, &mut mean.weight, &mut square.weight, *updates);
        adam(&mut parameters.bias, &gradient.bias, &mut mean.bias, &mut square.bias, *updates);
    }
}

fn adam<D: Dimension>(
    parameters: &mut Array<f32, D>,
    gradient: &Array<f32, D>,
    mean: &mut Array<f32, D>,
    square: &mut Array<f32, D>,
    updates: i32,
) {
    let unbias = |decay: f32| 1.0 / (1.0 - decay.powi(updates));
    let (unbias_mean, unbias_square) = (unbias(DECAY.0), unbias(DECAY.1));
    Zip::from(parameters).and(gradient).and(mean).and(square).for_each(|p, &g, mean, square| {
        *mean = DECAY.0 * *mean + (1.0 - DECAY.0) * g;
        *square = DECAY.1 * *square + (1.0 - DECAY.1) * g * g;
        *p -= LEARNING_RATE * *mean * unbias_mean / ((*square * unbias_square).sqrt() + 1e-8);
    });
}

/// Cross entropy of softmax: the score of these rows, and the gradient of their part of the loss. Every row counts
/// one part in `batch`.
pub fn cross_entropy(logits: ArrayView2<'_, f32>, labels: &[usize], batch: usize) -> (Score, Array2<f32>) {
    let share = 1.0 / batch as f32;
    let mut score = Score::default();
    let mut gradient = logits.to_owned();
    for (mut row, &label) in gradient.rows_mut().into_iter().zip(labels) {
        let guess = largest(row.view());
        let (top, own) = (row[guess], row[label]);
        row.mapv_inplace(|v| (v - top).exp());
        let sum = row.sum();
        score += Score { loss: share * (sum.ln() - (own - top)), correct: usize::from(guess == label) };
        row.mapv_inplace(|v| share * v / sum);
        row[label] -= share;
    }
    (score, gradient)
}

/// The share of images that the layers recognise, one layer after the other.
pub fn accuracy<'a>(layers: impl IntoIterator<Item = &'a Layer>, digits: &Digits) -> f64 {
    let logits = layers.into_iter().fold(digits.images.clone(), |x, layer| layer.forward(x.view()));
    let right = logits.rows().into_iter().zip(&digits.labels).filter(|&(row, &label)| largest(row) == label);
    right.count() as f64 / digits.len() as f64
}

fn largest(row: ArrayView1<'_, f32>) -> usize {
    row.iter().enumerate().fold(0, |best, (i, &v)| if v > row[best] { i } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What goes into every layer, and what comes out of the last.
    fn values(layers: &[Layer], digits: &Digits) -> Vec<Array2<f32>> {
        let mut values = vec![digits.images.clone()];
        for layer in layers {
            values.push(layer.forward(values[values.len() - 1].view()));
        }
        values
    }

    fn score(values: &[Array2<f32>], digits: &Digits) -> (f64, Array2<f32>) {
        let (score, gradient) = cross_entropy(values[LAYERS].view(), &digits.labels, digits.len());
        (score.loss.into(), gradient)
    }

    /// The gradient of the loss by the parameters of every layer.
    fn gradients(layers: &[Layer], digits: &Digits) -> Vec<Parameters> {
        let values = values(layers, digits);
        let (_, mut grad) = score(&values, digits);
        let mut gradients = Vec::new();
        for (layer, xy) in layers.iter().zip(values.windows(2)).rev() {
            let (gradient, grad_x) = layer.backward(xy[0].view(), xy[1].view(), grad);
            gradients.push(gradient);
            grad = grad_x;
        }
        gradients.reverse();
        gradients
    }

    fn norm(parameters: &Parameters) -> f64 {
        let values = parameters.weight.iter().chain(&parameters.bias);
        values.map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt()
    }

    /// `parameters + length * direction`.
    fn moved(parameters: &Parameters, length: f64, direction: &Parameters) -> Parameters {
        Parameters {
            weight: &parameters.weight + &direction.weight * length as f32,
            bias: &parameters.bias + &direction.bias * length as f32,
        }
    }

    #[test]
    fn gradients_agree_with_finite_differences() {
        let mut rng = fastrand::Rng::with_seed(3);
        let layers = layers(&mut rng);
        let digits = Digits::load().unwrap().batches(1, &mut rng).swap_remove(0);
        for (l, gradient) in gradients(&layers, &digits).iter().enumerate() {
            let zeros = layers[l].no_gradient();
            let weights = Parameters { bias: zeros.bias, ..gradient.clone() };
            let biases = Parameters { weight: zeros.weight, ..gradient.clone() };
            for direction in [weights, biases] {
                // Along a gradient, the slope is its length.
                let computed = norm(&direction);
                let step = 2e-3 / computed;
                let loss = |sign: f64| {
                    let mut layers = layers.clone();
                    layers[l].parameters = moved(&layers[l].parameters, sign * step, &direction);
                    score(&values(&layers, &digits), &digits).0
                };
                let measured = (loss(1.0) - loss(-1.0)) / 4e-3;
                assert!(
                    (measured - computed).abs() < 0.01 * computed,
                    "layer {l}: computed {computed}, measured {measured}"
                );
            }
        }
    }

    #[test]
    fn loss_of_equal_logits_is_the_logarithm_of_the_classes() {
        let (score, gradient) = cross_entropy(Array2::zeros((2, CLASSES)).view(), &[0, 3], 2);
        assert!((score.loss - (CLASSES as f32).ln()).abs() < 1e-6);
        assert_eq!(score.correct, 1);
        assert!((gradient[[1, 3]] - 0.5 * (0.1 - 1.0)).abs() < 1e-6);
        assert!(gradient.sum().abs() < 1e-6);
    }

    #[test]
    fn the_first_step_of_adam_has_the_learning_rate_as_its_length() {
        let mut layer = layers(&mut fastrand::Rng::with_seed(1)).swap_remove(0);
        let before = layer.parameters.clone();
        let mut gradient = Parameters::zeros((PIXELS, WIDTH));
        gradient.weight[[1, 2]] = 5.0;
        layer.update(&gradient);
        let change = &layer.parameters.weight - &before.weight;
        assert!((change[[1, 2]] + LEARNING_RATE).abs() < 1e-6);
        assert_eq!(change.iter().filter(|&&c| c != 0.0).count(), 1);
    }
}
