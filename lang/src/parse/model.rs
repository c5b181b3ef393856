//! `model edge + item;`

use super::{Result, input, keywords};
use crate::error::{Error, Errors, catalogue};
use counterpart_core::{BatchRule, Channel, Model};
use syn::Token;
use syn::parse::ParseStream;

/// Reads a channel, and a batch rule where it is there: `gang`, or for `eager` the only one that it has.
pub fn parse(input: ParseStream<'_>, errors: &mut Errors) -> Result<Model> {
    input::take_word(input)?;
    let model = model(input)?;
    input::semicolon(input, "`model`", keywords::ITEMS, errors);
    Ok(model)
}

/// `portable`, a channel, or a channel and a batch rule.
pub fn model(input: ParseStream<'_>) -> Result<Model> {
    let place = input::here(input);
    let word = input::word(input).unwrap_or_default();
    if word == "portable" {
        input::take_word(input)?;
        Ok(Model::PORTABLE)
    } else {
        let unknown = || Error::new(place, catalogue::unknown_channel(&input::found(input)));
        let channel = Channel::from_name(&word).ok_or_else(unknown)?;
        input::take_word(input)?;
        let rule = match input.peek(Token![+]) {
            true => rule(input)?,
            false if channel == Channel::Eager => BatchRule::Item,
            false => BatchRule::Gang,
        };
        Model::new(channel, rule).ok_or_else(|| Error::new(place, catalogue::eager_gang()))
    }
}

fn rule(input: ParseStream<'_>) -> Result<BatchRule> {
    input.parse::<Token![+]>()?;
    let word = input::word(input).unwrap_or_default();
    let unknown = || Error::new(input::here(input), catalogue::unknown_rule(&input::found(input)));
    let rule = BatchRule::from_name(&word).ok_or_else(unknown)?;
    input::take_word(input)?;
    Ok(rule)
}
