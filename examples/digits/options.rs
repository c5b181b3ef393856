//! The options of the command line.

use clap::Parser;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::pipeline::{MICRO_BATCHES, STAGES};

/// Trains a classifier of handwritten digits, split over pipeline stages with one-forward-one-backward, and then the
/// same model in one piece; the two loss curves must be identical to the last bit.
#[derive(Debug, Parser)]
#[command(name = "digits", after_help = EXAMPLE)]
pub struct Options {
    /// Pipeline stages, one rank (a thread) for each
    #[arg(long, default_value = "4", value_parser = one_of(STAGES))]
    pub stages: usize,

    /// Micro-batches of 8 images in a batch
    #[arg(long, default_value = "8", value_parser = one_of(MICRO_BATCHES))]
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
Example:
  cargo run --release --example digits -- --stages 2 --micro-batches 4 --epochs 10

Exit code: 0 when the two loss curves are identical, 1 when they differ or the training fails, 2 for a wrong option.";

fn one_of(values: impl Into<PossibleValuesParser>) -> impl TypedValueParser<Value = usize> {
    values.into().try_map(|value| value.parse::<usize>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Options::command().debug_assert();
    }

    #[test]
    fn a_size_that_was_not_built_is_refused_with_the_list() {
        let error = Options::try_parse_from(["digits", "--micro-batches", "7"]).unwrap_err().to_string();
        assert!(error.contains("1, 4, 8"), "{error}");
        let error = Options::try_parse_from(["digits", "--stages", "9"]).unwrap_err().to_string();
        assert!(error.contains("1, 2, 3, 4"), "{error}");
    }
}
