//! `counterpart auto`: communication for a compute order.
//!
//! [`options`] say what is wanted, [`report`] says what was chosen.

pub mod options;
pub mod report;

use counterpart::core::Model;
use counterpart::core::comms::{self, CommsError};

use crate::Outcome;
use crate::check::{self, channel, rule};
use crate::convert::{self, Format, Target};
use crate::input::{Input, Subject};
use crate::report::busy;
use crate::report::failure::Failure;

use options::Options;

/// Insert communication into a compute order.
///
/// What one rank writes and another reads is sent. Several rules say where in the programs sends and receives stand; each is
/// laid down and run with a clock, with and without batches, and the fastest is written. It is verified after each of these
/// passes, and safe under every model unless `--safe` asks for less.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    options: Options,
    /// The model under which the result has to be safe: `portable`, or a channel and a batch rule such as `edge+item`.
    #[arg(long, value_name = "MODEL", default_value = "portable", value_parser = model, help_heading = "Communication")]
    safe: Model,
    #[command(flatten)]
    target: Target,
    /// Do not say what was tried.
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  counterpart auto order.csv -o plan.json
  counterpart auto plan.json --transfer 0.25 --cost F=1,B=2 | counterpart check - --all-models
  counterpart auto pipeline.rs P=8 M=32 --channel edge --rule timed -o plan.json
Exit code: 1 when no communication makes the order run.";

/// Inserts communication into one plan.
///
/// # Errors
/// When the file can't be read, has communication already, or the output can't be written.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let subject = args.input.compute_order("auto")?;
    let file: Vec<&str> = args.input.files().collect();
    args.target.check(&file)?;
    let format = args.target.format().unwrap_or(Format::Plan);
    if subject.fault.is_some() {
        check::report(&subject)?;
        return Ok(Outcome::Bad);
    }
    let goal = args.options.goal(&subject.plan, args.safe)?;
    let busy = busy("inserting communication".to_owned());
    let inserted = comms::auto(&subject.plan, &goal);
    busy.finish_and_clear();
    let inserted = match inserted {
        Ok(inserted) => inserted,
        Err(CommsError::Impossible(fault)) => {
            check::report(&Subject { fault: Some(fault), ..subject })?;
            return Ok(Outcome::Bad);
        }
        Err(CommsError::NotComputeOnly { rank, step }) => {
            let what = subject.plan.describe(rank, step).unwrap_or_default();
            return Err(Failure::Usage(format!(
                "{}: {what} is communication already; `counterpart convert --compute-only` leaves it out",
                subject.file
            )));
        }
        Err(error) => return Err(Failure::Usage(format!("{}: {error}", subject.file))),
    };
    if !args.quiet {
        let mut err = anstream::stderr().lock();
        use std::io::Write;
        writeln!(err, "{}", report::line(&inserted.plan, &inserted.choice, &goal))?;
        report::table(&inserted.plan, &inserted.choice, &goal, &mut err)?;
    }
    let subject = Subject { plan: inserted.plan, ..subject };
    let verdict = subject.plan.verify(args.safe);
    if !verdict.is_safe() {
        check::report(&Subject { model: Some(args.safe), ..subject.clone() })?;
    }
    args.target.write(&convert::text(&subject, format, None)?)?;
    Ok(if verdict.is_safe() { Outcome::Good } else { Outcome::Bad })
}

fn model(text: &str) -> Result<Model, String> {
    if text == "portable" {
        return Ok(Model::PORTABLE);
    }
    let (first, second) = text.split_once('+').ok_or("write `portable`, or both, such as `edge+item`")?;
    let model = Model::new(channel(first)?, rule(second)?);
    model.ok_or_else(|| "eager only goes with item".to_owned())
}
