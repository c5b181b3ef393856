//! What the things that a schedule defines are called.

use std::collections::HashSet;

use counterpart_core::DType;
use proc_macro2::{Ident, Span};
use quote::format_ident;

use crate::Elaborated;
use crate::error::{Errors, catalogue};
use crate::syntax::{Compute, Place, Schedule, UseKind};

/// Names that the generated code uses beside those of messages and compute steps.
#[rustfmt::skip]
const TAKEN: [&str; 38] = [
    "Absent", "After", "Backend", "Batch", "Block", "Compute", "Coverage", "Covers", "FamilyPeak", "Group", "HCons",
    "HList", "HNil", "Ix", "Overlap", "PEAK", "Peak", "Perform", "Place", "Program", "Range", "Rank", "Ranks", "Read", "Reads", "Recv",
    "Repeat", "Send", "Sized", "StepResult", "Threads", "Times", "Val", "Write", "Writes", "str", "u32", "usize",
];

/// Reports names that the generated code needs for itself.
pub fn check(schedule: &Schedule, errors: &mut Errors) {
    let messages = schedule.messages.iter().map(|message| &message.name);
    let modules: Vec<String> = match schedule.params.is_empty() {
        true => vec![programs(schedule, &[]).to_string()],
        false => schedule.instances.iter().map(|i| programs(schedule, &i.sizes).to_string()).collect(),
    };
    for name in messages.chain(schedule.computes.iter().map(|compute| &compute.name)) {
        let element_types = DType::ALL.iter().map(|dtype| dtype.name());
        let text = name.to_string();
        if element_types.chain(TAKEN).any(|taken| text == taken) {
            errors.at(Place::at(name.span()), catalogue::taken(&text));
        } else if is_program(&text) || modules.contains(&text) {
            errors.at(Place::at(name.span()), catalogue::called_like_programs(&text));
        }
    }
    if schedule.name == snake(&schedule.name) {
        errors.at(Place::at(schedule.name.span()), catalogue::lower_case(&schedule.name.to_string()));
    }
}

/// Reports messages of which nothing says what they carry.
pub fn check_shapes(schedule: &Schedule, errors: &mut Errors) {
    for message in schedule.messages.iter().filter(|message| message.dims.is_empty()) {
        let indices: Vec<String> = message.indices.iter().map(Ident::to_string).collect();
        errors
            .at(Place::at(message.name.span()), catalogue::open_message(&message.name.to_string(), &indices));
    }
}

/// Is it the alias of the program of a rank, such as `Rank3`?
fn is_program(name: &str) -> bool {
    name.strip_prefix("Rank").is_some_and(|rank| !rank.is_empty() && rank.bytes().all(|b| b.is_ascii_digit()))
}

/// A type parameter of the generated code: this letter, with underscores after it where a message or compute step has
/// its name.
pub fn type_parameter(schedule: &Schedule, letter: char) -> Ident {
    let messages = schedule.messages.iter().map(|message| &message.name);
    let names: Vec<&Ident> = messages.chain(schedule.computes.iter().map(|compute| &compute.name)).collect();
    let mut name = letter.to_string();
    while names.iter().any(|taken| **taken == name) {
        name.push('_');
    }
    Ident::new(&name, Span::call_site())
}

/// The module of a schedule: `one_f1b` for `OneF1B`.
pub fn module(schedule: &Schedule) -> Ident {
    match snake(&schedule.name) {
        same if schedule.name == same => format_ident!("{same}_", span = schedule.name.span()),
        other => identifier(&other, schedule.name.span()),
    }
}

/// The module of an instance: `p4_m8`.
pub fn instance(schedule: &Schedule, instance: &Elaborated) -> Ident {
    programs(schedule, &instance.sizes)
}

fn programs(schedule: &Schedule, sizes: &[i64]) -> Ident {
    let sizes = schedule.params.iter().zip(sizes);
    let parts: Vec<String> = sizes.map(|(name, size)| format!("{}{size}", snake(name))).collect();
    match parts.is_empty() {
        true => format_ident!("programs"),
        false => format_ident!("{}", parts.join("_")),
    }
}

/// The parameter of a compute method for each of its reads and writes, in order: `act` where the family occurs once,
/// else `act_in` and `act_out`, and with a number where there are several of these.
pub fn arguments(compute: &Compute) -> Vec<Ident> {
    let uses: Vec<(String, UseKind)> = compute
        .uses
        .iter()
        .filter(|used| used.kind != UseKind::After)
        .map(|used| (snake(&used.value.name), used.kind))
        .collect();
    let named = uses.iter().enumerate().map(|(at, (family, kind))| {
        if uses.iter().filter(|other| other.0 == *family).count() == 1 {
            return family.clone();
        }
        let suffix = if *kind == UseKind::Reads { "in" } else { "out" };
        let twins = uses.iter().filter(|other| *other == &(family.clone(), *kind)).count();
        let before = uses[..at].iter().filter(|other| *other == &(family.clone(), *kind)).count();
        if twins == 1 { format!("{family}_{suffix}") } else { format!("{family}_{suffix}{before}") }
    });
    let mut taken: HashSet<String> = compute.indices.iter().map(|index| index.name.to_string()).collect();
    let unique = named.map(|mut name| {
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        identifier(&name, Span::call_site())
    });
    unique.collect()
}

/// The name as an identifier, raw where it is a keyword, and longer where it can't be raw.
fn identifier(name: &str, span: Span) -> Ident {
    match name {
        "self" | "super" | "crate" | "_" => Ident::new(&format!("{name}_"), span),
        // A keyword since edition 2024, which syn does not know.
        "gen" => Ident::new_raw(name, span),
        _ if syn::parse_str::<Ident>(name).is_ok() => Ident::new(name, span),
        _ => Ident::new_raw(name, span),
    }
}

/// `DualPipeV` to `dual_pipe_v`, `OneF1B` to `one_f1b`.
fn snake(name: &Ident) -> String {
    let mut snake = String::new();
    let mut before = '_';
    for c in name.to_string().trim_start_matches("r#").chars() {
        if c.is_uppercase() && before.is_lowercase() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
        before = c;
    }
    snake
}
