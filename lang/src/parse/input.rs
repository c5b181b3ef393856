//! Small steps on the token stream that every parser takes.

use super::{Result, expr};
use crate::error::{Error, Errors, catalogue};
use crate::syntax::{Expr, Place};
use proc_macro2::extra::DelimSpan;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseBuffer, ParseStream};
use syn::{LitInt, Token};

/// Where the next token stands; the closing bracket at the end of a group.
pub fn here(input: ParseStream<'_>) -> Place {
    Place::at(input.span())
}

/// The next token as text, for messages.
pub fn found(input: ParseStream<'_>) -> String {
    match input.cursor().token_tree() {
        None => "the end".to_owned(),
        Some((TokenTree::Group(group), _)) => match group.delimiter() {
            Delimiter::Parenthesis => "`(`".to_owned(),
            Delimiter::Brace => "`{`".to_owned(),
            Delimiter::Bracket => "`[`".to_owned(),
            Delimiter::None => format!("`{group}`"),
        },
        Some((token, _)) => format!("`{token}`"),
    }
}

/// The next token, where it is a word.
pub fn word(input: ParseStream<'_>) -> Option<String> {
    input.cursor().ident().map(|(ident, _)| ident.to_string())
}

/// Is the next token this word?
pub fn word_is(input: ParseStream<'_>, expected: &str) -> bool {
    input.cursor().ident().is_some_and(|(ident, _)| ident == expected)
}

/// Takes the next token, which the caller has seen to be a word.
pub fn take_word(input: ParseStream<'_>) -> Result<Ident> {
    Ok(input.call(Ident::parse_any)?)
}

/// A name that the user chose; `what` it names is for the message.
pub fn name(input: ParseStream<'_>, what: &str) -> Result<Ident> {
    input.parse().map_err(|_| Error::new(here(input), catalogue::name_expected(what, &found(input))))
}

/// The name of a parameter; it has no type.
pub fn parameter(input: ParseStream<'_>) -> Result<Ident> {
    let name = name(input, "a parameter")?;
    match input.peek(Token![:]) {
        true => Err(Error::new(here(input), catalogue::no_type("a parameter"))),
        false => Ok(name),
    }
}

/// A size: a number that is not negative.
pub fn size(input: ParseStream<'_>) -> Result<i64> {
    let wrong = |input: ParseStream<'_>| Error::new(here(input), catalogue::size(&found(input)));
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

/// The `;` at the end of `what`. Where it is missing, the error is noted and parsing goes on with the next statement or
/// item, which begins with one of `starts`.
pub fn semicolon(input: ParseStream<'_>, what: &str, starts: &[&str], errors: &mut Errors) {
    if input.peek(Token![;]) {
        drop(input.parse::<Token![;]>());
        return;
    }
    errors.at(here(input), catalogue::missing_semicolon(what, &found(input)));
    let next_is_whole = input.is_empty() || word(input).is_some_and(|w| starts.contains(&w.as_str()));
    if !next_is_whole {
        skip(input);
    }
}

/// Runs `parse` on a statement or item. Notes its error, and goes on behind the statement or item.
pub fn recover<T>(
    input: ParseStream<'_>,
    errors: &mut Errors,
    parse: impl FnOnce(&mut Errors) -> Result<T>,
) -> Option<T> {
    let end = input.fork();
    match parse(errors) {
        Ok(parsed) => Some(parsed),
        Err(error) => {
            errors.push(error);
            skip(&end);
            if end.cursor() > input.cursor() {
                input.advance_to(&end);
            }
            None
        }
    }
}

/// Skips to behind the next `;` or `{ … }`, which is where a statement or item ends.
fn skip(input: ParseStream<'_>) {
    while let Ok(token) = input.parse::<TokenTree>() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ';' => return,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && !input.peek(Token![else]) => {
                // `let x = if c { a } else { b };`
                drop(input.parse::<Option<Token![;]>>());
                return;
            }
            _ => {}
        }
    }
}

/// Takes everything that is left; syn complains of leftovers by itself, and less clearly.
pub fn drain(input: ParseStream<'_>) {
    drop(input.parse::<TokenStream>());
}

/// An expression.
pub fn expr(input: ParseStream<'_>) -> Result<Expr> {
    let start = here(input);
    let parsed = input.parse::<syn::Expr>().map_err(|e| expression_error(e, start))?;
    expr::convert(&parsed)
}

/// An expression in front of `{`.
pub fn expr_before_brace(input: ParseStream<'_>) -> Result<syn::Expr> {
    let start = here(input);
    input.call(syn::Expr::parse_without_eager_brace).map_err(|e| expression_error(e, start))
}

fn expression_error(error: syn::Error, start: Place) -> Error {
    let text = error.to_string();
    // At the end of the whole input syn knows no better place than the macro call.
    let place = if text.starts_with("unexpected end of input") { start } else { Place::at(error.span()) };
    Error::new(place, catalogue::expression(&text))
}

/// `if c`, where it is there.
pub fn condition(input: ParseStream<'_>) -> Result<Option<Expr>> {
    if !input.peek(Token![if]) {
        return Ok(None);
    }
    input.parse::<Token![if]>()?;
    expr(input).map(Some)
}

/// Calls `parse` for each part of a comma-separated list that fills the rest of `input`.
pub fn list<T>(
    input: ParseStream<'_>,
    mut parse: impl FnMut(ParseStream<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut parts = Vec::new();
    while !input.is_empty() {
        parts.push(parse(input)?);
        if input.is_empty() {
            break;
        }
        if !input.peek(Token![,]) {
            return Err(Error::new(here(input), catalogue::missing_comma(&found(input))));
        }
        input.parse::<Token![,]>()?;
    }
    Ok(parts)
}

/// The inside of a group with this delimiter, parsed whole by `parse`; `what` names the group in the message.
pub fn group<T>(
    input: ParseStream<'_>,
    delimiter: Delimiter,
    what: &str,
    parse: impl FnOnce(ParseStream<'_>) -> Result<T>,
) -> Result<(T, Place)> {
    let Some((content, span)) = open(input, delimiter)? else {
        return Err(Error::new(here(input), catalogue::group_expected(what, delimiter, &found(input))));
    };
    let parsed = parse(&content);
    drain(&content);
    Ok((parsed?, Place { start: span.open(), end: span.close() }))
}

/// The inside of the next group and its brackets, if it has this delimiter.
fn open<'a>(
    input: &ParseBuffer<'a>,
    delimiter: Delimiter,
) -> syn::Result<Option<(ParseBuffer<'a>, DelimSpan)>> {
    let content;
    let span = match delimiter {
        Delimiter::Parenthesis if input.peek(syn::token::Paren) => syn::parenthesized!(content in input).span,
        Delimiter::Bracket if input.peek(syn::token::Bracket) => syn::bracketed!(content in input).span,
        Delimiter::Brace if input.peek(syn::token::Brace) => syn::braced!(content in input).span,
        _ => return Ok(None),
    };
    Ok(Some((content, span)))
}
