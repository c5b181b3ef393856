//! Walks token trees: where the `schedule!` blocks are, and whether they are too deep to be read.

use counterpart_lang::syntax::Place;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Brackets may stand in each other so deep.
const MAX_DEPTH: usize = 200;

/// Operators may stand in a row so many, as in `!!!x`.
const MAX_ROW: usize = 64;

/// An expression may have so many operators.
const MAX_OPERATORS: usize = 2_000;

/// The insides of all `schedule! { … }` in the tokens, wherever they stand.
pub(super) fn blocks(tokens: TokenStream) -> Vec<TokenStream> {
    let mut found = Vec::new();
    let mut open = vec![tokens.into_iter()];
    // What the two tokens before were: the name, and the name with its `!`.
    let (mut is_name, mut is_call) = (false, false);
    while let Some(tokens) = open.last_mut() {
        match tokens.next() {
            None => {
                open.pop();
                (is_name, is_call) = (false, false);
            }
            Some(TokenTree::Ident(name)) => (is_name, is_call) = (name == "schedule", false),
            Some(TokenTree::Punct(mark)) => (is_name, is_call) = (false, is_name && mark.as_char() == '!'),
            Some(TokenTree::Group(group)) => {
                // `macro_rules! schedule` and the like have no call in front of the brackets.
                if is_call && group.delimiter() != Delimiter::None {
                    found.push(group.stream());
                } else {
                    open.push(group.stream().into_iter());
                }
                (is_name, is_call) = (false, false);
            }
            Some(TokenTree::Literal(_)) => (is_name, is_call) = (false, false),
        }
    }
    found
}

/// The place of an expression that is so long or so deep that whoever reads it would run out of stack.
pub(super) fn too_much(tokens: TokenStream) -> Option<Place> {
    let mut open = vec![(tokens.into_iter(), 0, 0)];
    while let Some((tokens, row, operators)) = open.last_mut() {
        match tokens.next() {
            None => drop(open.pop()),
            Some(TokenTree::Punct(mark)) if ";,".contains(mark.as_char()) => (*row, *operators) = (0, 0),
            Some(TokenTree::Punct(mark)) => {
                (*row, *operators) = (*row + 1, *operators + 1);
                if *row > MAX_ROW || *operators > MAX_OPERATORS {
                    return Some(Place::at(mark.span()));
                }
            }
            Some(TokenTree::Group(group)) => {
                *row = 0;
                if group.delimiter() == Delimiter::Brace {
                    *operators = 0;
                }
                if open.len() > MAX_DEPTH {
                    return Some(Place::at(group.span_open()));
                }
                open.push((group.stream().into_iter(), 0, 0));
            }
            Some(_) => *row = 0,
        }
    }
    None
}
