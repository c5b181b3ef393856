//! What could not be read, with a pointer to the place.

use std::io;
use std::string::FromUtf8Error;
use std::sync::Arc;

use annotate_snippets::Level;

use super::excerpt::{Mark, render};

/// Why a verb could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// A file can't be opened or read.
    File {
        /// The file.
        file: Arc<str>,
        /// Why.
        error: io::Error,
    },
    /// A file holds something else than it should: everything that is wrong there.
    Unreadable(Vec<Unreadable>),
    /// The arguments do not go together.
    Usage(String),
    /// The output can't be written.
    Output(io::Error),
}

/// What is wrong in a file, and where.
#[derive(Debug)]
pub struct Unreadable {
    /// The file.
    pub file: Arc<str>,
    /// What it holds.
    pub text: Arc<str>,
    /// Line and column in characters, from 1.
    pub at: (usize, usize),
    /// How many characters the pointer underlines.
    pub len: usize,
    /// What is wrong there.
    pub message: String,
    /// What mends it.
    pub help: Option<String>,
    /// What else is worth knowing.
    pub note: Option<String>,
}

impl From<Unreadable> for Failure {
    fn from(unreadable: Unreadable) -> Failure {
        Failure::Unreadable(vec![unreadable])
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl Failure {
    /// The first place and message, where the failure has one.
    pub fn first(&self) -> (Option<(usize, usize)>, String) {
        match self {
            Failure::File { error, .. } => (None, error.to_string()),
            Failure::Usage(message) => (None, message.clone()),
            Failure::Output(error) => (None, format!("cannot write the output: {error}")),
            Failure::Unreadable(all) => match all.first() {
                Some(first) => {
                    let note = first.note.as_ref().map(|note| format!("\nnote: {note}"));
                    (Some(first.at), first.message.clone() + note.as_deref().unwrap_or_default())
                }
                None => (None, String::new()),
            },
        }
    }
}

impl Unreadable {
    /// A file that is not UTF-8.
    pub fn not_text(file: Arc<str>, error: &FromUtf8Error) -> Unreadable {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let text = String::from_utf8_lossy(valid);
        let line = text.matches('\n').count() + 1;
        let column = text.chars().rev().take_while(|&c| c != '\n').count() + 1;
        let help = Some("save the file as UTF-8".to_owned());
        let message = "this is not UTF-8 text".to_owned();
        Unreadable { file, text: text.as_ref().into(), at: (line, column), len: 1, message, help, note: None }
    }
}

/// Writes a failure to standard error.
pub fn print(failure: &Failure) {
    match failure {
        Failure::File { file, error } => anstream::eprintln!("error: {file}: {error}"),
        Failure::Usage(message) => anstream::eprintln!("error: {message}"),
        Failure::Output(error) => anstream::eprintln!("error: cannot write the output: {error}"),
        Failure::Unreadable(all) => {
            for one in all {
                let mark = Mark { at: one.at, len: Some(one.len), label: None };
                let mut footer = Vec::new();
                footer.extend(one.help.as_deref().map(|help| (Level::HELP, help)));
                footer.extend(one.note.as_deref().map(|note| (Level::NOTE, note)));
                anstream::eprintln!(
                    "{}\n",
                    render(Level::ERROR, &one.message, &one.file, &one.text, &[mark], &footer)
                );
            }
        }
    }
}
