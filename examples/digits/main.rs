//! Trains a classifier of handwritten digits over four ranks, with the schedule `OneF1B` in `schedule.rs` or one of the
//! library; then trains the same model in one piece, and compares the two loss curves bit for bit.
//!
//! ```text
//! cargo run --release --example digits
//! cargo run --release --example digits -- --schedule zbv
//! cargo run --release --example digits -- --help
//! ```
//!
//! What it shows, file by file:
//!
//! * `schedule.rs` declares who sends what to whom. That it cannot deadlock, and that every message meets its
//!   counterpart, rustc has proven by the time this runs.
//! * `library.rs` takes schedules off the shelf, at the sizes of this model; `exchange.rs` is a small schedule for those that
//!   train two copies of it.
//! * `rank.rs` is what a rank does in a compute step, whichever schedule asks for it.
//! * `pipeline.rs` starts the ranks and runs the schedule (`drive.rs`) once per training step.
//! * `model.rs`, `stage.rs` and `whole.rs` are the mathematics; they know nothing of ranks and messages.
//!
//! The images are "Optical Recognition of Handwritten Digits" by E. Alpaydin and C. Kaynak (1998), from the UCI Machine
//! Learning Repository, <https://doi.org/10.24432/C50P49>, under the licence CC BY 4.0; see `data/ATTRIBUTION.md`.
#![forbid(unsafe_code)]

mod compare;
mod data;
mod drive;
mod exchange;
mod library;
mod model;
mod options;
mod pipeline;
mod rank;
mod schedule;
mod stage;
mod summary;
mod train;
mod whole;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use compare::Agreement;
use data::Digits;
use drive::Instance;
use options::Options;
use pipeline::Split;
use train::{Course, Epoch, Log};

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
    let &Options { ref schedule, ranks, micro_batches, epochs, seed, deadline } = options;
    let instance = library::find(schedule, ranks, micro_batches)?;
    let mut rng = fastrand::Rng::with_seed(seed);
    let (train, test) = Digits::load()?.split(&mut rng);
    let layers = model::layers(&mut rng);
    let course = Course { train, test, micro_batches, epochs, rng };
    introduce(&instance, options, &course);

    let mut split = Log::new(&course, print_epoch);
    let how = Split { instance, deadline: Duration::from_secs(deadline) };
    let (_, summary) = pipeline::train(&layers, &how, &course, &mut split)?;
    println!("test accuracy {:.1} %\n\n{summary}\n", 100.0 * split.test_accuracy);

    println!("the same model in one piece");
    let mut plain = Log::new(&course, |_| ());
    whole::train(layers, &course, &mut plain);
    Ok(conclude(&split, &plain))
}

fn introduce(instance: &Instance, options: &Options, course: &Course) {
    println!("{} images to train on, {} to test on", course.train.len(), course.test.len());
    println!(
        "{} layers in {} stages on {} ranks; batches of {} micro-batches of {} images; seed {}\n",
        model::LAYERS,
        instance.stages,
        instance.ranks,
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

fn conclude(split: &Log<'_>, plain: &Log<'_>) -> Agreement {
    let agreement = Agreement::of(&split.losses, &plain.losses);
    println!("test accuracy {:.1} %\n", 100.0 * plain.test_accuracy);
    println!("time in steps: pipeline {:.2?}, in one piece {:.2?}", split.time, plain.time);
    println!("loss curves: {agreement}");
    agreement
}
