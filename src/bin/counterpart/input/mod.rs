//! Files, tables and sources become plans.

mod plan_file;

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use counterpart::core::{Model, Plan};

use crate::report::failure::{Failure, Unreadable};

/// What to read, for every verb.
#[derive(clap::Args, Debug)]
pub struct Input {
    /// Plan files (JSON), tables of torch.distributed.pipelining (CSV) or Rust sources with `schedule!` blocks; `-` is
    /// standard input. `NAME=VALUE` gives a parameter of a schedule its size.
    #[arg(required = true, value_name = "FILE | NAME=VALUE")]
    pub files: Vec<String>,
    // --schedule NAME, --placement loop|v|bidirectional, --notation current|older, --from plan|table|source
}

/// One schedule to look at.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The schedule as data. Its steps and items have their places in `text`, by [`Plan::source_number`].
    pub plan: Plan,
    /// The file as it was named; `<stdin>` for `-`.
    pub file: Arc<str>,
    /// What the file holds.
    pub text: Arc<str>,
    /// The model that the schedule asks for, where it does.
    pub model: Option<Model>,
}

impl Input {
    /// The names of the files, without the sizes.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    /// The schedules in a file: one, but for a Rust source, which may hold several.
    ///
    /// # Errors
    /// Where the file can't be read or holds no schedule.
    pub fn load(&self, file: &str) -> Result<Vec<Subject>, Failure> {
        let (name, text) = read(file)?;
        plan_file::load(name, text).map(|subject| vec![subject])
    }
}

/// The name of a file for messages, and what it holds.
fn read(file: &str) -> Result<(Arc<str>, Arc<str>), Failure> {
    let (name, bytes): (Arc<str>, io::Result<Vec<u8>>) = match file {
        "-" => {
            let mut bytes = Vec::new();
            ("<stdin>".into(), io::stdin().read_to_end(&mut bytes).map(|_| bytes))
        }
        path => (path.into(), fs::read(Path::new(path))),
    };
    let bytes = bytes.map_err(|error| Failure::File { file: Arc::clone(&name), error })?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok((name, text.into())),
        Err(error) => Err(Unreadable::not_text(name, &error).into()),
    }
}
