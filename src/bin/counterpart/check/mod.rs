//! `counterpart check`: is a schedule safe?
//!
//! [`judge`] asks the verifier, [`text`] and [`json`] write what it says, [`models`] the table of all nine models, and
//! [`explain`] has a page for each kind of fault.

mod edge;
mod explain;
mod json;
pub mod judge;
mod models;
mod program;
mod text;

use std::io::Write;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use counterpart::core::{BatchRule, Channel, Model};

use crate::Outcome;
use crate::input::{Input, Subject};
use crate::report;
use crate::report::failure::{self, Failure};
use json::Object;

/// Faults that are written.
const MOST_FAULTS: usize = 5;
/// Files from which on a bar shows how far it is.
const MANY: usize = 20;

/// Judge schedules: safe, or which faults they have.
///
/// Exits with 0 when every schedule is safe, with 1 when one is unsafe (with --all-models: unsafe under one of the nine),
/// and with 2 when a file cannot be read.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// What waits for what; without it, what the schedule asks for, or else `blocking`.
    #[arg(long, value_name = "CHANNEL", value_parser = channel, help_heading = "Model")]
    channel: Option<Channel>,
    /// How batches progress; without it, what the schedule asks for, or else `gang`.
    #[arg(long, value_name = "RULE", value_parser = rule, help_heading = "Model")]
    batch: Option<BatchRule>,
    /// Judge under each of the nine models.
    #[arg(long, conflicts_with_all = ["channel", "batch"], help_heading = "Model")]
    all_models: bool,
    /// What to write.
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    format: Format,
    /// Faults of a schedule that are shown; the others are counted.
    #[arg(long, value_name = "N", default_value_t = MOST_FAULTS, help_heading = "Output")]
    max_faults: usize,
    /// Write nothing but what cannot be read; the exit code says the rest.
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
    /// Explain a kind of fault instead: peer, batch, mismatch, unmatched, deadlock, dataflow, coverage or memory.
    #[arg(long, value_name = "KIND", exclusive = true)]
    explain: Option<explain::Page>,
}

const EXAMPLES: &str = "\
Examples:
  counterpart check plan.json                            is it safe on every backend?
  counterpart check plan.json --channel edge --batch item
  counterpart check plan.json --all-models               safe or not, under each of the nine
  counterpart check table.csv --placement v              a table of torch.distributed.pipelining
  counterpart check pipeline.rs --schedule OneF1B P=8 M=32
  counterpart check plans/*.json --format json
  python3 make_plan.py | counterpart check -
  counterpart check --explain deadlock";

/// What to write: that of the other verbs, but a verdict has two forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs: an object for one schedule under one model, else a list of them.
    Json,
}

/// Reads the name of a channel.
pub fn channel(word: &str) -> Result<Channel, String> {
    Channel::from_name(word).ok_or_else(|| "there is blocking, queue, pair, edge and eager".to_owned())
}

/// Reads the name of a batch rule.
pub fn rule(word: &str) -> Result<BatchRule, String> {
    BatchRule::from_name(word).ok_or_else(|| "there is gang and item".to_owned())
}

/// Judges every file, even where some of them cannot be read.
///
/// # Errors
/// When the arguments do not go together or the output can't be written.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let mut out = anstream::stdout().lock();
    if let Some(page) = args.explain {
        write!(out, "{}", page.text())?;
        return Ok(Outcome::Good);
    }
    if (args.channel, args.batch) == (Some(Channel::Eager), Some(BatchRule::Gang)) {
        return Err(no_model());
    }
    let files: Vec<&str> = args.input.files().collect();
    if files.is_empty() {
        return Err(Failure::Usage("no file to check: name one, or `-` for standard input".to_owned()));
    }
    let bar = report::progress(files.len(), MANY, "{bar:30} {pos}/{len} {wide_msg}");
    let mut total = Total::default();
    let mut objects = Vec::new();
    for file in &files {
        bar.set_message((*file).to_owned());
        let mut report = Vec::new();
        match one(args, file, &mut report, &mut objects, &mut total) {
            Ok(()) => bar.suspend(|| out.write_all(&report))?,
            Err(failure @ Failure::Output(_)) => return Err(failure),
            Err(failure) => {
                total.unread += 1;
                bar.suspend(|| failure::print(&failure));
                objects.push(Object::unread(file, &failure));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    match args.format {
        Format::Json if args.quiet => {}
        Format::Json => json::write(&mut out, &objects, files.len() > 1 || args.all_models)?,
        Format::Text => total.write(&mut out, args.quiet)?,
    }
    out.flush()?;
    Ok(total.outcome())
}

/// Writes the faults of a schedule to standard error.
///
/// # Errors
/// When that can't be written.
pub fn report(subject: &Subject) -> Result<(), Failure> {
    let model = subject.model.unwrap_or(Model::PORTABLE);
    let mut err = anstream::stderr().lock();
    for judged in judge::all(subject, &[model]) {
        text::write(&mut err, subject, &judged, MOST_FAULTS, Duration::ZERO)?;
    }
    Ok(())
}

/// Judges the schedules of one file.
fn one(
    args: &Args,
    file: &str,
    out: &mut impl Write,
    objects: &mut Vec<Object>,
    total: &mut Total,
) -> Result<(), Failure> {
    let mut begin = Instant::now();
    let subjects = args.input.load(file)?;
    let models = subjects.iter().map(|subject| args.models(subject)).collect::<Result<Vec<_>, _>>()?;
    for (subject, models) in subjects.iter().zip(models) {
        let judged = judge::all(subject, &models);
        let time = begin.elapsed();
        total.count(judged.iter().all(judge::Judged::is_safe));
        match args.format {
            Format::Json => objects.extend(judged.iter().map(|one| Object::verdict(subject, one))),
            Format::Text if args.quiet => {}
            Format::Text if args.all_models => models::write(out, subject, &judged, time)?,
            Format::Text => {
                for one in &judged {
                    text::write(out, subject, one, args.max_faults, time)?;
                }
            }
        }
        begin = Instant::now();
    }
    Ok(())
}

impl Args {
    /// The models to judge a schedule under.
    fn models(&self, subject: &Subject) -> Result<Vec<Model>, Failure> {
        if self.all_models {
            return Ok(Model::ALL.to_vec());
        }
        let asked = subject.model.unwrap_or(Model::PORTABLE);
        let channel = self.channel.unwrap_or(asked.channel());
        let batch = match (self.batch, channel) {
            (Some(batch), _) => batch,
            // It has no other.
            (None, Channel::Eager) => BatchRule::Item,
            (None, _) if self.channel.is_some() => BatchRule::Gang,
            (None, _) => asked.batch(),
        };
        Model::new(channel, batch).map(|model| vec![model]).ok_or_else(no_model)
    }
}

/// What is wrong with the one combination that is no model.
fn no_model() -> Failure {
    let why = "`eager` does not go with `gang`: where sends do not wait, batches cannot run as one; use --batch item";
    Failure::Usage(why.to_owned())
}

/// How many schedules were found safe and unsafe, and how many files could not be read.
#[derive(Default)]
struct Total {
    safe: usize,
    unsafe_: usize,
    unread: usize,
}

impl Total {
    fn count(&mut self, is_safe: bool) {
        if is_safe { self.safe += 1 } else { self.unsafe_ += 1 }
    }

    /// The summary of several schedules.
    fn write(&self, out: &mut impl Write, quiet: bool) -> Result<(), Failure> {
        let all = self.safe + self.unsafe_ + self.unread;
        if all > 1 && !quiet {
            let unread =
                if self.unread > 0 { format!(", {} unreadable", self.unread) } else { String::new() };
            writeln!(out, "{all} schedules: {} safe, {} unsafe{unread}", self.safe, self.unsafe_)?;
        }
        Ok(())
    }

    fn outcome(&self) -> Outcome {
        match self {
            Total { unread: 1.., .. } => Outcome::Unread,
            Total { unsafe_: 1.., .. } => Outcome::Bad,
            _ => Outcome::Good,
        }
    }
}
