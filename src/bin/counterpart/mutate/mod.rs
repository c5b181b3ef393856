//! `counterpart mutate`: every single edit of a schedule, and what the verifier says of it.

mod write;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use counterpart::core::edit::{Class, Edit, edits};
use counterpart::core::{Model, Plan};

use crate::Outcome;
use crate::check::judge;
use crate::input::{Bound, Input};
use crate::report::failure::Failure;
use crate::report::{self, Format};

/// Mutants from which on a bar shows how far it is.
const MANY: usize = 500;

/// Make every single-edit mutant of a schedule, with the verifier's verdict on each.
///
/// For teaching and testing: what does a slip of the pen do to a schedule, and is it found?
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// Only edits of these classes: drop, duplicate, swap, to-consumer, move-earlier, move-later, retarget, change-value,
    /// change-payload, turn, join, split.
    #[arg(long, value_name = "CLASS", value_delimiter = ',', value_parser = class)]
    class: Vec<Class>,
    /// Only edits of communication steps.
    #[arg(long)]
    communication: bool,
    /// The model to judge under, such as `edge+item`; `all` for each of the nine. Without it, what the schedule asks for, or
    /// else `blocking+gang`.
    #[arg(long, value_name = "MODEL", value_parser = models)]
    model: Option<Models>,
    /// Write each mutant as a plan file into this folder, and index.json beside them.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Write into DIR even where there is something in it.
    #[arg(long)]
    force: bool,
    /// Mutants at most.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// What to write to standard output.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Only the summary.
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  counterpart mutate plan.json                        each mutant, its verdict and its first fault
  counterpart mutate plan.json --class drop,swap -o mutants
  counterpart mutate table.csv --communication --model all --quiet";

/// The models to judge under.
#[derive(Clone, Debug)]
struct Models(Vec<Model>);

fn class(word: &str) -> Result<Class, String> {
    Class::from_name(word).ok_or_else(|| {
        let names = Class::ALL.map(Class::name);
        format!("there is {}", names.join(", "))
    })
}

fn models(word: &str) -> Result<Models, String> {
    if word == "all" {
        return Ok(Models(Model::ALL.to_vec()));
    }
    let found = Model::ALL.into_iter().find(|model| model.to_string() == word);
    found.map(|model| Models(vec![model])).ok_or_else(|| {
        let names: Vec<String> = Model::ALL.iter().map(ToString::to_string).collect();
        format!("there is all, {}", names.join(", "))
    })
}

/// A mutant and what is said of it.
struct Mutant {
    edit: Edit,
    words: String,
    plan: Plan,
    /// For each model the kinds of its faults, `memory` for a broken bound, none for a safe one.
    verdicts: Vec<(Model, Vec<&'static str>)>,
    /// The first fault under the first model where it has one.
    first: Option<String>,
}

impl Mutant {
    fn of(plan: &Plan, edit: Edit, models: &[Model], bounds: &[Bound]) -> Mutant {
        let mutant = edit.apply(plan);
        let mut first = None;
        let mut verdicts = Vec::new();
        for &model in models {
            let verdict = mutant.verify(model);
            let mut kinds: Vec<_> = verdict.faults.iter().map(|fault| fault.kind.name()).collect();
            kinds.dedup();
            if let Some(fault) = verdict.faults.first().filter(|_| first.is_none()) {
                first = Some(report::line(fault.kind.name(), &fault.message, &fault.waits));
            }
            if kinds.is_empty()
                && let Some(broken) = judge::bounds(&mutant, bounds).first()
            {
                kinds.push(broken.kind);
                first.get_or_insert_with(|| report::line(broken.kind, &broken.message, &broken.waits));
            }
            verdicts.push((model, kinds));
        }
        Mutant { edit, words: edit.describe(plan), plan: mutant, verdicts, first }
    }

    fn is_safe(&self) -> bool {
        self.verdicts.iter().all(|(_, kinds)| kinds.is_empty())
    }
}

/// Makes and judges the mutants of one schedule.
///
/// # Errors
/// When the file can't be read, is not one schedule, or when the output can't be written.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let subject = args.input.only("mutate")?;
    if let Some(fault) = &subject.fault {
        return Err(Failure::Usage(format!(
            "{}: it has no communication to edit: {}",
            subject.file, fault.message
        )));
    }
    let plan = &subject.plan;
    let asked = || vec![subject.model.unwrap_or(Model::PORTABLE)];
    let models = args.model.as_ref().map_or_else(asked, |models| models.0.clone());
    if !judge::all(&subject, &models).iter().all(judge::Judged::is_safe) {
        anstream::eprintln!("warning: the schedule itself is unsafe under what its mutants are judged under");
    }
    let is_wanted = |edit: &Edit| {
        let is_comm = !plan.items(&plan.steps(edit.rank)[edit.step]).is_empty();
        (args.class.is_empty() || args.class.contains(&edit.class)) && (is_comm || !args.communication)
    };
    let edits: Vec<Edit> =
        edits(plan).into_iter().filter(is_wanted).take(args.limit.unwrap_or(usize::MAX)).collect();
    let mut folder = args.output.as_deref().map(|path| write::Folder::new(path, args.force)).transpose()?;
    let mut out = anstream::stdout().lock();
    let bar = report::progress(edits.len(), MANY, "{bar:30} {pos}/{len} mutants");
    let mut counts: BTreeMap<Class, (usize, usize)> = BTreeMap::new();
    let mut list = Vec::new();
    for edit in edits {
        let mutant = Mutant::of(plan, edit, &models, &subject.bounds);
        let count = counts.entry(edit.class).or_default();
        if mutant.is_safe() {
            count.0 += 1
        } else {
            count.1 += 1
        }
        let file = folder.as_mut().map(|folder| folder.put(&mutant)).transpose()?;
        match args.format {
            Format::Json => list.push(write::entry(&mutant, file.as_deref())),
            Format::Text if !args.quiet => bar.suspend(|| write::line(&mut out, &mutant))?,
            Format::Text => {}
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(folder) = &folder {
        folder.finish()?;
    }
    match args.format {
        Format::Json => report::json(&mut out, &list)?,
        Format::Text => write::summary(&mut out, &counts, &models)?,
    }
    out.flush()?;
    Ok(Outcome::Good)
}
