//! Files, tables and sources become plans.

mod plan_file;
mod source;
mod table;

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use clap::ValueEnum;
use counterpart::core::comms::Choice;
use counterpart::core::live::Limit;
use counterpart::core::{Fault, Model, Plan, Value};

use crate::report::failure::{Failure, Unreadable};

/// What to read, for every verb.
#[derive(clap::Args, Debug)]
pub struct Input {
    /// Plan files (JSON), tables of torch.distributed.pipelining (CSV) or Rust sources with `schedule!` blocks; `-` is
    /// standard input. `NAME=VALUE` gives a parameter of a `schedule!` block its size.
    #[arg(required = true, value_name = "FILE | NAME=VALUE")]
    pub files: Vec<String>,
    /// Which schedule of a Rust source.
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub schedule: Option<String>,
    /// Which rank of a table has which stage; without it, the rows say so.
    #[arg(long, value_name = "PLACEMENT", help_heading = "Input")]
    pub placement: Option<Placement>,
    /// How the words of a table are meant.
    #[arg(long, value_name = "NOTATION", default_value = "current", help_heading = "Input")]
    pub notation: Notation,
    /// What the files are, whatever they are called.
    #[arg(long, value_name = "KIND", help_heading = "Input")]
    pub from: Option<Kind>,
}

/// Which rank has which stage.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Placement {
    /// Stage s on rank s mod p.
    Loop,
    /// Down the ranks and up again.
    V,
    /// Two chains in opposite directions, the second with stages p to 2p - 1.
    Bidirectional,
}

/// How the words of a table are meant.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Notation {
    /// `I` and `W` are the two gradients, `B` both together.
    Current,
    /// As in PyTorch 2.5: `B` and `W` are the two gradients, `BW` both together; `B` alone in a table without `W`.
    Older,
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// A plan file: JSON.
    Plan,
    /// A table of torch.distributed.pipelining: CSV.
    Table,
    /// A Rust source with `schedule!` blocks.
    Source,
}

/// A bound on the live buffers of a message family, that a schedule declares.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// What is bounded, and how.
    pub limit: Limit,
    /// Line and column in the text.
    pub place: (usize, usize),
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
    /// What kind of file it is.
    pub kind: Kind,
    /// The model that the schedule asks for, where it does.
    pub model: Option<Model>,
    /// What makes the schedule unsafe under every model, found before `plan` could be given its communication.
    pub fault: Option<Box<Fault>>,
    /// Bounds on live buffers that the schedule declares.
    pub bounds: Vec<Bound>,
    /// How its communication was chosen, where it was inserted.
    pub choice: Option<Choice>,
    /// Names of compute steps with line and column of their declarations, where the text has such.
    pub declared: Vec<(String, (usize, usize))>,
}

impl Subject {
    /// A plan that is all there is.
    pub fn new(plan: Plan, kind: Kind, file: Arc<str>, text: Arc<str>) -> Subject {
        let (bounds, declared) = (Vec::new(), Vec::new());
        Subject { plan, file, text, kind, model: None, fault: None, choice: None, bounds, declared }
    }

    /// Line and column of a step or of its item, where the text has them.
    pub fn place(
        &self,
        rank: Option<usize>,
        step: Option<usize>,
        item: Option<usize>,
    ) -> Option<(usize, usize)> {
        let source = self.plan.source(self.plan.source_number(rank?, step?, item))?;
        Some((source.line, source.column))
    }

    /// Line and column of the declaration of a compute step, where the text has it.
    pub fn declaration(&self, step: Value) -> Option<(usize, usize)> {
        let names = self.plan.names();
        let declared = self.declared.iter().find(|(name, _)| name == names[step.family() as usize].text);
        declared.map(|&(_, place)| place)
    }

    /// How large the schedule is, in words.
    pub fn size(&self) -> String {
        let plan = &self.plan;
        let items = (0..plan.ranks()).flat_map(|rank| plan.steps(rank)).flat_map(|step| plan.items(step));
        let sends = items.filter(|item| item.send).count();
        let many = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        format!("{}, {}, {}", many(plan.ranks(), "rank"), many(plan.len(), "step"), many(sends, "transfer"))
    }
}

impl Input {
    /// The names of the files, without the sizes.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str).filter(|file| size(file).is_none())
    }

    /// The one schedule of the one file that is named, for verb `verb`.
    ///
    /// # Errors
    /// When there is another number of files or schedules, or the file can't be read.
    pub fn only(&self, verb: &str) -> Result<Subject, Failure> {
        let files: Vec<&str> = self.files().collect();
        match files[..] {
            [file] => self.single(file),
            _ => Err(Failure::Usage(format!("{verb} takes one file, found {}", files.len()))),
        }
    }

    /// The one schedule of the one file that is named, for verb `verb`, without the communication that would be inserted.
    ///
    /// # Errors
    /// As [`Input::only`].
    pub fn compute_order(&self, verb: &str) -> Result<Subject, Failure> {
        let files: Vec<&str> = self.files().collect();
        match files[..] {
            [file] => self.one_of(file, self.load_as(file, false)?),
            _ => Err(Failure::Usage(format!("{verb} takes one file, found {}", files.len()))),
        }
    }

    /// The one schedule of a file.
    ///
    /// # Errors
    /// When the file can't be read or holds several.
    pub fn single(&self, file: &str) -> Result<Subject, Failure> {
        self.one_of(file, self.load(file)?)
    }

    fn one_of(&self, file: &str, mut subjects: Vec<Subject>) -> Result<Subject, Failure> {
        match (subjects.pop(), subjects.len()) {
            (Some(subject), 0) => Ok(subject),
            (last, _) => {
                let names = subjects.iter().chain(&last).map(|one| format!("`{}`", one.plan.name));
                let names: Vec<String> = names.collect();
                Err(Failure::Usage(format!(
                    "{file} holds several schedules, say which one: {}",
                    names.join(", ")
                )))
            }
        }
    }

    /// The sizes that are given, by parameter.
    fn sizes(&self) -> Vec<(&str, i64)> {
        self.files.iter().filter_map(|argument| size(argument)).collect()
    }

    /// What is wrong with an argument that is meant as a file.
    fn wrong(&self, file: &str) -> Option<String> {
        if file == "-" && self.files().filter(|file| *file == "-").count() > 1 {
            return Some("standard input can be read only once, but `-` is given twice".to_owned());
        }
        let (name, value) = assignment(file).filter(|_| !Path::new(file).exists())?;
        Some(format!(
            "there is no file `{file}`, and as a size of `{name}`, `{value}` is no integer that fits"
        ))
    }

    /// The schedules in a file: one, but for a Rust source, which may hold several.
    ///
    /// # Errors
    /// Where the file can't be read or holds no schedule.
    pub fn load(&self, file: &str) -> Result<Vec<Subject>, Failure> {
        self.load_as(file, true)
    }

    /// The same, and whether communication is inserted where there is none.
    fn load_as(&self, file: &str, comms: bool) -> Result<Vec<Subject>, Failure> {
        if let Some(wrong) = self.wrong(file) {
            return Err(Failure::Usage(wrong));
        }
        let (name, text) = read(file)?;
        let kind = self.from.unwrap_or_else(|| kind(file, &text));
        if kind != Kind::Source && (self.schedule.is_some() || !self.sizes().is_empty()) {
            let message = format!("{name}: --schedule and sizes such as `P=8` go with Rust sources only");
            return Err(Failure::Usage(message));
        }
        match kind {
            Kind::Plan => plan_file::load(name, text).map(|subject| vec![subject]),
            Kind::Table => {
                table::load(name, text, self.notation, self.placement, comms).map(|subject| vec![subject])
            }
            Kind::Source => {
                let sizes = self.sizes();
                let wanted = source::Wanted { schedule: self.schedule.as_deref(), sizes: &sizes, comms };
                source::load(&name, &text, &wanted)
            }
        }
    }
}

/// `P=8`, unless there is a file of that name.
fn size(argument: &str) -> Option<(&str, i64)> {
    let (name, value) = assignment(argument)?;
    let value = value.parse().ok()?;
    (!Path::new(argument).exists()).then_some((name, value))
}

/// `NAME=…`
fn assignment(argument: &str) -> Option<(&str, &str)> {
    let (name, value) = argument.split_once('=')?;
    let mut letters = name.chars();
    let begins = letters.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    (begins && letters.all(|c| c.is_alphanumeric() || c == '_')).then_some((name, value))
}

/// What a file is, by its ending, or else by how it begins.
fn kind(file: &str, text: &str) -> Kind {
    let ending = Path::new(file).extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    match ending.as_deref() {
        Some("json") => Kind::Plan,
        Some("csv") => Kind::Table,
        Some("rs") => Kind::Source,
        _ if text.trim_start().starts_with('{') => Kind::Plan,
        _ if text.contains("schedule!") => Kind::Source,
        _ => match text.trim_start().starts_with(|c: char| c.is_ascii_digit() || "(,\"".contains(c)) {
            true => Kind::Table,
            false => Kind::Plan,
        },
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
        // A byte order mark, which some editors write, is no part of the text.
        Ok(text) => Ok((name, text.strip_prefix('\u{feff}').unwrap_or(&text).into())),
        Err(error) => Err(Unreadable::not_text(name, &error).into()),
    }
}
