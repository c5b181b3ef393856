//! `counterpart show`: a schedule on the terminal.
//!
//! [`pairs`] matches sends with receives, [`progress`] says how far a plan gets that cannot run to its end, [`slots`] when
//! its compute steps run; [`cells`] makes them short, [`grid`] and [`program`] are the two ways to look at them, and
//! [`summary`] adds up.

mod cells;
mod grid;
mod pairs;
mod program;
mod progress;
mod slots;
mod summary;

use std::io::Write;
use std::ops::Range;

use counterpart::core::{Model, Plan, Verdict};

use crate::Outcome;
use crate::input::{Input, Subject};
use crate::report::failure::Failure;

use pairs::Pairs;
use slots::Slots;

/// Columns where the output is no terminal.
const WIDTH: usize = 100;

/// Show schedules as grids: a row for each rank, a column for each time slot.
///
/// Every compute step takes one slot and communication none; a step runs as early as the order of its rank and the data
/// that it needs allow. Of a plan that cannot run to its end it is shown how far it gets, and where each rank stands.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// Columns to write; those of the terminal, or else 100.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(20..))]
    width: Option<u16>,
    /// What stands in a cell: kind and micro-batch, the kind alone, or the former where it does not get too long.
    #[arg(long, value_name = "WHAT", default_value = "auto")]
    cells: Cells,
    /// Cut off what is wider than a line, instead of going on below.
    #[arg(long)]
    clip: bool,
    /// The program of each rank with its sends and receives, a line for each step.
    #[arg(long)]
    comms: bool,
    /// Only these ranks: `4`, `0..4` or `0..=3`.
    #[arg(long, value_name = "RANGE", value_parser = range)]
    ranks: Option<Range<usize>>,
    /// Only these time slots.
    #[arg(long, value_name = "RANGE", value_parser = range)]
    slots: Option<Range<usize>>,
    /// Write characters of ASCII only.
    #[arg(long)]
    ascii: bool,
}

const EXAMPLES: &str = "\
Examples:
  counterpart show plan.json
  counterpart show table.csv --width 200 --slots 0..40
  counterpart show plan.json --comms --ranks 0..2
  counterpart show plan.json --ascii --color never > plan.txt";

/// What stands in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Cells {
    /// Labels, unless there were too many lines.
    Auto,
    /// Kind and micro-batch: `F3`.
    Label,
    /// The kind alone: `F`.
    Kind,
}

/// Characters to draw with.
#[derive(Clone, Copy, Debug)]
struct Signs {
    idle: &'static str,
    stands: &'static str,
    to: &'static str,
    from: &'static str,
    full: &'static str,
    empty: &'static str,
    rule: &'static str,
    dot: &'static str,
    more: &'static str,
}

const UNICODE: Signs = Signs {
    idle: "·",
    stands: "✗",
    to: "→",
    from: "←",
    full: "█",
    empty: "░",
    rule: "│",
    dot: " · ",
    more: "…",
};

const ASCII: Signs = Signs {
    idle: ".",
    stands: "!",
    to: "->",
    from: "<-",
    full: "#",
    empty: "-",
    rule: "|",
    dot: ", ",
    more: "...",
};

/// One schedule, and how it runs.
struct Shown<'a> {
    plan: &'a Plan,
    slots: Slots,
    pairs: Pairs,
}

/// How to write it.
struct View {
    width: usize,
    cells: Cells,
    clip: bool,
    ranks: Range<usize>,
    slots: Range<usize>,
    signs: Signs,
}

/// Shows every file.
///
/// # Errors
/// When the output can't be written or a file can't be read.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let mut out = std::io::BufWriter::new(anstream::stdout().lock());
    let mut first = true;
    for file in args.input.files() {
        for subject in args.input.load(file)? {
            if !first {
                writeln!(out)?;
            }
            first = false;
            show(&subject, args, &mut out)?;
        }
    }
    out.flush()?;
    Ok(Outcome::Good)
}

fn show(subject: &Subject, args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    let plan = &subject.plan;
    let model = subject.model.unwrap_or(Model::PORTABLE);
    let verdict = plan.verify(model);
    let pairs = Pairs::new(plan);
    let done = match verdict.is_safe() {
        true => (0..plan.ranks()).map(|rank| plan.steps(rank).len()).collect(),
        false => progress::run(plan, &pairs, model),
    };
    let slots = Slots::new(plan, &pairs, &done);
    let view = View {
        width: args.width.map_or_else(terminal, usize::from),
        cells: args.cells,
        clip: args.clip,
        ranks: within(&args.ranks, plan.ranks(), "rank")?,
        slots: within(&args.slots, slots.count, "slot")?,
        signs: if args.ascii { ASCII } else { UNICODE },
    };
    let shown = Shown { plan, slots, pairs };
    summary::head(&shown, &view, &subject.file, out)?;
    if let Some(choice) = &subject.choice {
        writeln!(out, "communication inserted: {choice}")?;
    }
    if args.comms {
        program::write(&shown, &view, out)?;
    } else {
        grid::write(&shown, &view, out)?;
        summary::idle(&shown, &view, out)?;
    }
    summary::stands(&shown, &view, &wrong(subject, &verdict), out)?;
    Ok(())
}

/// What is wrong with the schedule, in a line; empty for a safe one.
fn wrong(subject: &Subject, verdict: &Verdict) -> String {
    let fault = subject.fault.as_deref().or(verdict.faults.first());
    fault.map_or_else(String::new, |fault| {
        let model = verdict.model;
        format!("unsafe under {model}: {}; `counterpart check` says why", fault.kind)
    })
}

fn terminal() -> usize {
    terminal_size::terminal_size().map_or(WIDTH, |(width, _)| usize::from(width.0).max(20))
}

/// The part of `0..count` that is asked for.
fn within(asked: &Option<Range<usize>>, count: usize, what: &str) -> Result<Range<usize>, Failure> {
    let Some(Range { start, end }) = *asked else { return Ok(0..count) };
    if start >= count && count > 0 {
        let last = count - 1;
        return Err(Failure::Usage(format!("there is no {what} {start}; the last one is {last}")));
    }
    Ok(start..end.min(count))
}

/// Reads `4`, `0..4`, `0..=3`, `4..` or `..4`.
fn range(text: &str) -> Result<Range<usize>, String> {
    let number = |text: &str, otherwise: usize| match text.trim() {
        "" => Ok(otherwise),
        text => text.parse().map_err(|_| format!("`{text}` is no number; write a range such as `0..4`")),
    };
    let Range { start, end } = match text.split_once("..") {
        None => {
            let one = text.trim().parse().map_err(|_| "write a range such as `0..4`".to_owned())?;
            one..usize::saturating_add(one, 1)
        }
        Some((start, end)) => {
            let (end, more) = end.strip_prefix('=').map_or((end, 0), |end| (end, 1));
            number(start, 0)?..number(end, usize::MAX)?.saturating_add(more)
        }
    };
    if start >= end { Err("the range is empty".to_owned()) } else { Ok(start..end) }
}
