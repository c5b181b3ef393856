//! `memory r <= min(M, P - r) Act;` and `memory r <= P forward until backward;`

use super::{Result, input, keywords};
use crate::error::{Error, Errors, catalogue};
use crate::syntax::{Counted, Memory, Place};
use proc_macro2::Ident;
use syn::Token;
use syn::parse::ParseStream;

/// Reads a bound.
pub fn parse(input: ParseStream<'_>, errors: &mut Errors) -> Result<Memory> {
    let start = Place::at(input::take_word(input)?.span());
    let shape =
        |expected: &str| Error::new(input::here(input), catalogue::memory(expected, &input::found(input)));
    let rank = input.parse().map_err(|_| shape("a name for the rank"))?;
    if !input.peek(Token![<=]) {
        return Err(shape("`<=`"));
    }
    input.parse::<Token![<=]>()?;
    let bound = input::expr(input)?;
    let name: Ident = input.parse().map_err(|_| shape("the name of a message or compute step"))?;
    let mut place = start.to(Place::at(name.span()));
    let counted = match input::word_is(input, "until") {
        false => Counted::Message(name),
        true => {
            input::take_word(input)?;
            let until: Ident = input.parse().map_err(|_| shape("the name of a compute step"))?;
            place = start.to(Place::at(until.span()));
            Counted::Kept { from: name, until }
        }
    };
    input::semicolon(input, "`memory`", keywords::ITEMS, errors);
    Ok(Memory { rank, bound, counted, place })
}
