//! What is said once sizes are known.

use crate::elaborate::{Cause, MAX_CALLS, MAX_RANKS, MAX_WORK, MOST_TICKS};
use crate::error::Message;
use counterpart_core::value::INDEX_LIMIT;

/// ` (r = 0, m = 3)`, or nothing.
fn given(values: &[(String, i64)]) -> String {
    let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) }
}

/// `on rank 3, `, or nothing where no rank has begun.
fn on(rank: Option<i64>) -> String {
    rank.map_or_else(String::new, |rank| format!("on rank {rank}, "))
}

/// The note that says which sizes show the mistake.
fn of(message: Message, instance: &str) -> Message {
    message.note(format!("in `{instance}`"))
}

pub fn no_value_of(
    cause: Cause,
    rank: Option<i64>,
    values: &[(String, i64)],
    name: &str,
    instance: &str,
) -> Message {
    let (on, given) = (on(rank), given(values));
    let message = match cause {
        Cause::Overflow => Message::new(format!("{on}the result does not fit into 64 bits{given}"))
            .help("numbers of a schedule have 64 bits with sign"),
        Cause::DivisionByZero => {
            Message::new(format!("{on}division by zero{given}")).help("decide with `if` before dividing")
        }
        Cause::Calls => {
            Message::new(format!("{on}helper functions call each other more than {MAX_CALLS} deep{given}"))
                .help("a function that calls itself needs an `if` with an end")
        }
        Cause::Unset(_) => Message::new(format!("`{name}` has no value yet"))
            .help("a function that is called from a `let` may use only the `let`s above that one"),
        Cause::Work => return too_much_work(rank, instance),
    };
    of(message, instance)
}

pub fn too_much_work(rank: Option<i64>, instance: &str) -> Message {
    let millions = MAX_WORK / 1_000_000;
    let message = Message::new(format!("{}this does not end within {millions} million statements", on(rank)))
        .help("a `while` needs a condition that turns false, a function that calls itself an `if`");
    of(message, instance)
}

/// `index` is the index as it was declared, `m` of `Act`.
pub fn index(
    (index, family): (&str, &str),
    value: i64,
    rank: i64,
    values: &[(String, i64)],
    instance: &str,
) -> Message {
    let text = format!("{}index `{index}` of `{family}` is {value}{}", on(Some(rank)), given(values));
    let message = Message::new(text).help(match value < 0 {
        true => "an index is 0 or more: add a condition, such as `if r > 0`".to_owned(),
        false => format!("an index stays below {INDEX_LIMIT}"),
    });
    of(message, instance)
}

pub fn rank_number(rank: i64, instance: &str) -> Message {
    let message = Message::new(format!("there can't be a rank {rank}"))
        .help(format!("ranks are numbered from 0, and there are at most {MAX_RANKS}"));
    of(message, instance)
}

pub fn rank_twice(rank: usize, first_line: usize, instance: &str) -> Message {
    let message = Message::new(format!("rank {rank} has two programs"))
        .help(format!("the other one begins in line {first_line}; every rank needs exactly one"));
    of(message, instance)
}

pub fn rank_missing(rank: usize, ranks: usize, instance: &str) -> Message {
    let message = Message::new(format!("rank {rank} has no program, although there is a rank {}", ranks - 1))
        .help("every rank from 0 on needs exactly one");
    of(message, instance)
}

pub fn no_rank_at_all(instance: &str) -> Message {
    of(Message::new("no rank is left").help("every range of ranks is empty at these sizes"), instance)
}

pub fn domain(compute: &str, from: i64, to: i64, instance: &str) -> Message {
    let message = Message::new(format!("an index of `{compute}` runs over {from}..{to}"))
        .help(format!("indices are 0 or more and below {INDEX_LIMIT}"));
    of(message, instance)
}

pub fn dimension(value: i64, instance: &str) -> Message {
    of(Message::new(format!("a dimension of {value}")).help("a dimension is 0 or more"), instance)
}

pub fn too_many_elements(message: &str, instance: &str) -> Message {
    let text = format!("`{message}` has more elements than a message holds");
    of(Message::new(text).help("a message holds at most 2^56 - 1 elements"), instance)
}

pub fn negative_bound(message: &str, rank: usize, value: i64, instance: &str) -> Message {
    let text = format!("on rank {rank}, at most {value} buffers of `{message}` may be live");
    of(Message::new(text).help("a bound is 0 or more: write `max(0, …)`"), instance)
}

/// `steps`: the names of two compute steps; the second ends what the first begins.
pub fn kept_exceeded(steps: (&str, &str), rank: usize, kept: usize, bound: u64, instance: &str) -> Message {
    let (from, until) = steps;
    let text = format!(
        "memory: rank {rank} keeps {kept} `{from}` at once until their `{until}`, at most {bound} may be kept"
    );
    let message = Message::new(text).help(format!("run `{until}` sooner, or allow more"));
    of(message, instance)
}

pub fn requirement(message: &str, instance: &str) -> Message {
    Message::new(format!("`{instance}`: {message}"))
}

pub fn cost_outside(ticks: i64, instance: &str) -> Message {
    let help = format!("a cost is 0 or more, and at most {MOST_TICKS}: take a larger unit");
    of(Message::new(format!("a cost of {ticks}")).help(help), instance)
}

/// `ranks`: that on which the step runs, and that on which it is placed, which stands in `line`.
pub fn misplaced(
    name: &str,
    indices: &[i64],
    (rank, placed): (i64, i64),
    line: usize,
    instance: &str,
) -> Message {
    let indices: Vec<String> = indices.iter().map(i64::to_string).collect();
    let label = format!("{name}({})", indices.join(", "));
    let message = Message::new(format!("rank {rank} runs `{label}`, which is placed on rank {placed}"))
        .help(format!("run it there, or change `on` of `{name}`, in line {line}"));
    of(message, instance)
}

pub fn left_deferred(name: &str, left: usize, rank: i64, instance: &str) -> Message {
    let message = Message::new(format!("rank {rank} ends with {left} `{name}` deferred"))
        .help(format!("add `resume all {name};` at the end"));
    of(message, instance)
}

pub fn not_found(reason: &str, instance: &str) -> Message {
    of(Message::new(format!("no order is found: {reason}")), instance)
}

pub fn memory_exceeded(message: &str, rank: usize, live: usize, bound: u64, instance: &str) -> Message {
    let plural = if live == 1 { "" } else { "s" };
    let text = format!(
        "memory: rank {rank} needs {live} buffer{plural} of `{message}`, at most {bound} may be live"
    );
    let message = Message::new(text).help("use values sooner after they arrive, or allow more");
    of(message, instance)
}
