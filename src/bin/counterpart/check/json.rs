//! Verdicts for programs.

use std::io::Write;

use serde_json::{Value, json};

use super::judge::{Found, Judged};
use crate::input::Subject;
use crate::report::failure::Failure;

/// The verdict on a schedule under a model.
pub fn verdict(subject: &Subject, judged: &Judged) -> Value {
    json!({
        "plan": subject.plan.name,
        "file": &*subject.file,
        "verdict": if judged.is_safe() { "safe" } else { "unsafe" },
        "channel": judged.model.channel().name(),
        "batch": judged.model.batch().name(),
        "ranks": subject.plan.ranks(),
        "steps": subject.plan.len(),
        "faults": judged.found.iter().map(|found| fault(subject, found)).collect::<Vec<_>>(),
        "more": judged.more,
    })
}

fn fault(subject: &Subject, found: &Found) -> Value {
    let waits: Vec<Value> = found
        .waits
        .iter()
        .map(|wait| {
            json!({
                "rank": wait.rank, "step": wait.step, "item": wait.item,
                "on_rank": wait.on_rank, "on_step": wait.on_step, "message": wait.message,
            })
        })
        .collect();
    json!({
        "kind": found.kind,
        "rank": found.rank,
        "step": found.step,
        "item": found.item,
        "peer_rank": found.peer_rank,
        "peer_step": found.peer_step,
        "peer_item": found.peer_item,
        "message": found.message,
        "help": found.help,
        "waits": waits,
        "source": found.place.or_else(|| subject.place(found.rank, found.step, found.item)).map(place),
        "peer_source": subject.place(found.peer_rank, found.peer_step, found.peer_item).map(place),
    })
}

fn place((line, column): (usize, usize)) -> Value {
    json!({"line": line, "column": column})
}

/// A file that cannot be read.
pub fn failure(file: &str, failure: &Failure) -> Value {
    let (at, message) = failure.first();
    let (line, column) = (at.map(|at| at.0), at.map(|at| at.1));
    json!({
        "file": file,
        "verdict": "error",
        "error": {"line": line, "column": column, "message": message},
    })
}

/// Writes the only object, or the list of them.
pub fn write(out: &mut impl Write, mut objects: Vec<Value>, is_list: bool) -> Result<(), Failure> {
    let value = match objects.len() {
        1 if !is_list => objects.remove(0),
        _ => Value::Array(objects),
    };
    serde_json::to_writer_pretty(&mut *out, &value).map_err(|error| Failure::Output(error.into()))?;
    writeln!(out)?;
    Ok(())
}
