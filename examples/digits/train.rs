//! The training loop, the same for the pipeline and for the model in one piece.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::Result;
use crate::data::Digits;
use crate::model::{Layer, Score, accuracy};
use crate::options::Options;

/// One way to train the model.
pub trait Trainer {
    /// Takes one step on one batch, and returns how well the batch was recognised before it.
    fn step(&mut self, batch: &Digits) -> Result<Score>;

    /// All layers, first to last.
    fn layers(&self) -> Vec<&Layer>;
}

/// What a training has left.
#[derive(Debug)]
pub struct Training {
    /// The loss of every step.
    pub losses: Vec<f32>,
    /// The share of the test images that the trained model recognises.
    pub test_accuracy: f64,
    /// How long the steps took together.
    pub time: Duration,
}

/// How one epoch went.
#[derive(Debug)]
pub struct Epoch {
    /// From 1.
    pub number: usize,
    /// Mean loss of its steps.
    pub loss: f64,
    /// The share of its training images that were recognised, each before the model learnt from it.
    pub train_accuracy: f64,
    /// The share of the test images that the model recognises after it.
    pub test_accuracy: f64,
}

/// Trains for all epochs and calls `report` after each.
pub fn train(
    trainer: &mut impl Trainer,
    (train, test): &(Digits, Digits),
    options: &Options,
    mut rng: fastrand::Rng,
    report: impl Fn(&Epoch),
) -> Result<Training> {
    let bar = progress(options.epochs * options.steps_per_epoch(train.len()));
    let mut training = Training { losses: Vec::new(), test_accuracy: 0.0, time: Duration::ZERO };
    for number in 1..=options.epochs {
        let batches = train.batches(options.micro_batches, &mut rng);
        let mut correct = 0;
        for batch in &batches {
            let start = Instant::now();
            let score = trainer.step(batch)?;
            training.time += start.elapsed();
            training.losses.push(score.loss);
            correct += score.correct;
            bar.inc(1);
        }
        let steps = batches.len();
        let losses = &training.losses[training.losses.len() - steps..];
        training.test_accuracy = accuracy(trainer.layers(), test);
        let epoch = Epoch {
            number,
            loss: losses.iter().copied().map(f64::from).sum::<f64>() / steps as f64,
            train_accuracy: correct as f64 / (steps * batches[0].len()) as f64,
            test_accuracy: training.test_accuracy,
        };
        bar.suspend(|| report(&epoch));
    }
    bar.finish_and_clear();
    Ok(training)
}

fn progress(steps: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} step {pos} of {len}, {eta} to go");
    ProgressBar::new(steps as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
