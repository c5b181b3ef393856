//! What the things that a schedule defines are called.

use crate::Elaborated;
use crate::syntax::{Compute, Schedule, UseKind};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};

/// Words of session types, in which the programs are written.
const RESERVED: [&str; 20] = [
    "Absent", "After", "Backend", "Batch", "Block", "Compute", "Covers", "Group", "HCons", "HList", "HNil", "Ix",
    "Program", "Range", "Rank", "Reads", "Recv", "Repeat", "Send", "Times",
];
const MORE_RESERVED: [&str; 4] = ["Val", "Writes", "Read", "Write"];

/// Errors about names that the generated code needs for itself.
pub fn reserved(schedule: &Schedule) -> TokenStream {
    let messages = schedule.messages.iter().map(|message| &message.name);
    let names = messages.chain(schedule.computes.iter().map(|compute| &compute.name));
    names
        .filter(|name| RESERVED.iter().chain(&MORE_RESERVED).any(|word| *name == word))
        .map(|name| {
            let text = format!("`{name}` is a word of session types\nhelp: choose another name");
            quote_spanned!(name.span()=> ::core::compile_error!(#text);)
        })
        .collect()
}

/// The module of a schedule: `one_f1b` for `OneF1B`.
pub fn module(schedule: &Schedule) -> Ident {
    Ident::new(&snake(&schedule.name.to_string()), schedule.name.span())
}

/// The module of an instance: `p4_m8`.
pub fn instance(schedule: &Schedule, instance: &Elaborated) -> Ident {
    let sizes = schedule.params.iter().zip(&instance.sizes);
    let parts: Vec<String> = sizes.map(|(name, size)| format!("{}{size}", snake(&name.to_string()))).collect();
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
        .map(|used| (snake(&used.value.name.to_string()), used.kind))
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
    named.map(|name| identifier(&name)).collect()
}

/// The name as an identifier, raw where it is a keyword.
fn identifier(name: &str) -> Ident {
    syn::parse_str(name).unwrap_or_else(|_| Ident::new_raw(name, Span::call_site()))
}

/// `DualPipeV` to `dual_pipe_v`, `OneF1B` to `one_f1b`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut before = '_';
    for c in name.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
        before = c;
    }
    snake
}
