//! `counterpart diff`: where do two schedules part?

mod compare;

use std::io::Write;

use anstyle::{AnsiColor, Style};
use serde_json::json;

use crate::Outcome;
use crate::input::{Input, Kind, Subject};
use crate::report::failure::Failure;
use crate::report::{self, Format, clip, plain, width};
use compare::{Difference, demands, differences};

/// Steps that are shown before and after a difference.
const AROUND: usize = 2;

/// Compare two schedules: the first difference of each rank.
///
/// Steps are compared by what they say: labels, peers, payloads, what compute steps use; models and bounds on memory where
/// both files declare such. Names of schedules and places in files do not count. Exits with 0 when they are equal and with 1 when they differ.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// What to write.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Do not compare element types and counts, which a table does not have.
    #[arg(long)]
    ignore_payloads: bool,
}

const EXAMPLES: &str = "\
Examples:
  counterpart diff before.json after.json
  counterpart diff plan.json table.csv --ignore-payloads
  counterpart convert plan.json --to schedule | counterpart diff plan.json - --ignore-payloads";

/// Compares two files.
///
/// # Errors
/// When a file can't be read, or the output can't be written.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let files: Vec<&str> = args.input.files().collect();
    let &[one, other] = &files[..] else {
        return Err(Failure::Usage(format!("diff takes two files, found {}", files.len())));
    };
    let (one, other) = (args.input.single(one)?, args.input.single(other)?);
    for subject in [&one, &other].into_iter().filter(|subject| subject.fault.is_some()) {
        anstream::eprintln!("note: {} cannot be given communication and is compared without", subject.file);
    }
    let mut found = differences(&one.plan, &other.plan, !args.ignore_payloads);
    if one.kind == Kind::Source && other.kind == Kind::Source {
        found.splice(0..0, demands(&one, &other));
    } else if !one.bounds.is_empty() || !other.bounds.is_empty() || one.model != other.model {
        anstream::eprintln!(
            "note: models and bounds on memory, which only Rust sources declare, are not compared"
        );
    }
    let mut out = anstream::stdout().lock();
    match args.format {
        Format::Json => {
            let list: Vec<_> = found
                .iter()
                .map(|at| json!({"rank": at.rank, "step": at.step, "a": at.ours, "b": at.theirs}))
                .collect();
            report::json(&mut out, &json!({"equal": list.is_empty(), "differences": list}))?;
        }
        Format::Text => {
            for at in &found {
                write(&mut out, &one, &other, at)?;
            }
            let ranks = found.iter().filter(|at| at.rank.is_some()).count();
            match found.len() {
                0 => writeln!(out, "equal: {}", one.size())?,
                _ if ranks == 0 => writeln!(out, "different: in what they declare, the programs are equal")?,
                _ => {
                    writeln!(out, "different: {ranks} of {} ranks", one.plan.ranks().max(other.plan.ranks()))?
                }
            }
        }
    }
    out.flush()?;
    Ok(if found.is_empty() { Outcome::Good } else { Outcome::Bad })
}

/// A difference with the steps around it, side by side.
fn write(out: &mut impl Write, one: &Subject, other: &Subject, at: &Difference) -> Result<(), Failure> {
    let (red, green) = (AnsiColor::Red.on_default(), AnsiColor::Green.on_default());
    let (ours, theirs) = (plain(&at.ours), plain(&at.theirs));
    let (Some(rank), Some(step)) = (at.rank, at.step) else {
        writeln!(out, "{red}- {ours}{red:#}\n{green}+ {theirs}{green:#}\n")?;
        return Ok(());
    };
    let bold = Style::new().bold();
    writeln!(out, "{bold}rank {rank}, step {step}{bold:#}: {} | {}", one.file, other.file)?;
    let room = (width().saturating_sub(13) / 2).max(20);
    for number in step.saturating_sub(AROUND)..=step + AROUND {
        let words = |subject: &Subject| subject.plan.words(rank, number).unwrap_or_default();
        let (a, b) = (clip(&plain(&words(one)), room), clip(&plain(&words(other)), room));
        if a.is_empty() && b.is_empty() {
            continue;
        }
        match number == step {
            true => writeln!(out, "> {number:>6}  {red}{a:<room$}{red:#} | {green}{b}{green:#}")?,
            false => writeln!(out, "  {number:>6}  {a:<room$} | {b}")?,
        }
    }
    writeln!(out, "          {red}- {ours}{red:#}\n          {green}+ {theirs}{green:#}\n")?;
    Ok(())
}
