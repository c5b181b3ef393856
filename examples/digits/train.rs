//! What to learn, and the log of a training: the same for the pipeline and for the model in one piece.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::data::{Digits, ROWS};
use crate::model::{Layer, Score, accuracy};

/// What a model is to learn, and in which order.
#[derive(Debug)]
pub struct Course {
    /// The images to train on.
    pub train: Digits,
    /// The images to test on.
    pub test: Digits,
    /// Micro-batches in a batch.
    pub micro_batches: usize,
    /// How often every training image is seen.
    pub epochs: usize,
    /// Decides the order of the images.
    pub rng: fastrand::Rng,
}

impl Course {
    /// The batches of each epoch; the same ones for everybody who asks.
    pub fn epochs(&self) -> impl Iterator<Item = Vec<Digits>> {
        let mut rng = self.rng.clone();
        (0..self.epochs).map(move |_| self.train.batches(self.micro_batches, &mut rng))
    }

    /// Training steps in an epoch.
    pub fn steps_per_epoch(&self) -> usize {
        self.train.len() / self.batch()
    }

    fn batch(&self) -> usize {
        self.micro_batches * ROWS
    }
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

/// The log of a training, with a progress bar while it runs.
#[derive(Debug)]
pub struct Log<'c> {
    course: &'c Course,
    report: fn(&Epoch),
    bar: ProgressBar,
    correct: usize,
    /// The loss of every step.
    pub losses: Vec<f32>,
    /// The share of the test images that the model recognised after the last epoch.
    pub test_accuracy: f64,
    /// How long the steps took together.
    pub time: Duration,
}

impl<'c> Log<'c> {
    /// A log that calls `report` after every epoch.
    pub fn new(course: &'c Course, report: fn(&Epoch)) -> Log<'c> {
        let steps = course.epochs * course.steps_per_epoch();
        let style = ProgressStyle::with_template("{bar:40} step {pos} of {len}, {eta} to go");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(steps as u64).with_style(style);
        let losses = Vec::with_capacity(steps);
        Log { course, report, bar, correct: 0, losses, test_accuracy: 0.0, time: Duration::ZERO }
    }

    /// A step has ended.
    pub fn step(&mut self, score: Score, time: Duration) {
        self.losses.push(score.loss);
        self.correct += score.correct;
        self.time += time;
        self.bar.inc(1);
    }

    /// An epoch has ended, and has left these layers.
    pub fn epoch(&mut self, layers: &[Layer]) {
        let steps = self.course.steps_per_epoch();
        let losses = &self.losses[self.losses.len() - steps..];
        self.test_accuracy = accuracy(layers, &self.course.test);
        let epoch = Epoch {
            number: self.losses.len() / steps,
            loss: losses.iter().copied().map(f64::from).sum::<f64>() / steps as f64,
            train_accuracy: self.correct as f64 / (steps * self.course.batch()) as f64,
            test_accuracy: self.test_accuracy,
        };
        self.correct = 0;
        self.bar.suspend(|| (self.report)(&epoch));
        if epoch.number == self.course.epochs {
            self.bar.finish_and_clear();
        }
    }
}
