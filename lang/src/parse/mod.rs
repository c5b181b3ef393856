//! Tokens to tree. An error is noted and the parser goes on with the next statement or item, so that all of them are
//! reported; whatever could be read is in the tree.

pub(crate) mod base;
mod compute;
mod expr;
mod header;
mod input;
mod instance;
mod item;
mod keywords;
mod memory;
mod message;
mod model;
mod rank;
mod statement;
mod timing;

use crate::error::{Error, Errors, catalogue};
use crate::syntax::{Place, Schedule};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::token;

/// What a parser returns: an error is not yet noted.
type Result<T> = core::result::Result<T, Error>;

/// Brackets nest at most this deep, so that nothing that works on nested source can run out of stack.
const MAX_NESTING: usize = 64;

/// Reads the inside of `schedule! { … }`.
///
/// What is returned in spite of errors is incomplete, but its header is right: it says which names the schedule
/// defines. `None` where there is no header.
pub fn parse(tokens: TokenStream, errors: &mut Errors) -> Option<Schedule> {
    if let Some(place) = too_deep(tokens.clone()) {
        errors.at(place, catalogue::too_deep(MAX_NESTING));
        return None;
    }
    let mut parsed = None;
    let parser = |input: ParseStream<'_>| {
        parsed = schedule(input, errors);
        input::drain(input);
        Ok(())
    };
    if let Err(error) = parser.parse2(tokens) {
        errors.push(error);
    }
    parsed
}

fn schedule(input: ParseStream<'_>, errors: &mut Errors) -> Option<Schedule> {
    let mut schedule = header::parse(input, errors)?;
    let mut programs = false;
    let mut items = |input: ParseStream<'_>, errors: &mut Errors| {
        while !input.is_empty() {
            programs |= input::word_is(input, "rank") || input::word_is(input, "order");
            input::recover(input, errors, |errors| item::parse(input, &mut schedule, errors));
        }
    };
    if input.peek(token::Brace) {
        // The header has said that these braces are wrong; what they hold is read all the same.
        input::recover(input, errors, |errors| {
            input::group(input, Delimiter::Brace, "items", |inside| {
                items(inside, errors);
                Ok(())
            })
        });
    }
    items(input, errors);
    base::extend(&mut schedule, errors);
    fill_in(&mut schedule);
    programs |= schedule.base.is_some();
    if !programs {
        errors.at(Place::at(schedule.name.span()), catalogue::no_rank(&schedule.name.to_string()));
    }
    Some(schedule)
}

/// Gives instances the sizes that they leave to the defaults.
pub(crate) fn fill_in(schedule: &mut Schedule) {
    for instance in &mut schedule.instances {
        let left = schedule.defaults.get(instance.sizes.len()..).unwrap_or_default();
        if let Some(sizes) = left.iter().copied().collect::<Option<Vec<i64>>>() {
            instance.sizes.extend(sizes);
        }
    }
}

/// Does this word begin a statement?
pub(crate) fn is_statement_word(word: &str) -> bool {
    keywords::STATEMENTS.contains(&word)
}

/// The first bracket that is nested too deep.
fn too_deep(tokens: TokenStream) -> Option<Place> {
    let mut open = vec![tokens.into_iter()];
    while let Some(innermost) = open.last_mut() {
        match innermost.next() {
            None => drop(open.pop()),
            Some(TokenTree::Group(group)) if group.delimiter() != Delimiter::None => {
                if open.len() > MAX_NESTING {
                    return Some(Place::at(group.span_open()));
                }
                open.push(group.stream().into_iter());
            }
            Some(TokenTree::Group(group)) => open.push(group.stream().into_iter()),
            Some(_) => {}
        }
    }
    None
}
