//! `rank r in 0..P { … }` and `rank 0 { … }`

use super::statement::{self, Inside};
use super::{Result, expr, input};
use crate::error::Errors;
use crate::syntax::{Place, Rank, Ranks};
use proc_macro2::Delimiter;
use syn::parse::ParseStream;
use syn::{Ident, Token};

/// Reads the program of some ranks.
pub fn parse(input: ParseStream<'_>, errors: &mut Errors) -> Result<Rank> {
    let start = Place::at(input::take_word(input)?.span());
    let (ranks, end) = ranks(input)?;
    let body = |input: ParseStream<'_>| Ok(statement::block(input, Inside::Rank, errors));
    let (body, _) = input::group(input, Delimiter::Brace, "the program of a rank", body)?;
    Ok(Rank { ranks, place: start.to(end), body })
}

fn ranks(input: ParseStream<'_>) -> Result<(Ranks, Place)> {
    if input.peek(Ident) && input.peek2(Token![in]) {
        let name = input::name(input, "the rank")?;
        input.parse::<Token![in]>()?;
        let range = expr::range(&input::expr_before_brace(input)?)?;
        let place = range.place;
        return Ok((Ranks::Each(name, range), place));
    }
    let one = expr::convert(&input::expr_before_brace(input)?)?;
    let place = one.place;
    Ok((Ranks::One(one), place))
}
