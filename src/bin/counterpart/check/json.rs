//! Verdicts for programs: the objects of a plan's verdict, in the order in which people read them.

use std::io::Write;

use counterpart::core::Wait;
use serde::Serialize;

use super::judge::{Found, Judged};
use crate::input::Subject;
use crate::report::failure::Failure;

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
    kind: &'static str,
    rank: Option<usize>,
    step: Option<usize>,
    item: Option<usize>,
    peer_rank: Option<usize>,
    peer_step: Option<usize>,
    peer_item: Option<usize>,
    message: String,
    help: Option<String>,
    waits: Vec<Waiting>,
    source: Option<Place>,
    peer_source: Option<Place>,
}

#[derive(Serialize)]
struct Waiting {
    rank: usize,
    step: usize,
    item: Option<usize>,
    on_rank: usize,
    on_step: usize,
    message: String,
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
            kind: found.kind,
            rank: found.rank,
            step: found.step,
            item: found.item,
            peer_rank: found.peer_rank,
            peer_step: found.peer_step,
            peer_item: found.peer_item,
            message: found.message.clone(),
            help: found.help.clone(),
            waits: found.waits.iter().map(Waiting::new).collect(),
            source: source.map(place),
            peer_source: subject.place(found.peer_rank, found.peer_step, found.peer_item).map(place),
        }
    }
}

impl Waiting {
    fn new(wait: &Wait) -> Waiting {
        Waiting {
            rank: wait.rank,
            step: wait.step,
            item: wait.item,
            on_rank: wait.on_rank,
            on_step: wait.on_step,
            message: wait.message.clone(),
        }
    }
}

/// Writes the only object, or the list of them.
pub fn write(out: &mut impl Write, objects: &[Object], is_list: bool) -> Result<(), Failure> {
    let written = match objects {
        [only] if !is_list => serde_json::to_writer_pretty(&mut *out, only),
        _ => serde_json::to_writer_pretty(&mut *out, objects),
    };
    written.map_err(|error| Failure::Output(error.into()))?;
    writeln!(out)?;
    Ok(())
}
