//! Statements of a rank's program and of a batch.

use super::{Result, expr, input, keywords, message};
use crate::error::{Error, Errors, catalogue};
use crate::syntax::{Arm, Assign, BinaryOp, Call, Comm, Expr, ExprKind, For, Let, Place, Statement};
use proc_macro2::{Delimiter, Ident};
use syn::Token;
use syn::parse::ParseStream;

/// What a statement stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// The program of a rank.
    Rank,
    /// A batch.
    Batch,
}

/// What may not stand in a batch.
const NOT_IN_BATCH: &[&str] = &["while", "batch", "overlap", "defer", "resume"];

/// Reads statements up to the end of `input`, which is the inside of `{ … }`.
pub fn block(input: ParseStream<'_>, inside: Inside, errors: &mut Errors) -> Vec<Statement> {
    let mut statements = Vec::new();
    while !input.is_empty() {
        statements.extend(input::recover(input, errors, |errors| statement(input, inside, errors)));
    }
    statements
}

fn statement(input: ParseStream<'_>, inside: Inside, errors: &mut Errors) -> Result<Statement> {
    let place = input::here(input);
    let word = input::word(input);
    let inside_batch = |what: &str| Error::new(place, catalogue::inside_batch(what));
    match word.as_deref() {
        Some("let") => Ok(Statement::Let(binding(input, keywords::STATEMENTS, errors)?)),
        Some("for") => counted(input, inside, errors),
        Some(word) if inside == Inside::Batch && NOT_IN_BATCH.contains(&word) => {
            Err(inside_batch(&format!("`{word}`")))
        }
        Some("while") => Ok(Statement::While(arm(input, inside, errors)?)),
        Some("if") => choice(input, inside, errors),
        Some("send") => communication(input, true, errors),
        Some("recv") => communication(input, false, errors),
        Some("batch") => batch(input, errors),
        Some("overlap") => overlap(input, errors),
        Some("defer") => {
            input::take_word(input)?;
            Ok(Statement::Defer(call(input, errors)?))
        }
        Some("resume") => resume(input, errors),
        Some("break" | "continue" | "loop" | "return") => {
            Err(Error::new(place, catalogue::no_jumps(&word.unwrap_or_default())))
        }
        Some(word) if keywords::ITEMS.contains(&word) => Err(Error::new(place, catalogue::item_inside(word))),
        Some(_) if input.peek2(syn::token::Paren) && inside == Inside::Batch => {
            Err(inside_batch("a compute step"))
        }
        Some(_) if input.peek2(syn::token::Paren) => Ok(Statement::Compute(call(input, errors)?)),
        Some(_) if is_assignment(input) => assignment(input, errors),
        word => Err(Error::new(
            place,
            catalogue::unknown_statement(word, keywords::STATEMENTS, &input::found(input)),
        )),
    }
}

/// `let x = e;` and `let mut x = e;`, here and outside of ranks; what may follow begins with one of `starts`.
pub fn binding(input: ParseStream<'_>, starts: &[&str], errors: &mut Errors) -> Result<Let> {
    input.parse::<Token![let]>()?;
    let mutable = input.parse::<Option<Token![mut]>>()?.is_some();
    let name = input::name(input, "a variable")?;
    if input.peek(Token![:]) {
        return Err(Error::new(input::here(input), catalogue::no_type("a variable")));
    }
    if !input.peek(Token![=]) {
        return Err(Error::new(
            input::here(input),
            catalogue::no_value(&name.to_string(), &input::found(input)),
        ));
    }
    input.parse::<Token![=]>()?;
    let value = input::expr(input)?;
    input::semicolon(input, "`let`", starts, errors);
    Ok(Let { name, mutable, value })
}

fn counted(input: ParseStream<'_>, inside: Inside, errors: &mut Errors) -> Result<Statement> {
    input.parse::<Token![for]>()?;
    let name = input::name(input, "the counter")?;
    if !input.peek(Token![in]) {
        return Err(Error::new(input::here(input), catalogue::for_shape(&input::found(input))));
    }
    input.parse::<Token![in]>()?;
    let range = expr::range(&input::expr_before_brace(input)?)?;
    let body = braces(input, "the body of a loop", inside, errors)?;
    Ok(Statement::For(For { name, range, body }))
}

/// A word, a condition and a block.
fn arm(input: ParseStream<'_>, inside: Inside, errors: &mut Errors) -> Result<Arm> {
    input::take_word(input)?;
    let condition = expr::convert(&input::expr_before_brace(input)?)?;
    let body = braces(input, "what the condition decides about", inside, errors)?;
    Ok(Arm { condition, body })
}

fn choice(input: ParseStream<'_>, inside: Inside, errors: &mut Errors) -> Result<Statement> {
    let mut arms = vec![arm(input, inside, errors)?];
    while input.peek(Token![else]) {
        input.parse::<Token![else]>()?;
        if !input.peek(Token![if]) {
            let otherwise = braces(input, "what follows `else`", inside, errors)?;
            return Ok(Statement::If { arms, otherwise });
        }
        arms.push(arm(input, inside, errors)?);
    }
    Ok(Statement::If { arms, otherwise: Vec::new() })
}

fn batch(input: ParseStream<'_>, errors: &mut Errors) -> Result<Statement> {
    let place = Place::at(input::take_word(input)?.span());
    let body = braces(input, "the sends and receives of a batch", Inside::Batch, errors)?;
    Ok(Statement::Batch { body, place })
}

fn braces(input: ParseStream<'_>, what: &str, inside: Inside, errors: &mut Errors) -> Result<Vec<Statement>> {
    Ok(input::group(input, Delimiter::Brace, what, |input| Ok(block(input, inside, errors)))?.0)
}

fn communication(input: ParseStream<'_>, send: bool, errors: &mut Errors) -> Result<Statement> {
    let keyword = input::take_word(input)?;
    let value = message::reference(input, &keyword.to_string())?;
    let (direction, opposite) = if send { ("to", "from") } else { ("from", "to") };
    if input::word_is(input, direction) {
        input::take_word(input)?;
    } else if input::word_is(input, opposite) {
        errors.at(input::here(input), catalogue::wrong_direction(send));
        input::take_word(input)?;
    } else {
        return Err(Error::new(input::here(input), catalogue::no_direction(send, &input::found(input))));
    }
    let peer = input::expr(input)?;
    let place = Place::at(keyword.span()).to(peer.place);
    let condition = input::condition(input)?;
    input::semicolon(input, &format!("`{keyword}`"), keywords::STATEMENTS, errors);
    Ok(Statement::Comm(Comm { send, value, peer, condition, place }))
}

fn overlap(input: ParseStream<'_>, errors: &mut Errors) -> Result<Statement> {
    let place = Place::at(input::take_word(input)?.span());
    let parts = |input: ParseStream<'_>| {
        let mut parts = Vec::new();
        while !input.is_empty() {
            parts.extend(input::recover(input, errors, |errors| call(input, errors)));
        }
        Ok(parts)
    };
    let (parts, _) = input::group(input, Delimiter::Brace, "the compute steps that run together", parts)?;
    match parts.len() {
        0 => Err(Error::new(place, catalogue::empty_overlap())),
        _ => Ok(Statement::Overlap { parts, place }),
    }
}

/// `resume weight;`, `resume all weight if k >= r;`
fn resume(input: ParseStream<'_>, errors: &mut Errors) -> Result<Statement> {
    let start = Place::at(input::take_word(input)?.span());
    let all = input::word_is(input, "all") && input.peek2(syn::Ident);
    if all {
        input::take_word(input)?;
    }
    let name = input::name(input, "a compute step")?;
    let place = start.to(Place::at(name.span()));
    let condition = input::condition(input)?;
    input::semicolon(input, "`resume`", keywords::STATEMENTS, errors);
    Ok(Statement::Resume { name, all, condition, place })
}

/// A compute step with its indices and its condition.
fn call(input: ParseStream<'_>, errors: &mut Errors) -> Result<Call> {
    let found = input::found(input);
    let name = match input.peek2(syn::token::Paren) && input::word(input).is_some() {
        true => input::take_word(input)?,
        false => return Err(Error::new(input::here(input), catalogue::compute_expected(&found))),
    };
    let list = |input: ParseStream<'_>| input::list(input, input::expr);
    let (args, parentheses) = input::group(input, Delimiter::Parenthesis, "the indices", list)?;
    let place = Place::at(name.span()).to(parentheses);
    let condition = input::condition(input)?;
    input::semicolon(input, &format!("`{name}(…)`"), keywords::STATEMENTS, errors);
    Ok(Call { name, args, condition, place })
}

fn is_assignment(input: ParseStream<'_>) -> bool {
    let plain = input.peek2(Token![=]) && !input.peek2(Token![==]) && !input.peek2(Token![=>]);
    plain
        || input.peek2(Token![+=])
        || input.peek2(Token![-=])
        || input.peek2(Token![*=])
        || input.peek2(Token![/=])
        || input.peek2(Token![%=])
}

fn assignment(input: ParseStream<'_>, errors: &mut Errors) -> Result<Statement> {
    let name = input::name(input, "a variable")?;
    let operator: syn::BinOp = match input.peek(Token![=]) {
        true => {
            input.parse::<Token![=]>()?;
            return assign(input, name, None, errors);
        }
        false => input.parse()?,
    };
    let op = match operator {
        syn::BinOp::AddAssign(_) => BinaryOp::Add,
        syn::BinOp::SubAssign(_) => BinaryOp::Sub,
        syn::BinOp::MulAssign(_) => BinaryOp::Mul,
        syn::BinOp::DivAssign(_) => BinaryOp::Div,
        _ => BinaryOp::Rem,
    };
    assign(input, name, Some((op, Place::of(&operator))), errors)
}

fn assign(
    input: ParseStream<'_>,
    name: Ident,
    update: Option<(BinaryOp, Place)>,
    errors: &mut Errors,
) -> Result<Statement> {
    let value = input::expr(input)?;
    input::semicolon(input, "the assignment", keywords::STATEMENTS, errors);
    let value = match update {
        None => value,
        Some((op, at)) => {
            let start = Place::at(name.span());
            let left = Box::new(Expr { kind: ExprKind::Name(name.to_string()), place: start });
            let place = start.to(value.place);
            Expr { kind: ExprKind::Binary { op, at, left, right: Box::new(value) }, place }
        }
    };
    Ok(Statement::Assign(Assign { name, value }))
}
