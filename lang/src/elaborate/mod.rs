//! A resolved schedule at concrete sizes becomes a plan.

mod compute;
mod deferred;
mod insert;
mod machine;
mod masks;
mod run;
mod searched;
mod sizes;

pub(crate) use machine::{Cause, MAX_CALLS, MAX_WORK};
pub(crate) use sizes::{MAX_RANKS, MOST_TICKS};

use crate::error::Errors;
use crate::resolve::Resolved;
use crate::syntax::Place;
use counterpart_core::comms::Choice;
use counterpart_core::simulate::Costs;
use counterpart_core::{Fault, Model, Payload, Plan};
use run::Run;

/// A schedule at concrete sizes: a plan, and what leads from it back to the source.
#[derive(Clone, Debug)]
pub struct Elaborated {
    /// `OneF1B<4, 8>`, or the bare name of a schedule without parameters.
    pub name: String,
    /// The values of the parameters, in order.
    pub sizes: Vec<i64>,
    /// The model to judge the plan under.
    pub model: Model,
    /// The plan. Family numbers: messages first, compute steps after them, both in order of declaration.
    pub plan: Plan,
    /// The source number of a step or item is a place in this list, and the same number in the plan's own table.
    pub places: Vec<Place>,
    /// The message families, in order of declaration.
    pub messages: Vec<Shape>,
    /// The compute steps, in order of declaration: their family numbers.
    pub computes: Vec<u32>,
    /// Where the name of each compute step is declared.
    pub(crate) compute_places: Vec<Place>,
    /// For each step of each rank a place in `masks`; 0 for a communication step.
    pub present: Vec<Vec<u32>>,
    /// Which of the declared uses are there, for each part of a compute step: bit `i` stands for use `i`, in order of
    /// declaration.
    pub masks: Vec<Vec<u32>>,
    /// Bounds on what ranks keep.
    pub memory: Vec<Bound>,
    /// How long things take.
    pub costs: Costs,
    /// How the communication was chosen, where it was inserted.
    pub choice: Option<Choice>,
    /// The model on which inserted communication is to be fast.
    pub fast: Model,
    /// Why no communication could be inserted: the plan has none then.
    pub fault: Option<Box<Fault>>,
}

/// A message family at concrete sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its number in the plan.
    pub family: u32,
    /// Its dimensions, where all of them can be evaluated: a constant of the user's crate can't.
    pub dims: Option<Vec<u64>>,
    /// Element type and count, [`Payload::UNKNOWN`] where the dimensions are not known.
    pub payload: Payload,
}

/// What is done beside running the programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Insert communication where the schedule asks for it; or else leave its plan with compute steps alone.
    pub comms: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { comms: true }
    }
}

/// At most so many buffers of a family may be live on a rank, or so many compute steps wait for others.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The rank.
    pub rank: usize,
    /// The number of the message family in the plan; with `until` that of a compute step.
    pub family: u32,
    /// Counts a compute step of `family` until that of this family with the same indices has run.
    pub until: Option<u32>,
    /// The bound.
    pub limit: u64,
    /// Where it is declared.
    pub place: Place,
}

/// Evaluates a schedule at these sizes; `file` is the name of its source file, for the plan. `None` after an error.
///
/// # Panics
/// When the number of sizes is not that of the parameters, or when `schedule` was resolved with errors.
pub fn elaborate(schedule: &Resolved, sizes: &[i64], file: &str, errors: &mut Errors) -> Option<Elaborated> {
    elaborate_with(schedule, sizes, file, Options::default(), errors)
}

/// The same with options.
///
/// # Panics
/// As [`elaborate`].
pub fn elaborate_with(
    schedule: &Resolved,
    sizes: &[i64],
    file: &str,
    options: Options,
    errors: &mut Errors,
) -> Option<Elaborated> {
    assert_eq!(sizes.len(), schedule.params, "a size for every parameter");
    let before = errors.total();
    let mut run = Run::new(schedule, sizes, errors);
    run.sources(file);
    run.constants()?;
    run.requires()?;
    let messages = run.messages();
    let computes = run.computes();
    let costs = run.costs();
    let memory = match schedule.search {
        Some(source) => {
            let steps = run.everything()?;
            let memory = run.memory(steps.len());
            if run.errors.total() == before {
                run.searched(steps, source, &costs, &memory);
            }
            memory
        }
        None => {
            let programs = run.ranks();
            let memory = run.memory(programs.len());
            if run.errors.total() == before {
                let mut ranks = programs.iter().enumerate();
                ranks.all(|(rank, program)| run.program(rank, program).is_some());
            }
            memory
        }
    };
    if run.errors.total() > before {
        return None;
    }
    let Run { plan, present, masks, instance, .. } = run;
    let mut elaborated = Elaborated {
        name: instance,
        sizes: sizes.to_vec(),
        model: schedule.model,
        plan,
        places: schedule.places.clone(),
        messages,
        computes,
        compute_places: schedule.computes.iter().map(|compute| compute.place).collect(),
        present,
        masks: masks.into_list(),
        memory,
        costs,
        choice: None,
        fast: schedule.model,
        fault: None,
    };
    if let Some(comms) = schedule.comms.filter(|_| options.comms) {
        elaborated.insert(comms);
    }
    Some(elaborated)
}
