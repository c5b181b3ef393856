//! `pub schedule OneF1B(P, M);`

use super::{Result, input, item};
use crate::error::{Error, Errors, catalogue};
use crate::syntax::{Place, Schedule};
use proc_macro2::{Delimiter, Ident};
use syn::parse::ParseStream;
use syn::{Attribute, Visibility};

/// Reads the header. Without a name there is no schedule; any later error in the header leaves it incomplete.
pub fn parse(input: ParseStream<'_>, errors: &mut Errors) -> Option<Schedule> {
    let (attrs, visibility, name) = match opening(input) {
        Ok(opening) => opening,
        Err(error) => {
            errors.push(error);
            return None;
        }
    };
    let params = parameters(input).unwrap_or_else(|error| {
        errors.push(error);
        Vec::new()
    });
    input::semicolon(input, "the header", item::WORDS, errors);
    Some(Schedule {
        attrs,
        visibility,
        name,
        params,
        model: None,
        lets: Vec::new(),
        functions: Vec::new(),
        messages: Vec::new(),
        computes: Vec::new(),
        memory: Vec::new(),
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

fn parameters(input: ParseStream<'_>) -> Result<Vec<Ident>> {
    if !input.peek(syn::token::Paren) {
        return Ok(Vec::new());
    }
    let list = |input: ParseStream<'_>| input::list(input, input::parameter);
    Ok(input::group(input, Delimiter::Parenthesis, "the parameters", list)?.0)
}
