//! Trains a classifier of handwritten digits over pipeline stages, one-forward-one-backward, each stage a rank; then
//! trains the same model in one piece, and compares the two loss curves bit for bit.
//!
//! ```text
//! cargo run --release --example digits
//! cargo run --release --example digits -- --help
//! ```
#![forbid(unsafe_code)]

mod compare;
mod data;
mod model;
mod options;
mod pipeline;
mod stage;
mod train;
mod whole;

use std::process::ExitCode;

use clap::Parser;

use compare::Agreement;
use data::Digits;
use options::Options;
use pipeline::Pipeline;
use train::{Epoch, Training, train};
use whole::Whole;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(Agreement::Identical { .. }) => ExitCode::SUCCESS,
        Ok(Agreement::Different { .. }) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<Agreement> {
    let &Options { stages, micro_batches, seed, .. } = options;
    let mut rng = fastrand::Rng::with_seed(seed);
    let digits = Digits::load()?.split(&mut rng);
    let layers = model::layers(&mut rng);
    introduce(options, &digits);

    let mut pipeline = Pipeline::new(layers.clone(), stages, micro_batches);
    let split = train(&mut pipeline, &digits, options, rng.clone(), print_epoch)?;
    println!("test accuracy {:.1} %\n", 100.0 * split.test_accuracy);

    println!("the same model in one piece");
    let mut whole = Whole::new(layers, micro_batches);
    let plain = train(&mut whole, &digits, options, rng, |_| ())?;
    Ok(conclude(&split, &plain))
}

fn introduce(options: &Options, (train, test): &(Digits, Digits)) {
    println!("{} images to train on, {} to test on", train.len(), test.len());
    println!(
        "{} layers in {} stages; batches of {} micro-batches of {} images; seed {}\n",
        model::LAYERS,
        options.stages,
        options.micro_batches,
        data::ROWS,
        options.seed
    );
    println!("epoch    loss   train    test");
}

fn print_epoch(epoch: &Epoch) {
    let Epoch { number, loss, train_accuracy, test_accuracy } = epoch;
    println!("{number:5}  {loss:.4}  {:5.1} %  {:5.1} %", 100.0 * train_accuracy, 100.0 * test_accuracy);
}

fn conclude(split: &Training, plain: &Training) -> Agreement {
    let agreement = Agreement::of(&split.losses, &plain.losses);
    println!("test accuracy {:.1} %\n", 100.0 * plain.test_accuracy);
    println!("time in steps: pipeline {:.2?}, in one piece {:.2?}", split.time, plain.time);
    println!("loss curves: {agreement}");
    agreement
}
