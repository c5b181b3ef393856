//! `message Act[s, m]: [f32; 32, 64];`, `message Act[s, m];` and references to messages, `Act[s + 1, m]`.

use super::{Result, expr, input, keywords};
use crate::error::{Error, Errors, catalogue};
use crate::syntax::{Dim, Message, Place, ValueRef};
use counterpart_core::DType;
use counterpart_core::value::MAX_ARITY;
use proc_macro2::{Delimiter, Ident};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{Attribute, Token};

/// Reads a message family.
pub fn parse(input: ParseStream<'_>, attrs: Vec<Attribute>, errors: &mut Errors) -> Result<Message> {
    input::take_word(input)?;
    let name = input::name(input, "the message")?;
    let indices = match input.peek(Token![:]) || input.peek(Token![;]) {
        true => Vec::new(),
        false => index_names(input)?,
    };
    if input.peek(Token![;]) {
        input.parse::<Token![;]>()?;
        return Ok(Message { attrs, name, indices, dtype: DType::F32, dims: Vec::new() });
    }
    if !input.peek(Token![:]) {
        return Err(Error::new(input::here(input), catalogue::message_type(&input::found(input))));
    }
    input.parse::<Token![:]>()?;
    if !input.peek(syn::token::Bracket) {
        return Err(Error::new(input::here(input), catalogue::message_type(&input::found(input))));
    }
    let ((dtype, dims), _) = input::group(input, Delimiter::Bracket, "the type of a message", payload)?;
    input::semicolon(input, "`message`", keywords::ITEMS, errors);
    Ok(Message { attrs, name, indices, dtype, dims })
}

fn index_names(input: ParseStream<'_>) -> Result<Vec<Ident>> {
    let names = |input: ParseStream<'_>| input::list(input, |input| input::name(input, "an index"));
    let (names, _) = input::group(input, Delimiter::Bracket, "the indices of a message", names)?;
    match names.get(MAX_ARITY) {
        Some(extra) => Err(Error::new(Place::at(extra.span()), catalogue::too_many_indices(MAX_ARITY))),
        None => Ok(names),
    }
}

fn payload(input: ParseStream<'_>) -> Result<(DType, Vec<Dim>)> {
    let place = input::here(input);
    let word = input::word(input).unwrap_or_default();
    let Some(dtype) = DType::from_name(&word) else {
        return Err(Error::new(place, catalogue::unknown_dtype(&input::found(input))));
    };
    input::take_word(input)?;
    if !input.peek(Token![;]) {
        return Err(Error::new(input::here(input), catalogue::message_type(&input::found(input))));
    }
    input.parse::<Token![;]>()?;
    let dims = input::list(input, dim)?;
    match dims.is_empty() {
        true => Err(Error::new(place, catalogue::message_type("no size"))),
        false => Ok((dtype, dims)),
    }
}

fn dim(input: ParseStream<'_>) -> Result<Dim> {
    let parsed: syn::Expr = input.parse()?;
    Ok(Dim { tokens: parsed.to_token_stream(), expr: expr::convert(&parsed).ok(), place: Place::of(&parsed) })
}

/// Reads a family with its indices. `what` stands before it.
pub fn reference(input: ParseStream<'_>, what: &str) -> Result<ValueRef> {
    let place = input::here(input);
    let missing = matches!(input::word(input).as_deref(), Some("to" | "from" | "if"))
        && !input.peek2(syn::token::Bracket);
    if missing || input::word(input).is_none() {
        return Err(Error::new(place, catalogue::value_expected(what, &input::found(input))));
    }
    let name = input::take_word(input)?;
    if input.peek(syn::token::Paren) {
        return Err(Error::new(input::here(input), catalogue::indices_in_brackets(&name.to_string())));
    }
    if !input.peek(syn::token::Bracket) {
        return Ok(ValueRef { name, indices: Vec::new(), place });
    }
    let indices = |input: ParseStream<'_>| input::list(input, input::expr);
    let (indices, brackets) = input::group(input, Delimiter::Bracket, "the indices", indices)?;
    Ok(ValueRef { name, indices, place: place.to(brackets) })
}
