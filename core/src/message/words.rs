//! The phrases that messages are made of.

use crate::dtype::Payload;
use crate::tape::{Role, Step, StepKind, Tape};
use crate::text::Text;
use crate::value::Value;
use crate::verify::findings::Finding;

/// `rank 3, step 17: `
pub(super) const fn at(tape: &Tape<'_>, step: u32, t: &mut Text) {
    t.str("rank ");
    t.num(tape.steps[step as usize].rank as u64);
    t.str(", step ");
    t.num(tape.steps[step as usize].number as u64);
    t.str(": ");
}

/// `rank 3, step 17 `
pub(super) const fn at_other(tape: &Tape<'_>, step: u32, t: &mut Text) {
    t.str("rank ");
    t.num(tape.steps[step as usize].rank as u64);
    t.str(", step ");
    t.num(tape.steps[step as usize].number as u64);
    t.str(" ");
}

/// The item as it would be written.
pub(super) const fn item(tape: &Tape<'_>, item: u32, t: &mut Text) {
    let it = &tape.items[item as usize];
    t.str(if it.send { "`send " } else { "`recv " });
    label(tape, it.value, t);
    t.str(if it.send { " to " } else { " from " });
    t.int(it.peer as i64);
    t.str("`");
}

/// A whole step in a few words.
pub(super) const fn what(tape: &Tape<'_>, step: u32, t: &mut Text) {
    let s = tape.steps[step as usize];
    match s.kind {
        StepKind::Compute => {
            t.str("`");
            names(tape, s, t);
            t.str("`");
        }
        StepKind::Single => item(tape, s.first, t),
        StepKind::Batch => t.str("the batch"),
    }
}

/// What a compute step is called; an overlapped pair has two names.
const fn names(tape: &Tape<'_>, step: Step, t: &mut Text) {
    let mut u = step.first as usize;
    while u < (step.first + step.len) as usize {
        if matches!(tape.uses[u].role, Role::Name) {
            t.str(if u > step.first as usize { " + " } else { "" });
            label(tape, tape.uses[u].value, t);
        }
        u += 1;
    }
}

/// A compute step, what it does (`word`), and with which value.
pub(super) const fn used(tape: &Tape<'_>, f: Finding, word: &str, t: &mut Text) {
    at(tape, f.step, t);
    what(tape, f.step, t);
    t.str(word);
    label(tape, tape.uses[f.item as usize].value, t);
}

/// How a step brings a value.
pub(super) const fn brought(tape: &Tape<'_>, step: u32) -> &'static str {
    match tape.steps[step as usize].kind {
        StepKind::Compute => "writes",
        _ => "receives",
    }
}

pub(super) const fn label(tape: &Tape<'_>, value: Value, t: &mut Text) {
    let name = &tape.names[value.family() as usize];
    t.str(name.text);
    let mut j = 0;
    while j < name.arity {
        t.str(if j == 0 { "[" } else { "," });
        t.num(value.index(j));
        j += 1;
    }
    if name.arity > 0 {
        t.str("]");
    }
}

/// `2048 of f32`
pub(crate) const fn payload(payload: Payload, t: &mut Text) {
    match payload.dtype() {
        None => t.str("a message of no declared type"),
        Some(dtype) => {
            t.num(payload.count());
            t.str(" of ");
            t.str(dtype.name());
        }
    }
}

/// The counterpart of an item, to be added.
pub(super) const fn add(tape: &Tape<'_>, lone: u32, t: &mut Text) {
    let it = &tape.items[lone as usize];
    t.str("add `");
    t.str(if it.send { "recv " } else { "send " });
    label(tape, it.value, t);
    t.str(if it.send { " from " } else { " to " });
    t.num(tape.steps[it.step as usize].rank as u64);
    t.str("` to rank ");
    t.int(it.peer as i64);
}

/// Two steps of one rank to be joined.
pub(super) const fn join(tape: &Tape<'_>, a: u32, b: u32, t: &mut Text) {
    t.str("put steps ");
    both(tape, a, b, t);
    t.str(" of rank ");
    t.num(tape.steps[a as usize].rank as u64);
    t.str(" into one batch");
}

/// The numbers of two steps of one rank, the earlier first.
pub(super) const fn both(tape: &Tape<'_>, a: u32, b: u32, t: &mut Text) {
    let (first, second) = if a < b { (a, b) } else { (b, a) };
    t.num(tape.steps[first as usize].number as u64);
    t.str(" and ");
    t.num(tape.steps[second as usize].number as u64);
}
