//! `compute forward(s in 0..P, m in 0..M) { reads …; writes …; after …; }`

use super::{Result, expr, input, keywords, message};
use crate::error::{Error, Errors, catalogue};
use crate::syntax::{Compute, Index, Place, Use, UseKind};
use counterpart_core::value::MAX_ARITY;
use proc_macro2::Delimiter;
use syn::parse::ParseStream;
use syn::{Attribute, Token};

/// The words that uses begin with.
const WORDS: &[&str] = &["reads", "writes", "after"];
/// Uses that one compute step may declare.
const MAX_USES: usize = 32;

/// Reads a compute step.
pub fn parse(input: ParseStream<'_>, attrs: Vec<Attribute>, errors: &mut Errors) -> Result<Compute> {
    input::take_word(input)?;
    let name = input::name(input, "the compute step")?;
    let mut indices = Vec::new();
    if input.peek(syn::token::Paren) {
        let list = |input: ParseStream<'_>| input::list(input, index);
        indices = input::group(input, Delimiter::Parenthesis, "the indices of a compute step", list)?.0;
    }
    if let Some(extra) = indices.get(MAX_ARITY) {
        errors.at(Place::at(extra.name.span()), catalogue::too_many_indices(MAX_ARITY));
    }
    if let Some(bare) = indices.iter().find(|i| i.range.is_none())
        && indices.iter().any(|i| i.range.is_some())
    {
        errors.at(Place::at(bare.name.span()), catalogue::partial_domain(&bare.name.to_string()));
    }
    let mut on = None;
    if input::word_is(input, "on") {
        input::take_word(input)?;
        on = Some(expr::convert(&input::expr_before_brace(input)?)?);
    }
    if input.peek(Token![;]) {
        input.parse::<Token![;]>()?;
        return Ok(Compute { attrs, name, indices, on, uses: Vec::new() });
    }
    let (uses, _) = input::group(input, Delimiter::Brace, "what a compute step reads and writes", |input| {
        Ok(uses(input, errors))
    })?;
    if let Some(extra) = uses.get(MAX_USES) {
        errors.at(extra.value.place, catalogue::too_many_uses(MAX_USES));
    }
    Ok(Compute { attrs, name, indices, on, uses })
}

fn index(input: ParseStream<'_>) -> Result<Index> {
    let name = input::name(input, "an index")?;
    if !input.peek(Token![in]) {
        return Ok(Index { name, range: None });
    }
    input.parse::<Token![in]>()?;
    let range = expr::range(&input::expr_before_brace(input)?)?;
    Ok(Index { name, range: Some(range) })
}

fn uses(input: ParseStream<'_>, errors: &mut Errors) -> Vec<Use> {
    let mut uses = Vec::new();
    while !input.is_empty() {
        uses.extend(input::recover(input, errors, |errors| one_use(input, errors)));
    }
    uses
}

fn one_use(input: ParseStream<'_>, errors: &mut Errors) -> Result<Use> {
    let word = input::word(input);
    let kind = match word.as_deref() {
        Some("reads") => UseKind::Reads,
        Some("writes") => UseKind::Writes,
        Some("after") => UseKind::After,
        word => {
            return Err(Error::new(
                input::here(input),
                catalogue::unknown_use(word, WORDS, &input::found(input)),
            ));
        }
    };
    let keyword = input::take_word(input)?;
    let value = message::reference(input, &keyword.to_string())?;
    let condition = input::condition(input)?;
    input::semicolon(input, &format!("`{keyword}`"), &[WORDS, keywords::ITEMS].concat(), errors);
    Ok(Use { kind, value, condition })
}
