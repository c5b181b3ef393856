//! The verbs and what they have in common.

use clap::{Parser, Subcommand, ValueEnum};

use crate::{check, convert, show};

/// Judges point-to-point communication schedules before they run.
#[derive(Parser)]
#[command(name = "counterpart", version, propagate_version = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
    /// When to use colours.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

/// What to do.
#[derive(Subcommand)]
pub enum Verb {
    Check(check::Args),
    Show(show::Args),
    Convert(convert::Args),
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
