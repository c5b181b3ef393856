//! `counterpart schedule`: one of the library, at a size.

use std::sync::Arc;

use counterpart::core::comms::{self, Goal, Inserted, Rule};
use counterpart::core::{Model, Plan};
use counterpart_lang::Errors;
use counterpart_lang::elaborate::{Elaborated, Options as Elaborate};
use counterpart_lang::library::Entry;

use super::{find, parameters, program};
use crate::Outcome;
use crate::comms::options::Options;
use crate::comms::report;
use crate::convert::{self, Format, Target};
use crate::input::{Kind, Subject};
use crate::report::busy;
use crate::report::failure::Failure;

/// Make a schedule of the library: a plan, a table or a program.
///
/// Without `-o` a plan file goes to standard output. How its communication was chosen is said on standard error.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The schedule; `counterpart schedules` lists them.
    name: String,
    /// The sizes, such as `p=8 v=2 m=32`.
    #[arg(value_name = "SIZE=N")]
    sizes: Vec<String>,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    target: Target,
    /// Leave all communication out: compute steps alone.
    #[arg(long)]
    compute_only: bool,
    /// Do not say how the communication was chosen.
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  counterpart schedule 1f1b p=8 m=32 -o plan.json
  counterpart schedule interleaved-1f1b p=8 v=2 m=32 g=8 --transfer 0.25 -o plan.json
  counterpart schedule zbv p=4 m=8 --compute-only -o table.csv
  counterpart schedule dualpipev p=4 m=8 -o pipeline.rs
  counterpart schedule v-half p=4 m=8 -q | counterpart show -";

/// Makes one.
///
/// # Errors
/// When there is no such schedule, it does not have these sizes, or the output can't be written.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let entry = find(&args.name)?;
    let sizes = sizes(entry, &args.sizes)?;
    args.target.check(&[])?;
    let format = args.target.format().unwrap_or(Format::Plan);
    let busy = busy(format!("making {}", entry.schedule));
    let made = entry.make(&sizes, Elaborate { comms: false }).map_err(|errors| refused(entry, &errors))?;
    let goal = args.options.goal(&made.plan, Model::PORTABLE)?;
    let text = match (format, args.compute_only) {
        (Format::Schedule, true) => {
            let why = "a program leaves its communication to `comms auto;`: leave out --compute-only";
            return Err(Failure::Usage(why.to_owned()));
        }
        (Format::Schedule, false) => program::text(entry, &made, &args.options, &goal)?,
        (_, true) => convert::text(&subject(entry, &made.name, made.plan), format, None)?,
        (_, false) => {
            busy.set_message(format!("inserting communication into {}", made.name));
            let Inserted { plan, choice } = insert(&made, &goal, format)?;
            busy.finish_and_clear();
            if !args.quiet {
                anstream::eprintln!("{}: {}", made.name, report::line(&plan, &choice, &goal));
            }
            convert::text(&subject(entry, &made.name, plan), format, None)?
        }
    };
    busy.finish_and_clear();
    args.target.write(&text)?;
    Ok(Outcome::Good)
}

/// Communication for a schedule of the library. A table has no batches, so for one a rule without them is taken.
fn insert(made: &Elaborated, goal: &Goal, format: Format) -> Result<Inserted, Failure> {
    let failed = |error: comms::CommsError| Failure::Usage(error.to_string());
    let inserted = comms::auto(&made.plan, goal).map_err(failed)?;
    if format != Format::Table || inserted.choice.best().batches == 0 {
        return Ok(inserted);
    }
    let plain = |rule: &Rule| {
        let inserted = comms::auto(&made.plan, &Goal { rule: Some(*rule), ..goal.clone() }).ok()?;
        (inserted.choice.best().batches == 0).then_some(inserted)
    };
    let rules = goal.rule.map_or(Rule::ALL.to_vec(), |rule| vec![rule]);
    let best = rules.iter().filter_map(plain).min_by_key(|inserted| inserted.choice.best().makespan);
    best.ok_or_else(|| {
        let why = "a table has no batches, and these are what makes this rule fast here";
        Failure::Usage(format!("{why}: write a plan file, or ask for --rule timed"))
    })
}

fn subject(entry: &Entry, name: &str, mut plan: Plan) -> Subject {
    name.clone_into(&mut plan.name);
    Subject::new(plan, Kind::Source, entry.name.into(), Arc::from(entry.text))
}

/// Values of its parameters, in order; a default where the last ones are left out.
fn sizes(entry: &Entry, given: &[String]) -> Result<Vec<i64>, Failure> {
    let params = entry.params();
    let wrong = |what: String| {
        Failure::Usage(format!("{what}; give its sizes like this: {} {}", entry.name, example(entry)))
    };
    let mut sizes: Vec<Option<i64>> = vec![None; params.len()];
    for one in given {
        let Some((name, value)) = one.split_once('=') else {
            return Err(wrong(format!("`{one}` is no size")));
        };
        let Some(at) = params.iter().position(|(param, _)| param.eq_ignore_ascii_case(name)) else {
            return Err(wrong(format!(
                "`{}` has no size `{name}`, it has {}",
                entry.name,
                parameters(entry)
            )));
        };
        let value = value.parse().ok().filter(|value| *value >= 0);
        let Some(value) = value else {
            return Err(wrong(format!("`{one}` is no number that is 0 or more")));
        };
        if sizes[at].replace(value).is_some() {
            return Err(wrong(format!("`{name}` is given twice")));
        }
    }
    let all = sizes.into_iter().zip(&params).map(|(size, (name, default))| {
        size.or(*default).ok_or_else(|| wrong(format!("size `{}` is missing", name.to_lowercase())))
    });
    all.collect()
}

/// Sizes that it has.
fn example(entry: &Entry) -> String {
    let size = |name: &str| match name {
        "P" => 4,
        "V" => 2,
        _ => 8,
    };
    let needed = entry.params().into_iter().filter(|(_, default)| default.is_none());
    let sizes: Vec<String> =
        needed.map(|(name, _)| format!("{}={}", name.to_lowercase(), size(&name))).collect();
    sizes.join(" ")
}

fn refused(entry: &Entry, errors: &Errors) -> Failure {
    let all: Vec<&str> = errors.iter().map(|error| error.message.text.as_str()).collect();
    Failure::Usage(format!("{}; {} {} is one that there is", all.join("; "), entry.name, example(entry)))
}
