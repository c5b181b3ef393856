//! `counterpart schedules`: what there is.

use std::io::{self, Write};

use anstyle::Style;
use counterpart_lang::library::{ENTRIES, Entry};
use serde::Serialize;

use super::find;
use crate::Outcome;
use crate::report::failure::Failure;
use crate::report::{self, Format};

/// List the library of schedules, or show the text of one.
///
/// Each is written in the language of `schedule!`. `counterpart schedule NAME` makes a plan, a table or a program of one; in a
/// program, `schedule Mine = OneF1B;` makes it one's own.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Show the whole text of this one.
    name: Option<String>,
    /// What to write.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  counterpart schedules
  counterpart schedules zbv
  counterpart schedules --format json";

/// A schedule of the library, for programs.
#[derive(Serialize)]
struct Object {
    name: &'static str,
    schedule: &'static str,
    about: String,
    parameters: Vec<Parameter>,
    requires: Vec<String>,
    text: &'static str,
}

#[derive(Serialize)]
struct Parameter {
    name: String,
    /// Its value where none is given.
    default: Option<i64>,
}

impl Object {
    fn of(entry: &'static Entry) -> Object {
        let schedule = entry.parse();
        let parameter = |(name, default)| Parameter { name, default };
        Object {
            name: entry.name,
            schedule: entry.schedule,
            about: entry.about(),
            parameters: entry.params().into_iter().map(parameter).collect(),
            requires: schedule.requires.iter().map(|require| require.message.clone()).collect(),
            text: entry.text,
        }
    }
}

/// Lists the library.
///
/// # Errors
/// When there is no schedule of that name, or the output can't be written.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let mut out = anstream::stdout().lock();
    match (&args.name, args.format) {
        (Some(name), Format::Text) => write!(out, "{}", find(name)?.text)?,
        (Some(name), Format::Json) => report::json(&mut out, &Object::of(find(name)?))?,
        (None, Format::Json) => {
            report::json(&mut out, &ENTRIES.iter().map(Object::of).collect::<Vec<_>>())?;
        }
        (None, Format::Text) => table(&mut out)?,
    }
    Ok(Outcome::Good)
}

fn table(out: &mut impl Write) -> io::Result<()> {
    let rows: Vec<[String; 3]> = ENTRIES
        .iter()
        .map(|entry| [entry.name.to_owned(), super::parameters(entry), entry.about()])
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or_default();
    let (first, second) = (width(0), width(1));
    let bold = Style::new().bold();
    for [name, parameters, about] in &rows {
        writeln!(out, "{bold}{name:first$}{bold:#}  {parameters:second$}  {about}")?;
    }
    writeln!(out)?;
    writeln!(
        out,
        "p ranks, v stages per rank, m micro-batches, g micro-batches in a group; what stands in [ ] may be left out."
    )?;
    writeln!(out, "counterpart schedule NAME p=4 m=8    makes one")?;
    writeln!(out, "counterpart schedules NAME           shows its text, with its source and its formulas")
}
