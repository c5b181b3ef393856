//! What decides about order and communication: `cost backward = 2;`, `comms auto;`, `order search;`

use super::{Result, input, keywords, model};
use crate::error::{Error, Errors, catalogue};
use crate::syntax::{Comms, Cost, Place};
use counterpart_core::comms::Rule;
use syn::Token;
use syn::parse::ParseStream;

/// Reads how long something takes.
pub fn cost(input: ParseStream<'_>, errors: &mut Errors) -> Result<Cost> {
    input::take_word(input)?;
    let name = input::name(input, "a compute step, or `transfer`")?;
    if !input.peek(Token![=]) {
        return Err(Error::new(input::here(input), catalogue::cost(&name.to_string(), &input::found(input))));
    }
    input.parse::<Token![=]>()?;
    let ticks = input::expr(input)?;
    input::semicolon(input, "`cost`", keywords::ITEMS, errors);
    Ok(Cost { name, ticks })
}

/// Reads by which rule communication is inserted, and what for.
pub fn comms(input: ParseStream<'_>, errors: &mut Errors) -> Result<Comms> {
    let start = Place::at(input::take_word(input)?.span());
    let word = input::word(input).unwrap_or_default();
    let rule = match word.as_str() {
        "auto" => None,
        word => match Rule::from_name(word) {
            Some(rule) => Some(rule),
            None => return Err(Error::new(input::here(input), catalogue::comms(&input::found(input)))),
        },
    };
    let mut place = start.to(Place::at(input::take_word(input)?.span()));
    let mut fast = None;
    if input::word_is(input, "on") {
        place = place.to(Place::at(input::take_word(input)?.span()));
        fast = Some(model::model(input)?);
    }
    input::semicolon(input, "`comms`", keywords::ITEMS, errors);
    Ok(Comms { rule, fast, place })
}

/// Reads that the order is searched for.
pub fn order(input: ParseStream<'_>, errors: &mut Errors) -> Result<Place> {
    let start = Place::at(input::take_word(input)?.span());
    if !input::word_is(input, "search") {
        return Err(Error::new(input::here(input), catalogue::order(&input::found(input))));
    }
    let place = start.to(Place::at(input::take_word(input)?.span()));
    input::semicolon(input, "`order`", keywords::ITEMS, errors);
    Ok(place)
}
