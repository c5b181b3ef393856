//! What could not be read, with a pointer to the place.

use std::io;
use std::string::FromUtf8Error;
use std::sync::Arc;

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
    /// A file holds something else than it should.
    Unreadable(Box<Unreadable>),
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
}

impl From<Unreadable> for Failure {
    fn from(unreadable: Unreadable) -> Failure {
        Failure::Unreadable(Box::new(unreadable))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl Unreadable {
    /// A file that is not UTF-8.
    pub fn not_text(file: Arc<str>, error: &FromUtf8Error) -> Unreadable {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let text = String::from_utf8_lossy(valid);
        let (line, column) =
            (text.matches('\n').count() + 1, text.chars().rev().take_while(|&c| c != '\n').count() + 1);
        Unreadable {
            file,
            text: text.as_ref().into(),
            at: (line, column),
            len: 1,
            message: "not UTF-8 text".to_owned(),
            help: None,
        }
    }
}

/// Writes a failure to standard error.
pub fn print(failure: &Failure) {
    match failure {
        Failure::File { file, error } => anstream::eprintln!("error: {file}: {error}"),
        Failure::Usage(message) => anstream::eprintln!("error: {message}"),
        Failure::Output(error) => anstream::eprintln!("error: cannot write the output: {error}"),
        Failure::Unreadable(at) => {
            anstream::eprintln!("error: {}:{}:{}: {}", at.file, at.at.0, at.at.1, at.message);
        }
    }
}
