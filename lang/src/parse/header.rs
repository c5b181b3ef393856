//! `pub schedule OneF1B(P, M);` and `pub schedule Mine = OneF1B;`

use super::{Result, input, keywords};
use crate::error::{Error, Errors, catalogue};
use crate::syntax::{Place, Schedule};
use proc_macro2::{Delimiter, Ident};
use syn::parse::ParseStream;
use syn::{Attribute, Token, Visibility, token};

/// Reads the header. Without a name there is no schedule; any later error in the header leaves it incomplete.
pub fn parse(input: ParseStream<'_>, errors: &mut Errors) -> Option<Schedule> {
    let (attrs, visibility, name) = match opening(input) {
        Ok(opening) => opening,
        Err(error) => {
            errors.push(error);
            return None;
        }
    };
    let (mut params, mut defaults) = parameters(input).unwrap_or_else(|error| {
        errors.push(error);
        Default::default()
    });
    let base = base(input).unwrap_or_else(|error| {
        errors.push(error);
        None
    });
    if let (Some(base), Some(param)) = (&base, params.first()) {
        errors.at(Place::at(param.span()), catalogue::own_parameters(&base.to_string()));
        (params, defaults) = Parameters::default();
    }
    match input.peek(token::Brace) {
        true => errors.at(input::here(input), catalogue::braces_around_items()),
        false => input::semicolon(input, "the header", keywords::ITEMS, errors),
    }
    Some(Schedule {
        attrs,
        visibility,
        name,
        params,
        defaults,
        base,
        model: None,
        lets: Vec::new(),
        requires: Vec::new(),
        functions: Vec::new(),
        messages: Vec::new(),
        computes: Vec::new(),
        memory: Vec::new(),
        costs: Vec::new(),
        comms: None,
        search: None,
        ranks: Vec::new(),
        instances: Vec::new(),
    })
}

fn opening(input: ParseStream<'_>) -> Result<(Vec<Attribute>, Visibility, Ident)> {
    let attrs = input.call(Attribute::parse_outer)?;
    if let Some(attr) =
        attrs.iter().find(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"))
    {
        return Err(Error::new(Place::of(attr), catalogue::conditional()));
    }
    let visibility = input.parse::<Visibility>()?;
    if !input::word_is(input, "schedule") {
        return Err(Error::new(input::here(input), catalogue::header_expected(&input::found(input))));
    }
    input::take_word(input)?;
    let name = input::name(input, "the schedule")?;
    Ok((attrs, visibility, name))
}

/// Parameters and their defaults.
type Parameters = (Vec<Ident>, Vec<Option<i64>>);

fn parameters(input: ParseStream<'_>) -> Result<Parameters> {
    if !input.peek(syn::token::Paren) {
        return Ok(Parameters::default());
    }
    let list = |input: ParseStream<'_>| input::list(input, parameter);
    let (list, _) = input::group(input, Delimiter::Parenthesis, "the parameters", list)?;
    let place = |at: usize| Place::at(list[at].0.span());
    if let Some(at) = (1..list.len()).find(|&at| list[at - 1].1.is_some() && list[at].1.is_none()) {
        return Err(Error::new(place(at), catalogue::default_in_front(&list[at].0.to_string())));
    }
    Ok(list.into_iter().unzip())
}

/// `P`, or `G = 0`.
fn parameter(input: ParseStream<'_>) -> Result<(Ident, Option<i64>)> {
    let name = input::parameter(input)?;
    if !input.peek(Token![=]) {
        return Ok((name, None));
    }
    input.parse::<Token![=]>()?;
    Ok((name, Some(input::size(input)?)))
}

/// `= OneF1B`
fn base(input: ParseStream<'_>) -> Result<Option<Ident>> {
    if !input.peek(Token![=]) {
        return Ok(None);
    }
    input.parse::<Token![=]>()?;
    input::name(input, "a schedule of the library").map(Some)
}
