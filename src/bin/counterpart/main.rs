//! The command `counterpart`: judges schedules, wherever they are written down.
//!
//! One path for every verb: `input` makes plans of files, the folder of the verb does its work, `report` writes for
//! people. Exit codes: 0 when all is well, 1 when a plan is unsafe (for `diff`: when plans differ), 2 when something
//! cannot be read.
#![forbid(unsafe_code)]

mod check;
mod command;
mod comms;
mod convert;
mod diff;
mod input;
mod library;
mod mutate;
mod report;
mod shell;
mod show;

use std::process::ExitCode;

use clap::Parser;

use command::{Cli, Verb};
use report::failure::Failure;

/// What a verb has found, for the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// Safe, equal, or simply done.
    Good,
    /// A plan is unsafe, or two plans differ.
    Bad,
    /// Something could not be read; that has been reported.
    Unread,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.color.write_global();
    let result = match &cli.verb {
        Verb::Check(args) => check::run(args),
        Verb::Show(args) => show::run(args),
        Verb::Convert(args) => convert::run(args),
        Verb::Schedules(args) => library::list::run(args),
        Verb::Schedule(args) => library::make::run(args),
        Verb::Auto(args) => comms::run(args),
        Verb::Diff(args) => diff::run(args),
        Verb::Mutate(args) => mutate::run(args),
        Verb::Completions(args) => shell::completions(args),
        Verb::Man(args) => shell::manual(args),
    };
    match result {
        Ok(Outcome::Good) => ExitCode::SUCCESS,
        Ok(Outcome::Bad) => ExitCode::from(1),
        Ok(Outcome::Unread) => ExitCode::from(2),
        // Whoever reads our output has seen enough: `counterpart … | head`. What a shell gives for SIGPIPE, since 0 would
        // say that all is well.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::from(128 + 13)
        }
        Err(failure) => {
            report::failure::print(&failure);
            ExitCode::from(2)
        }
    }
}
