//! Rust sources: `schedule!` blocks, without compiling the program around them.

use std::sync::Arc;
use std::thread;

use counterpart_lang::syntax::{Instance, Place, Schedule};
use counterpart_lang::{Errors, elaborate, expand, parse, resolve};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{Bound, Kind, Subject};
use crate::report::failure::{Failure, Unreadable};

/// Brackets may stand in each other so deep.
const MAX_DEPTH: usize = 200;

/// Operators may stand in a row so many, as in `!!!x`.
const MAX_ROW: usize = 64;

/// An expression may have so many operators.
const MAX_OPERATORS: usize = 2_000;

/// Stack for what reads expressions, which recurses over their nesting.
const STACK: usize = 256 << 20;

/// What is asked for.
pub(super) struct Wanted<'a> {
    /// The name of the schedule.
    pub schedule: Option<&'a str>,
    /// Values of its parameters.
    pub sizes: &'a [(&'a str, i64)],
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
    let blocks = blocks(tokens);
    if let Some(place) = blocks.iter().find_map(|block| too_much(block.clone())) {
        let message = "this expression is too long, or too deep".to_owned();
        return Err(source.at(place, message, Some("compute it in steps, with `let`".to_owned())));
    }
    let mut errors = Errors::new();
    let mut blocks: Vec<Schedule> =
        blocks.into_iter().filter_map(|block| parse::parse(block, &mut errors)).collect();
    let names: Vec<String> = blocks.iter().map(|block| format!("`{}`", block.name)).collect();
    if names.is_empty() && errors.is_empty() {
        let help = Some("write `schedule! { … }`, or say with --from what the file is".to_owned());
        return Err(source.first("there is no `schedule!` block".to_owned(), help));
    }
    if let Some(name) = wanted.schedule {
        blocks.retain(|block| block.name == name);
        if blocks.is_empty() && errors.is_empty() {
            let help = Some(format!("there is {}", names.join(", ")));
            return Err(source.first(format!("there is no schedule `{name}`"), help));
        }
    }
    source.all_well(&errors)?;
    if !wanted.sizes.is_empty() {
        let [block] = &mut blocks[..] else {
            let message =
                format!("{file} holds {}: say with --schedule which one the sizes are for", names.join(", "));
            return Err(Failure::Usage(message));
        };
        ask(block, wanted.sizes, file)?;
    }
    let mut subjects = Vec::new();
    for block in &blocks {
        subjects.extend(source.instances(block)?);
    }
    Ok(subjects)
}

/// Asks for these sizes, instead of those that the block asks for.
fn ask(block: &mut Schedule, sizes: &[(&str, i64)], file: &str) -> Result<(), Failure> {
    let params: Vec<String> = block.params.iter().map(ToString::to_string).collect();
    let wrong = |what: String| {
        let example: Vec<String> = params.iter().map(|param| format!("{param}=8")).collect();
        let how = match example.is_empty() {
            true => format!("`{}` has no parameters", block.name),
            false => format!("give all of them, such as {}", example.join(" ")),
        };
        Failure::Usage(format!("{file}: {what}; {how}"))
    };
    for (n, (name, _)) in sizes.iter().enumerate() {
        if !params.iter().any(|param| param == name) {
            return Err(wrong(format!("`{}` has no parameter `{name}`", block.name)));
        }
        if sizes[..n].iter().any(|(other, _)| other == name) {
            return Err(wrong(format!("`{name}` is given twice")));
        }
    }
    let value = |param: &String| {
        let found = sizes.iter().find(|(name, _)| name == param);
        found
            .map(|&(_, size)| size)
            .ok_or_else(|| wrong(format!("parameter `{param}` of `{}` has no size", block.name)))
    };
    let sizes = params.iter().map(value).collect::<Result<Vec<i64>, Failure>>()?;
    block.instances = vec![Instance { name: block.name.clone(), sizes, place: Place::at(block.name.span()) }];
    Ok(())
}

/// The insides of all `schedule! { … }` in the tokens, wherever they stand.
fn blocks(tokens: TokenStream) -> Vec<TokenStream> {
    let mut found = Vec::new();
    let mut open = vec![tokens.into_iter()];
    // What the two tokens before were: the name, and the name with its `!`.
    let (mut is_name, mut is_call) = (false, false);
    while let Some(tokens) = open.last_mut() {
        match tokens.next() {
            None => {
                open.pop();
                (is_name, is_call) = (false, false);
            }
            Some(TokenTree::Ident(name)) => (is_name, is_call) = (name == "schedule", false),
            Some(TokenTree::Punct(mark)) => (is_name, is_call) = (false, is_name && mark.as_char() == '!'),
            Some(TokenTree::Group(group)) => {
                // `macro_rules! schedule` and the like have no call in front of the brackets.
                if is_call && group.delimiter() != Delimiter::None {
                    found.push(group.stream());
                } else {
                    open.push(group.stream().into_iter());
                }
                (is_name, is_call) = (false, false);
            }
            Some(TokenTree::Literal(_)) => (is_name, is_call) = (false, false),
        }
    }
    found
}

/// The place of an expression that is so long or so deep that whoever reads it would run out of stack.
fn too_much(tokens: TokenStream) -> Option<Place> {
    let mut open = vec![(tokens.into_iter(), 0, 0)];
    while let Some((tokens, row, operators)) = open.last_mut() {
        match tokens.next() {
            None => drop(open.pop()),
            Some(TokenTree::Punct(mark)) if ";,".contains(mark.as_char()) => (*row, *operators) = (0, 0),
            Some(TokenTree::Punct(mark)) => {
                (*row, *operators) = (*row + 1, *operators + 1);
                if *row > MAX_ROW || *operators > MAX_OPERATORS {
                    return Some(Place::at(mark.span()));
                }
            }
            Some(TokenTree::Group(group)) => {
                *row = 0;
                if group.delimiter() == Delimiter::Brace {
                    *operators = 0;
                }
                if open.len() > MAX_DEPTH {
                    return Some(Place::at(group.span_open()));
                }
                open.push((group.stream().into_iter(), 0, 0));
            }
            Some(_) => *row = 0,
        }
    }
    None
}

fn bound(bound: &elaborate::Bound) -> Bound {
    let &elaborate::Bound { rank, family, limit, place } = bound;
    Bound { rank, family, limit, place: (place.line(), place.column()) }
}

struct Source<'a> {
    file: &'a Arc<str>,
    text: &'a Arc<str>,
}

impl Source<'_> {
    fn instances(&self, block: &Schedule) -> Result<Vec<Subject>, Failure> {
        let mut errors = Errors::new();
        expand::check(block, &mut errors);
        let resolved = resolve::resolve(block, &mut errors);
        self.all_well(&errors)?;
        let mut subjects = Vec::new();
        for (sizes, _) in &resolved.instances {
            let made = elaborate::elaborate(&resolved, sizes, self.file, &mut errors);
            self.all_well(&errors)?;
            subjects.extend(made.map(|made| {
                let mut plan = made.plan;
                plan.name = made.name;
                Subject {
                    model: Some(made.model),
                    bounds: made.memory.iter().map(bound).collect(),
                    ..Subject::new(plan, Kind::Source, Arc::clone(self.file), Arc::clone(self.text))
                }
            }));
        }
        Ok(subjects)
    }

    fn all_well(&self, errors: &Errors) -> Result<(), Failure> {
        if errors.is_empty() {
            return Ok(());
        }
        let all = errors.iter().map(|error| {
            let mut message = error.message.text.clone();
            if let Some(note) = &error.message.note {
                message.push_str(&format!("\nnote: {note}"));
            }
            self.place(error.place, message, error.message.help.clone())
        });
        Err(Failure::Unreadable(all.collect()))
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
        Unreadable { file: Arc::clone(self.file), text: Arc::clone(self.text), at, len, message, help }
    }
}
