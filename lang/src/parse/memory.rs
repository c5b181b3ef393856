//! `memory r <= min(M, P - r) Act;`

use super::{Result, input, item};
use crate::error::{Error, Errors, catalogue};
use crate::syntax::{Memory, Place};
use syn::Token;
use syn::parse::ParseStream;

/// Reads a bound on live buffers.
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
    let message: proc_macro2::Ident = input.parse().map_err(|_| shape("the name of a message"))?;
    let place = start.to(Place::at(message.span()));
    input::semicolon(input, "`memory`", item::WORDS, errors);
    Ok(Memory { rank, bound, message, place })
}
