//! From a plan back to the language: the `schedule! { … }` block that elaborates to it.
//!
//! 1. `messages`: values get families of one payload each.
//! 2. `computes`: compute steps get families of at most four indices, also those of several names, for which the
//!    language has no word.
//! 3. `parts`: each family becomes one `compute` declaration, or several where no general one says what its steps
//!    read and write; `fit` and `condition` find what is general.
//! 4. `programs`: the steps of each rank become statements, with the loops that [`reroll`](crate::reroll) finds, and
//!    ranks whose programs differ in numbers only become one (`merge`).
//! 5. Text (`write`).
//!
//! ```
//! use counterpart_core::{Plan, plan::Comm};
//! use counterpart_lang::print::{self, Options};
//!
//! let mut plan = Plan::new("stream");
//! let acts: Vec<_> = (0..4).map(|m| plan.value(&format!("Act[{m}]"))).collect();
//! plan.begin_rank();
//! acts.iter().for_each(|&act| plan.single(Comm::send(act, 1)));
//! plan.begin_rank();
//! acts.iter().for_each(|&act| plan.single(Comm::recv(act, 0)));
//!
//! let printed = print::schedule(&plan, &Options::default()).unwrap();
//! assert!(printed.body.contains("rank 0 {\n    for m in 0..4 {\n        send Act[m] to 1;\n    }\n}\n"));
//! let compiled = counterpart_lang::compile(printed.body.parse().unwrap(), "stream.rs");
//! assert!(compiled.errors.is_empty());
//! ```

mod computes;
mod condition;
mod fit;
mod linear;
mod merge;
mod messages;
mod names;
mod parts;
mod programs;
mod write;

use core::fmt;

use counterpart_core::{DType, Model, Payload, Plan};

use names::Names;

/// How a plan is to be printed.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// What the schedule is called; without it, as the plan.
    pub name: Option<&'a str>,
    /// What messages are of which the plan does not say it.
    pub stand_in: Payload,
    /// The model to ask for; without it the block does not ask for one, which means the strictest.
    pub model: Option<Model>,
    /// Where the plan comes from, for the comment on top.
    pub origin: Option<&'a str>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { name: None, stand_in: Payload::new(DType::F32, 1), model: None, origin: None }
    }
}

/// A printed plan. Displayed, it is the whole macro call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// What the schedule is called.
    pub name: String,
    /// The inside of the block.
    pub body: String,
    /// What its messages and compute steps are called, and how the plan calls them.
    pub families: Vec<Family>,
    /// Compute steps whose domain could not be said.
    pub dropped_domains: Vec<String>,
}

/// A message or compute step of the printed schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// What it is called.
    pub name: String,
    /// Its number of indices.
    pub arity: usize,
    /// Is it a compute step, or else a message?
    pub compute: bool,
    /// How the plan calls it: one name, or several for steps that overlap.
    pub originals: Vec<Original>,
}

/// A name of the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Original {
    /// Without indices.
    pub name: String,
    /// Its indices.
    pub indices: Vec<Index>,
}

/// An index of a name of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// The same as this index of the printed family.
    Written(usize),
    /// Always the same.
    Constant(u64),
}

impl Family {
    /// The labels that a value or compute step of this family has in the plan.
    ///
    /// # Panics
    /// With fewer indices than the family has.
    pub fn labels(&self, indices: &[u64]) -> Vec<String> {
        self.originals.iter().map(|original| original.label(indices)).collect()
    }
}

impl Original {
    fn label(&self, written: &[u64]) -> String {
        let index = |index: &Index| match *index {
            Index::Written(j) => written[j].to_string(),
            Index::Constant(c) => c.to_string(),
        };
        let indices: Vec<String> = self.indices.iter().map(index).collect();
        if indices.is_empty() { self.name.clone() } else { format!("{}[{}]", self.name, indices.join(",")) }
    }
}

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "counterpart::schedule! {{")?;
        for line in self.body.lines() {
            if line.is_empty() { writeln!(f)? } else { writeln!(f, "    {line}")? }
        }
        writeln!(f, "}}")
    }
}

/// Why a plan can't be printed: something that the language has no words for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintError {
    /// The rank where it stands; `None` for the plan as a whole.
    pub rank: Option<usize>,
    /// The step of that rank.
    pub step: Option<usize>,
    /// What is wrong, and what mends it.
    pub message: String,
}

impl PrintError {
    fn at(rank: usize, step: usize, message: impl fmt::Display) -> PrintError {
        let message = format!("rank {rank}, step {step}: {message}");
        PrintError { rank: Some(rank), step: Some(step), message }
    }
}

impl fmt::Display for PrintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PrintError {}

/// Prints a plan as a `schedule!` block whose own plan takes the same steps: same ranks, items, values, payloads, uses
/// and domains, up to names, which the language is narrower about ([`Printed::families`]).
///
/// Three things are said in another way. A batch of nothing is left out, since it is no step. A compute step of several
/// names gets one name. Where what a family of compute steps reads and writes follows no rule, it becomes several.
///
/// # Errors
/// When the plan has no rank, uses the label `_`, gives one value two payloads, or has a compute step of more than 32
/// uses.
pub fn schedule(plan: &Plan, options: &Options<'_>) -> Result<Printed, PrintError> {
    if plan.ranks() == 0 {
        let message = "the plan has no rank, and a schedule has at least one".to_owned();
        return Err(PrintError { rank: None, step: None, message });
    }
    let mut names = Names::new(plan, options.name);
    let messages = messages::collect(plan, options.stand_in, &mut names)?;
    let computes = computes::collect(plan, &messages, &mut names);
    let parts = parts::divide(&computes, &messages, &mut names)?;
    let programs = programs::collect(plan, &messages, &computes, &parts, &mut names);
    let body = write::body(plan, options, &names, &messages, &computes, &parts, &programs);
    let families = messages.families().chain(parts.families(&computes)).collect();
    Ok(Printed {
        name: names.schedule().to_owned(),
        body,
        families,
        dropped_domains: computes.dropped_domains.clone(),
    })
}
