//! `instance OneF1B<4, 8>;`

use super::{Result, input, item};
use crate::error::{Error, Errors, catalogue};
use crate::syntax::{Instance, Place};
use syn::parse::ParseStream;
use syn::{LitInt, Token};

/// Reads the sizes at which the schedule is instantiated.
pub fn parse(input: ParseStream<'_>, errors: &mut Errors) -> Result<Instance> {
    input::take_word(input)?;
    let name = input::name(input, "the schedule")?;
    let mut place = Place::at(name.span());
    let mut sizes = Vec::new();
    if input.peek(syn::token::Paren) {
        let message = catalogue::sizes_in_angles(&name.to_string());
        return Err(Error::new(input::here(input), message));
    }
    if input.peek(Token![<]) {
        input.parse::<Token![<]>()?;
        while !input.peek(Token![>]) {
            sizes.push(size(input)?);
            if input.peek(Token![,]) {
                input.parse::<Token![,]>()?;
            } else if !input.peek(Token![>]) {
                return Err(Error::new(input::here(input), catalogue::missing_comma(&input::found(input))));
            }
        }
        let close = input.parse::<Token![>]>()?;
        place = place.to(Place::at(close.spans[0]));
    }
    input::semicolon(input, "`instance`", item::WORDS, errors);
    Ok(Instance { name, sizes, place })
}

fn size(input: ParseStream<'_>) -> Result<i64> {
    let wrong =
        |input: ParseStream<'_>| Error::new(input::here(input), catalogue::size(&input::found(input)));
    if !input.peek(LitInt) {
        return Err(wrong(input));
    }
    let literal = input.fork().parse::<LitInt>()?;
    match literal.base10_parse() {
        Ok(value) if value >= 0 && literal.suffix().is_empty() => {
            input.parse::<LitInt>()?;
            Ok(value)
        }
        _ => Err(wrong(input)),
    }
}
