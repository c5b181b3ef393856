//! `instance OneF1B<4, 8>;`

use super::{Result, input, keywords};
use crate::error::{Error, Errors, catalogue};
use crate::syntax::{Instance, Place};
use syn::Token;
use syn::parse::ParseStream;

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
            sizes.push(input::size(input)?);
            if input.peek(Token![,]) {
                input.parse::<Token![,]>()?;
            } else if !input.peek(Token![>]) {
                return Err(Error::new(input::here(input), catalogue::missing_comma(&input::found(input))));
            }
        }
        let close = input.parse::<Token![>]>()?;
        place = place.to(Place::at(close.spans[0]));
    }
    input::semicolon(input, "`instance`", keywords::ITEMS, errors);
    Ok(Instance { name, sizes, place })
}
