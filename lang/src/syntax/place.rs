//! Where something stands in the source.

use proc_macro2::{Span, TokenTree};
use quote::ToTokens;

/// The first and the last token of a piece of source. Spans can't be joined on stable Rust, but rustc joins the first
/// and the last token of a macro call by itself, which is what [`Errors::into_tokens`](crate::Errors::into_tokens)
/// makes use of.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The span of the first token.
    pub start: Span,
    /// The span of the last token.
    pub end: Span,
}

impl Place {
    /// The place of one token.
    pub fn at(span: Span) -> Place {
        Place { start: span, end: span }
    }

    /// The place of some tokens; the macro call itself when there are none.
    pub fn of(tokens: &impl ToTokens) -> Place {
        let mut spans = tokens.to_token_stream().into_iter().map(|token: TokenTree| token.span());
        let start = spans.next().unwrap_or_else(Span::call_site);
        Place { start, end: spans.last().unwrap_or(start) }
    }

    /// From the beginning of this place to the end of the other.
    pub fn to(self, last: Place) -> Place {
        Place { start: self.start, end: last.end }
    }

    /// The line of the first token, from 1; 0 where the compiler doesn't tell.
    pub fn line(&self) -> usize {
        self.start.start().line
    }

    /// The column of the first token in characters, from 1.
    pub fn column(&self) -> usize {
        self.start.start().column + 1
    }
}
