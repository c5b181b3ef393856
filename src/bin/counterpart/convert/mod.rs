//! `counterpart convert`: the same schedule in another format.
//!
//! [`edit`] fills in and leaves out what the options say, [`write`] makes the text, [`output`] puts it where it belongs.

mod edit;
mod output;
mod write;

pub use output::Target;

use std::path::Path;

use counterpart::core::{DType, Payload};

use crate::Outcome;
use crate::input::{Input, Subject};
use crate::report::failure::Failure;

/// Convert a schedule between plan files, tables and `schedule!` blocks.
///
/// A `schedule!` block is written as a program that compiles, with `counterpart` as a dependency. Every step is kept, and
/// whatever the other format cannot say is an error that names rank and step.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    target: Target,
    /// What the schedule is called from now on.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Element type of messages that declare none, with `--count`.
    #[arg(long, value_name = "TYPE", requires = "count", value_parser = dtype)]
    dtype: Option<DType>,
    /// Elements of messages that declare none, with `--dtype`.
    #[arg(long, value_name = "N", requires = "dtype", value_parser = clap::value_parser!(u64).range(..=MAX_COUNT))]
    count: Option<u64>,
    /// Leave all communication out: compute steps alone.
    #[arg(long)]
    compute_only: bool,
}

const EXAMPLES: &str = "\
Examples:
  counterpart convert plan.json --to schedule --dtype f32 --count 2048 > pipeline.rs
  counterpart convert pipeline.rs P=8 M=32 -o plan.json
  counterpart convert plan.json -o table.csv --compute-only
  counterpart convert table.csv --to plan --name tuned | counterpart check -";

/// The largest count of a payload.
const MAX_COUNT: u64 = Payload::MAX_COUNT;

/// A format for schedules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A plan file: JSON.
    Plan,
    /// A table of torch.distributed.pipelining: CSV.
    Table,
    /// A Rust program with a `schedule!` block.
    Schedule,
}

impl Format {
    /// The format that the ending of a file says.
    pub fn of(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "json" => Some(Format::Plan),
            "csv" => Some(Format::Table),
            "rs" => Some(Format::Schedule),
            _ => None,
        }
    }
}

/// Converts one file.
///
/// # Errors
/// When the file can't be read, holds something that the other format has no words for, or when the output can't be
/// written.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let format = args.target.format().ok_or_else(|| {
        let endings = "give --to plan, table or schedule, or an OUT that ends in .json, .csv or .rs";
        Failure::Usage(format!("it is not clear which format to write; {endings}"))
    })?;
    let files: Vec<&str> = args.input.files().collect();
    let &[file] = &files[..] else {
        return Err(Failure::Usage(format!("convert takes one file, found {}", files.len())));
    };
    args.target.check(&[file])?;
    let subject = args.input.single(file)?;
    if let Some(fault) = subject.fault.as_ref().filter(|_| !args.compute_only) {
        let why = fault.message.lines().next().unwrap_or_default();
        let help = "`counterpart check` says why, and --compute-only converts the compute steps alone";
        let message = format!("{file}: communication cannot be inserted, since {why}; {help}");
        return Err(Failure::Usage(message));
    }
    let subject = Subject { plan: edit::plan(&subject.plan, args), ..subject };
    args.target.write(&text(&subject, format, args.name.as_deref())?)?;
    Ok(Outcome::Good)
}

/// A schedule in this format, a block under this name. What the format has no words for is said on standard error.
///
/// # Errors
/// The first step that the format cannot say.
pub fn text(subject: &Subject, format: Format, name: Option<&str>) -> Result<String, Failure> {
    let text = match format {
        Format::Plan => subject.plan.to_json(),
        Format::Table => write::table(subject)?,
        Format::Schedule => write::schedule(subject, name)?,
    };
    left_out(subject, format);
    Ok(text)
}

/// Says on standard error what the other format has no words for and the verdict may depend on.
fn left_out(subject: &Subject, format: Format) {
    let mut lost = Vec::new();
    if !subject.bounds.is_empty() {
        lost.push("bounds on memory".to_owned());
    }
    if let Some(model) = subject.model.filter(|model| !model.is_portable() && format != Format::Schedule) {
        lost.push(format!("the model that it asks for, {model}"));
    }
    let plan = &subject.plan;
    let mut items = (0..plan.ranks()).flat_map(|rank| plan.steps(rank)).flat_map(|step| plan.items(step));
    if format == Format::Table && items.any(|item| item.payload.is_known()) {
        lost.push("element types and counts".to_owned());
    }
    if !lost.is_empty() {
        anstream::eprintln!("warning: left out: {}", lost.join("; "));
    }
}

fn dtype(text: &str) -> Result<DType, String> {
    DType::from_name(text).ok_or_else(|| {
        let known: Vec<&str> = DType::ALL.iter().map(|dtype| dtype.name()).collect();
        format!("there is {}", known.join(", "))
    })
}
