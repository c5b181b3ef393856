//! Rust sources: `schedule!` blocks, without compiling the program around them.

mod tokens;

use std::sync::Arc;
use std::thread;

use counterpart::core::live::Limit;
use counterpart_lang::syntax::{Compute, Instance, Place, Schedule};
use counterpart_lang::{Error, Errors, elaborate, expand, parse, resolve};
use proc_macro2::{Ident, TokenStream};

use super::{Bound, Kind, Subject};
use crate::report::failure::{Failure, Unreadable};

/// Stack for what reads expressions, which recurses over their nesting.
const STACK: usize = 256 << 20;

/// What is asked for.
pub(super) struct Wanted<'a> {
    /// The name of the schedule.
    pub schedule: Option<&'a str>,
    /// Values of its parameters.
    pub sizes: &'a [(&'a str, i64)],
    /// Insert communication where the schedule leaves it to us.
    pub comms: bool,
}

/// Every instance of the blocks that are wanted: at the sizes given, or else at those that the block asks for itself.
pub(super) fn load(file: &Arc<str>, text: &Arc<str>, wanted: &Wanted<'_>) -> Result<Vec<Subject>, Failure> {
    thread::scope(|scope| {
        let thread =
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || read(file, text, wanted));
        let thread = thread.map_err(|error| Failure::File { file: Arc::clone(file), error })?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn read(file: &Arc<str>, text: &Arc<str>, wanted: &Wanted<'_>) -> Result<Vec<Subject>, Failure> {
    let source = Source { file, text };
    let tokens: TokenStream = text.parse().map_err(|error: proc_macro2::LexError| {
        let place = Place::at(error.span());
        source.at(place, "this is no Rust: a token or bracket that does not fit".to_owned(), None)
    })?;
    let blocks = tokens::blocks(tokens);
    if let Some(place) = blocks.iter().find_map(|block| tokens::too_much(block.clone())) {
        let message = "this expression is too long, or too deep".to_owned();
        return Err(source.at(place, message, Some("compute it in steps, with `let`".to_owned())));
    }
    if blocks.is_empty() {
        let help = Some("write `schedule! { … }`, or say with --from what the file is".to_owned());
        return Err(source.first("there is no `schedule!` block".to_owned(), help));
    }
    let mut blocks: Vec<Block> = blocks.into_iter().map(Block::read).collect();
    if let Some(name) = wanted.schedule {
        source.choose(&mut blocks, name)?;
    }
    source.all_well(blocks.iter().map(|block| &block.errors))?;
    let mut schedules: Vec<Schedule> = blocks.into_iter().filter_map(|block| block.schedule).collect();
    if !wanted.sizes.is_empty() {
        let [schedule] = &mut schedules[..] else {
            let message = format!(
                "{file} holds {}: say with --schedule which one the sizes are for",
                names(schedules.iter())
            );
            return Err(Failure::Usage(message));
        };
        ask(schedule, wanted.sizes, file)?;
    }
    let mut subjects = Vec::new();
    for schedule in &schedules {
        subjects.extend(source.instances(schedule, wanted.comms)?);
    }
    Ok(subjects)
}

/// A block as far as it could be read.
struct Block {
    schedule: Option<Schedule>,
    errors: Errors,
}

impl Block {
    fn read(tokens: TokenStream) -> Block {
        let mut errors = Errors::new();
        Block { schedule: parse::parse(tokens, &mut errors), errors }
    }
}

fn names<'s>(schedules: impl Iterator<Item = &'s Schedule>) -> String {
    schedules.map(|schedule| format!("`{}`", schedule.name)).collect::<Vec<_>>().join(", ")
}

/// `P=4 M=8`: how to give a schedule its sizes, with those of its first instance.
fn example(schedule: &Schedule) -> String {
    let known = schedule.instances.first().map_or(&[][..], |instance| &instance.sizes);
    let size = |n: usize| known.get(n).copied().unwrap_or(8);
    let sizes = schedule.params.iter().enumerate().map(|(n, param)| format!("{param}={}", size(n)));
    sizes.collect::<Vec<_>>().join(" ")
}

/// Asks for these sizes, instead of those that the block asks for.
fn ask(schedule: &mut Schedule, sizes: &[(&str, i64)], file: &str) -> Result<(), Failure> {
    let wrong = |what: String| {
        let how = match schedule.params.is_empty() {
            true => format!("`{}` has no parameters", schedule.name),
            false => format!("give all of them, such as {}", example(schedule)),
        };
        Failure::Usage(format!("{file}: {what}; {how}"))
    };
    for (n, (name, size)) in sizes.iter().enumerate() {
        if !schedule.params.iter().any(|param| param == name) {
            return Err(wrong(format!("`{}` has no parameter `{name}`", schedule.name)));
        }
        if sizes[..n].iter().any(|(other, _)| other == name) {
            return Err(wrong(format!("`{name}` is given twice")));
        }
        if *size < 0 {
            return Err(wrong(format!("`{name}` is {size}, but a size is 0 or more")));
        }
    }
    let value = |param: &Ident| {
        let found = sizes.iter().find(|(name, _)| param == name);
        let missing = || wrong(format!("parameter `{param}` of `{}` has no size", schedule.name));
        found.map(|&(_, size)| size).ok_or_else(missing)
    };
    let sizes = schedule.params.iter().map(value).collect::<Result<Vec<i64>, Failure>>()?;
    let (name, place) = (schedule.name.clone(), Place::at(schedule.name.span()));
    schedule.instances = vec![Instance { name, sizes, place }];
    Ok(())
}

fn bound(bound: &elaborate::Bound) -> Bound {
    let &elaborate::Bound { rank, family, until, limit, place } = bound;
    Bound { limit: Limit { rank, family, until, most: limit }, place: (place.line(), place.column()) }
}

fn declared(compute: &Compute) -> (String, (usize, usize)) {
    let place = Place::at(compute.name.span());
    (compute.name.to_string(), (place.line(), place.column()))
}

struct Source<'a> {
    file: &'a Arc<str>,
    text: &'a Arc<str>,
}

impl Source<'_> {
    /// Leaves the block of this name. A mistake in another one does not matter then.
    fn choose(&self, blocks: &mut Vec<Block>, name: &str) -> Result<(), Failure> {
        let is_it = |block: &Block| block.schedule.as_ref().is_some_and(|schedule| schedule.name == name);
        if blocks.iter().any(is_it) {
            blocks.retain(is_it);
            return Ok(());
        }
        // One whose name can't be read may be the one that is meant.
        if blocks.iter().any(|block| block.schedule.is_none()) {
            blocks.retain(|block| block.schedule.is_none());
            return Ok(());
        }
        let there = names(blocks.iter().filter_map(|block| block.schedule.as_ref()));
        Err(self.first(format!("there is no schedule `{name}`"), Some(format!("there is {there}"))))
    }

    fn instances(&self, schedule: &Schedule, comms: bool) -> Result<Vec<Subject>, Failure> {
        if schedule.instances.is_empty() && !schedule.params.is_empty() {
            let name = &schedule.name;
            let help = format!("give its sizes, such as {}, or declare an `instance`", example(schedule));
            let message = format!("`{name}` has parameters, but no sizes to judge it at");
            return Err(self.at(Place::at(name.span()), message, Some(help)));
        }
        let mut errors = Errors::new();
        expand::check(schedule, &mut errors);
        expand::check_shapes(schedule, &mut errors);
        let resolved = resolve::resolve(schedule, &mut errors);
        self.all_well([&errors])?;
        let mut subjects = Vec::new();
        for (sizes, _) in &resolved.instances {
            let options = elaborate::Options { comms };
            let made = elaborate::elaborate_with(&resolved, sizes, self.file, options, &mut errors);
            self.all_well([&errors])?;
            subjects.extend(made.map(|made| {
                let mut plan = made.plan;
                plan.name = made.name;
                Subject {
                    model: Some(made.model),
                    bounds: made.memory.iter().map(bound).collect(),
                    fault: made.fault,
                    choice: made.choice,
                    declared: schedule.computes.iter().map(declared).collect(),
                    ..Subject::new(plan, Kind::Source, Arc::clone(self.file), Arc::clone(self.text))
                }
            }));
        }
        Ok(subjects)
    }

    fn all_well<'e>(&self, errors: impl IntoIterator<Item = &'e Errors>) -> Result<(), Failure> {
        let all: Vec<Unreadable> =
            errors.into_iter().flat_map(Errors::iter).map(|error| self.error(error)).collect();
        if all.is_empty() { Ok(()) } else { Err(Failure::Unreadable(all)) }
    }

    fn error(&self, error: &Error) -> Unreadable {
        let more = (error.more > 0).then(|| format!("and {} more like it", error.more));
        let notes: Vec<&str> = error.message.note.as_deref().into_iter().chain(more.as_deref()).collect();
        let note = (!notes.is_empty()).then(|| notes.join(", "));
        let message = error.message.text.clone();
        Unreadable { note, ..self.place(error.place, message, error.message.help.clone()) }
    }

    fn at(&self, place: Place, message: String, help: Option<String>) -> Failure {
        self.place(place, message, help).into()
    }

    fn place(&self, place: Place, message: String, help: Option<String>) -> Unreadable {
        let (start, end) = (place.start.start(), place.end.end());
        let len = if start.line == end.line { end.column.saturating_sub(start.column) } else { 1 };
        self.unreadable((place.line().max(1), place.column()), len.max(1), message, help)
    }

    /// What is wrong with the file as a whole.
    fn first(&self, message: String, help: Option<String>) -> Failure {
        self.unreadable((1, 1), 1, message, help).into()
    }

    fn unreadable(
        &self,
        at: (usize, usize),
        len: usize,
        message: String,
        help: Option<String>,
    ) -> Unreadable {
        Unreadable {
            file: Arc::clone(self.file),
            text: Arc::clone(self.text),
            at,
            len,
            message,
            help,
            note: None,
        }
    }
}
