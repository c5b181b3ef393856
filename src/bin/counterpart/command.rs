//! The verbs and what they have in common.

use clap::{Parser, Subcommand, ValueEnum};

use crate::{check, comms, convert, diff, library, mutate, shell, show};

/// Judges point-to-point communication schedules before they run.
#[derive(Parser)]
#[command(name = "counterpart", version, propagate_version = true, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
    /// When to use colours.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

const EXAMPLES: &str = "\
Examples:
  counterpart check plan.json --all-models
  counterpart check pipeline.rs --schedule OneF1B P=8 M=32
  counterpart show table.csv
  counterpart convert table.csv --to schedule > pipeline.rs
  counterpart schedule zbv p=4 m=8 -o plan.json
Exit codes: 0 safe, equal or done; 1 unsafe or different; 2 something cannot be read.";

/// What to do.
#[derive(Subcommand)]
pub enum Verb {
    Check(check::Args),
    Show(show::Args),
    Convert(convert::Args),
    Schedules(library::list::Args),
    Schedule(library::make::Args),
    Auto(comms::Args),
    Diff(diff::Args),
    Mutate(mutate::Args),
    Completions(shell::Completions),
    Man(shell::Manual),
}

/// When to use colours.
#[derive(Clone, Copy, ValueEnum)]
pub enum Color {
    /// Where the output is a terminal that has them.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Makes it the choice for everything that is written from now on.
    pub fn write_global(self) {
        let choice = match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}
