//! The options of the command line.

use clap::Parser;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::library::NAMES;

/// Trains a classifier of handwritten digits, split over pipeline stages by a schedule, and then the same model in one piece;
/// the two loss curves must be identical to the last bit.
#[derive(Debug, Parser)]
#[command(name = "digits", after_help = EXAMPLE)]
pub struct Options {
    /// The schedule: the one that is written out in schedule.rs, one-forward-one-backward, or one of the library
    #[arg(long, default_value = "written", value_parser = PossibleValuesParser::new(NAMES))]
    pub schedule: String,

    /// Ranks of the pipeline, each a thread; schedules of the library are built for 4, some for 2
    #[arg(long, alias = "stages", default_value = "4", value_parser = clap::value_parser!(u16).range(1..).map(usize::from))]
    pub ranks: usize,

    /// Micro-batches of 8 images in a batch; schedules of the library are built for 8, and for 4 with two ranks
    #[arg(long, default_value = "8", value_parser = clap::value_parser!(u16).range(1..).map(usize::from))]
    pub micro_batches: usize,

    /// How often every training image is seen
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..).map(usize::from))]
    pub epochs: usize,

    /// Decides the first weights, which images are kept for the test, and the order of the others
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// How long a rank may wait for another before the training fails
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    pub deadline: u64,
}

const EXAMPLE: &str = "\
Examples:
  cargo run --release --example digits -- --schedule zbv
  cargo run --release --example digits -- --ranks 2 --micro-batches 4 --epochs 10

Exit code: 0 when the two loss curves are identical, 1 when they differ or the training fails, 2 for a wrong option.";

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Options::command().debug_assert();
    }

    #[test]
    fn a_schedule_that_there_is_not_is_refused_with_the_list() {
        let error = Options::try_parse_from(["digits", "--schedule", "zvb"]).unwrap_err().to_string();
        assert!(error.contains("dualpipev"), "{error}");
    }
}
