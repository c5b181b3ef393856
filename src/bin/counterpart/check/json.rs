//! Verdicts for programs: the objects of a plan's verdict, in the order in which people read them.

use std::io::Write;

use serde::Serialize;

use super::judge::{Found, Judged};
use crate::input::Subject;
use crate::report::{self, failure::Failure};

/// What is said of a schedule under a model, or of a file that cannot be read.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Object {
    /// A verdict.
    Verdict(Verdict),
    /// No verdict.
    Unread(Unread),
}

/// The verdict on a schedule under a model.
#[derive(Serialize)]
pub struct Verdict {
    plan: String,
    file: String,
    verdict: &'static str,
    channel: &'static str,
    batch: &'static str,
    ranks: usize,
    steps: usize,
    faults: Vec<Fault>,
    /// Faults that were counted but are not listed.
    more: usize,
}

#[derive(Serialize)]
struct Fault {
    #[serde(flatten)]
    found: Found,
    source: Option<Place>,
    peer_source: Option<Place>,
}

#[derive(Serialize)]
struct Place {
    line: usize,
    column: usize,
}

/// A file that cannot be read.
#[derive(Serialize)]
pub struct Unread {
    file: String,
    verdict: &'static str,
    error: Error,
    /// Further errors in the file.
    more: usize,
}

#[derive(Serialize)]
struct Error {
    line: Option<usize>,
    column: Option<usize>,
    message: String,
}

impl Object {
    /// The verdict on a schedule under a model.
    pub fn verdict(subject: &Subject, judged: &Judged) -> Object {
        Object::Verdict(Verdict {
            plan: subject.plan.name.clone(),
            file: subject.file.to_string(),
            verdict: if judged.is_safe() { "safe" } else { "unsafe" },
            channel: judged.model.channel().name(),
            batch: judged.model.batch().name(),
            ranks: subject.plan.ranks(),
            steps: subject.plan.len(),
            faults: judged.found.iter().map(|found| Fault::new(subject, found)).collect(),
            more: judged.more,
        })
    }

    /// Why a file cannot be read.
    pub fn unread(file: &str, failure: &Failure) -> Object {
        let (at, message) = failure.first();
        let error = Error { line: at.map(|at| at.0), column: at.map(|at| at.1), message };
        let more = if let Failure::Unreadable(all) = failure { all.len().saturating_sub(1) } else { 0 };
        Object::Unread(Unread { file: file.to_owned(), verdict: "error", error, more })
    }
}

impl Fault {
    fn new(subject: &Subject, found: &Found) -> Fault {
        let place = |(line, column)| Place { line, column };
        let source = found.place.or_else(|| subject.place(found.rank, found.step, found.item));
        Fault {
            source: source.map(place),
            peer_source: subject.place(found.peer_rank, found.peer_step, found.peer_item).map(place),
            found: found.clone(),
        }
    }
}

/// Writes the only object, or the list of them.
pub fn write(out: &mut impl Write, objects: &[Object], is_list: bool) -> Result<(), Failure> {
    match objects {
        [only] if !is_list => report::json(out, only),
        _ => report::json(out, objects),
    }
}
