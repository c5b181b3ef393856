//! `counterpart check`: is a schedule safe?

use std::io::Write;

use counterpart::core::Model;

use crate::Outcome;
use crate::input::Input;
use crate::report::failure::Failure;

/// Judge schedules: safe, or which faults they have.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    input: Input,
}

/// Judges every file.
///
/// # Errors
/// When the output can't be written or a file can't be read.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let mut out = anstream::stdout().lock();
    let mut outcome = Outcome::Good;
    for file in args.input.files() {
        for subject in args.input.load(file)? {
            let verdict = subject.plan.verify(subject.model.unwrap_or(Model::PORTABLE));
            writeln!(out, "{}: {verdict}", subject.file)?;
            outcome = outcome.max(if verdict.is_safe() { Outcome::Good } else { Outcome::Bad });
        }
    }
    Ok(outcome)
}
