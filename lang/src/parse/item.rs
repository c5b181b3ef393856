//! Which item is it?

use super::{
    Result, compute, expr, input, instance, keywords, memory, message, model, rank, statement, timing,
};
use crate::error::{Error, Errors, catalogue};
use crate::syntax::{Function, Let, Place, Require, Schedule};
use proc_macro2::Delimiter;
use syn::parse::ParseStream;
use syn::{Attribute, Token};

/// Reads one item into the schedule.
pub fn parse(input: ParseStream<'_>, schedule: &mut Schedule, errors: &mut Errors) -> Result<()> {
    let attrs = documentation(input, errors)?;
    let place = input::here(input);
    let word = input::word(input);
    match word.as_deref() {
        Some("model") => {
            if schedule.model.is_some() {
                errors.at(place, catalogue::second_model());
            }
            schedule.model = Some(model::parse(input, errors)?);
        }
        Some("let") => schedule.lets.push(constant(input, errors)?),
        Some("fn") => schedule.functions.push(function(input)?),
        Some("message") => schedule.messages.push(message::parse(input, attrs, errors)?),
        Some("compute") => schedule.computes.push(compute::parse(input, attrs, errors)?),
        Some("memory") => schedule.memory.push(memory::parse(input, errors)?),
        Some("require") => schedule.requires.push(require(input, errors)?),
        Some("cost") => schedule.costs.push(timing::cost(input, errors)?),
        Some("comms") => {
            if schedule.comms.is_some() {
                errors.at(place, catalogue::twice("comms"));
            }
            schedule.comms = Some(timing::comms(input, errors)?);
        }
        Some("order") => {
            if schedule.search.is_some() {
                errors.at(place, catalogue::twice("order"));
            }
            schedule.search = Some(timing::order(input, errors)?);
        }
        Some("rank") => schedule.ranks.push(rank::parse(input, errors)?),
        Some("instance") => schedule.instances.push(instance::parse(input, errors)?),
        Some("schedule") => return Err(Error::new(place, catalogue::second_header())),
        Some("pub") => return Err(Error::new(place, catalogue::visibility_on_item())),
        Some(word) if keywords::STATEMENTS.contains(&word) => {
            return Err(Error::new(place, catalogue::statement_outside(word)));
        }
        word => {
            return Err(Error::new(
                place,
                catalogue::unknown_item(word, keywords::ITEMS, &input::found(input)),
            ));
        }
    }
    Ok(())
}

/// Doc comments. Any other attribute would be lost, so it is refused.
fn documentation(input: ParseStream<'_>, errors: &mut Errors) -> Result<Vec<Attribute>> {
    let mut attrs = input.call(Attribute::parse_outer)?;
    attrs.retain(|attr| {
        let is_doc = attr.path().is_ident("doc");
        if !is_doc {
            errors.at(Place::of(attr), catalogue::attribute());
        }
        is_doc
    });
    Ok(attrs)
}

/// `let S = 2 * P;`
fn constant(input: ParseStream<'_>, errors: &mut Errors) -> Result<Let> {
    let constant = statement::binding(input, keywords::ITEMS, errors)?;
    if constant.mutable {
        errors.at(Place::at(constant.name.span()), catalogue::mutable_constant(&constant.name.to_string()));
    }
    Ok(constant)
}

/// `require M >= P, "as many micro-batches as ranks";`
fn require(input: ParseStream<'_>, errors: &mut Errors) -> Result<Require> {
    input::take_word(input)?;
    let condition = input::expr(input)?;
    let shape =
        |input: ParseStream<'_>| Error::new(input::here(input), catalogue::require(&input::found(input)));
    if !input.peek(Token![,]) {
        return Err(shape(input));
    }
    input.parse::<Token![,]>()?;
    if !input.peek(syn::LitStr) {
        return Err(shape(input));
    }
    let message = input.parse::<syn::LitStr>()?.value();
    input::semicolon(input, "`require`", keywords::ITEMS, errors);
    Ok(Require { condition, message })
}

/// `fn warmup(r) { min(M, P - 1 - r) }`
fn function(input: ParseStream<'_>) -> Result<Function> {
    input::take_word(input)?;
    let name = input::name(input, "the function")?;
    let parameters = |input: ParseStream<'_>| input::list(input, input::parameter);
    let (params, _) =
        input::group(input, Delimiter::Parenthesis, "the parameters of a function", parameters)?;
    let condition = returns_condition(input)?;
    if !input.peek(syn::token::Brace) {
        let found = input::found(input);
        let message = catalogue::group_expected("the body of a function", Delimiter::Brace, &found);
        return Err(Error::new(input::here(input), message));
    }
    let body = expr::block(&input.parse()?)?;
    Ok(Function { name, params, condition, body })
}

/// `-> bool`, or nothing for an integer.
fn returns_condition(input: ParseStream<'_>) -> Result<bool> {
    if !input.peek(Token![->]) {
        return Ok(false);
    }
    input.parse::<Token![->]>()?;
    if !input::word_is(input, "bool") {
        return Err(Error::new(input::here(input), catalogue::return_type(&input::found(input))));
    }
    input::take_word(input)?;
    Ok(true)
}
