//! Errors: collected, reported all together, each at its own place.

pub(crate) mod catalogue;

use crate::syntax::Place;
use core::fmt;
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, TokenStream, TokenTree};
use std::collections::HashMap;

/// What an error says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What is wrong. Lower case, no full stop, stands alone.
    pub text: String,
    /// What mends it.
    pub help: Option<String>,
    /// What else is worth knowing.
    pub note: Option<String>,
}

impl Message {
    /// A message without help or note.
    pub fn new(text: impl Into<String>) -> Message {
        Message { text: text.into(), help: None, note: None }
    }

    /// The same with what mends it.
    pub fn help(self, help: impl Into<String>) -> Message {
        Message { help: Some(help.into()), ..self }
    }

    /// The same with what else is worth knowing.
    pub fn note(self, note: impl Into<String>) -> Message {
        Message { note: Some(note.into()), ..self }
    }
}

/// A message and where it belongs.
#[derive(Clone, Debug)]
pub struct Error {
    /// Where.
    pub place: Place,
    /// What.
    pub message: Message,
    /// How many more of the same kind at the same place this one stands for.
    pub more: usize,
}

impl Error {
    /// An error at a place.
    pub fn new(place: Place, message: Message) -> Error {
        Error { place, message, more: 0 }
    }
}

impl From<syn::Error> for Error {
    fn from(error: syn::Error) -> Error {
        Error::new(Place::at(error.span()), Message::new(error.to_string()))
    }
}

impl fmt::Display for Error {
    /// The text, then help and note on lines of their own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message.text)?;
        if let Some(help) = &self.message.help {
            write!(f, "\nhelp: {help}")?;
        }
        if let Some(note) = &self.message.note {
            write!(f, "\nnote: {note}")?;
        }
        match self.more {
            0 => Ok(()),
            more => write!(f, "\nnote: and {more} more like it"),
        }
    }
}

/// What makes two errors the same error: what they say, and the one or two places they say it about. A mistake in a
/// loop body shows in every iteration, on many ranks and in every instance, and is reported once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The kind of error.
    pub kind: &'static str,
    /// Where it is.
    pub at: u32,
    /// The other place that it is about.
    pub other: u32,
}

/// The errors found so far, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    list: Vec<Error>,
    by_key: HashMap<Key, usize>,
}

impl Errors {
    /// None yet.
    pub fn new() -> Errors {
        Errors::default()
    }

    /// Adds an error.
    pub fn push(&mut self, error: impl Into<Error>) {
        self.list.push(error.into());
    }

    /// Adds a message at a place.
    pub fn at(&mut self, place: Place, message: Message) {
        self.push(Error::new(place, message));
    }

    /// Adds the error that `error` makes, or counts it where one with this key is there already. Says whether it
    /// is new.
    pub fn fold(&mut self, key: Key, error: impl FnOnce() -> Error) -> bool {
        if let Some(&at) = self.by_key.get(&key) {
            self.list[at].more += 1;
            return false;
        }
        self.by_key.insert(key, self.list.len());
        self.list.push(error());
        true
    }

    /// Lets the last error stand for `more` more; without an error, nothing happens.
    pub fn add_more(&mut self, more: usize) {
        if let Some(last) = self.list.last_mut() {
            last.more += more;
        }
    }

    /// Is there no error?
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many errors are there, those counted that others stand for?
    pub fn total(&self) -> usize {
        self.list.iter().map(|error| 1 + error.more).sum()
    }

    /// The errors, in the order in which they were found.
    pub fn iter(&self) -> core::slice::Iter<'_, Error> {
        self.list.iter()
    }

    /// One `compile_error!` for each error, at its place.
    pub fn into_tokens(self) -> TokenStream {
        self.list.iter().flat_map(compile_error).collect()
    }
}

/// `::core::compile_error! { "…" }`: its first token has the span of the place's first token, its last the last's, so
/// that rustc marks everything between.
fn compile_error(error: &Error) -> impl Iterator<Item = TokenTree> + use<> {
    let Place { start, end } = error.place;
    let punct = |ch, spacing| {
        let mut punct = Punct::new(ch, spacing);
        punct.set_span(start);
        TokenTree::Punct(punct)
    };
    let ident = |text| TokenTree::Ident(Ident::new(text, start));
    let mut text = Literal::string(&error.to_string());
    text.set_span(end);
    let mut group = Group::new(Delimiter::Brace, TokenTree::Literal(text).into());
    group.set_span(end);
    let path = || [punct(':', Spacing::Joint), punct(':', Spacing::Alone)];
    path()
        .into_iter()
        .chain([ident("core")])
        .chain(path())
        .chain([ident("compile_error"), punct('!', Spacing::Alone), TokenTree::Group(group)])
        .collect::<Vec<_>>()
        .into_iter()
}
