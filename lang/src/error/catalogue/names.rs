//! What is said about names and types.

use super::suggestion;
use crate::error::Message;

/// "did you mean `x`?", or the list of what there is.
fn known<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>, none: &str) -> String {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    if let Some(near) = suggestion(name, candidates.iter().copied()) {
        return format!("did you mean `{near}`?");
    }
    if candidates.is_empty() {
        return none.to_owned();
    }
    let mut list: Vec<String> = candidates.iter().map(|c| format!("`{c}`")).collect();
    const MOST: usize = 8;
    if list.len() > MOST {
        list.truncate(MOST);
        list.push("…".to_owned());
    }
    format!("there is {}", list.join(", "))
}

/// "`x` is a message, not a compute step", or "no compute step `x`".
fn unknown(name: &str, is: Option<&str>, wanted: &str) -> Message {
    Message::new(match is {
        Some(is) => format!("`{name}` is {is}, not {wanted}"),
        None => format!("there is no {} `{name}`", wanted.trim_start_matches("a ")),
    })
}

pub fn unknown_variable<'a>(
    name: &str,
    is: Option<&str>,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Message {
    unknown(name, is, "a variable").help(known(name, candidates, "define it with `let`"))
}

pub fn shape_depends(name: &str) -> Message {
    Message::new(format!(
        "the shape of a message is the same at all sizes, but `{name}` belongs to the schedule"
    ))
    .help("use numbers or constants of the crate for shapes")
}

pub fn unknown_message(name: &str, is: Option<&str>, candidates: Vec<&str>) -> Message {
    let none = format!("declare it: `message {name}[s, m]: [f32; 32, 64];`");
    unknown(name, is, "a message").help(known(name, candidates, &none))
}

pub fn unknown_compute(name: &str, is: Option<&str>, candidates: Vec<&str>) -> Message {
    let none = format!("declare it: `compute {name}(s in 0..P, m in 0..M) {{ … }}`");
    unknown(name, is, "a compute step").help(known(name, candidates, &none))
}

pub fn unknown_function(name: &str, is: Option<&str>, candidates: Vec<&str>) -> Message {
    unknown(name, is, "a helper function").help(known(name, candidates, ""))
}

pub fn defined_below(name: &str) -> Message {
    Message::new(format!("`{name}` has no value yet"))
        .help("move its `let` up; a `let` sees only those above it")
}

pub fn duplicate(name: &str, first_line: usize) -> Message {
    Message::new(format!("`{name}` is defined twice"))
        .help("parameters, `let`s, functions, messages and compute steps need different names")
        .note(format!("it is first defined in line {first_line}"))
}

pub fn duplicate_index(name: &str, what: &str) -> Message {
    Message::new(format!("`{name}` stands twice in {what}")).help("give them different names")
}

pub fn reserved(name: &str) -> Message {
    Message::new(format!("`{name}` is a word of the schedule language")).help("choose another name")
}

pub fn taken(name: &str) -> Message {
    Message::new(format!("`{name}` is a word of session types")).help("choose another name")
}

pub fn called_like_programs(name: &str) -> Message {
    Message::new(format!("`{name}` is what the schedule calls its programs")).help("choose another name")
}

pub fn lower_case(schedule: &str) -> Message {
    Message::new(format!("schedule `{schedule}` would be called like its module"))
        .help("begin its name with a capital letter, as that of any type")
}

pub fn wrong_indices(name: &str, indices: &[String], found: usize) -> Message {
    let count = match indices.len() {
        0 => "no index".to_owned(),
        1 => "one index".to_owned(),
        n => format!("{n} indices"),
    };
    let message = Message::new(format!("`{name}` has {count}, found {found}"));
    match indices.is_empty() {
        true => message.help(format!("write `{name}` alone")),
        false => message.help(format!("its indices are {}", indices.join(", "))),
    }
}

pub fn wrong_arguments(name: &str, expected: usize, found: usize) -> Message {
    let plural = if expected == 1 { "" } else { "s" };
    Message::new(format!("`{name}` takes {expected} argument{plural}, found {found}"))
        .help("give one expression for each parameter")
}

pub fn not_mutable(name: &str) -> Message {
    Message::new(format!("`{name}` can't be assigned to"))
        .help(format!("define it with `let mut {name} = …;`"))
}

pub fn not_assignable(name: &str) -> Message {
    Message::new(format!("`{name}` belongs to the whole schedule and can't be assigned to"))
        .help(format!("copy it first: `let mut mine = {name};`"))
}

pub fn wrong_type(wanted_condition: bool) -> Message {
    match wanted_condition {
        true => Message::new("expected a condition, found an integer").help("compare it, such as `m > 0`"),
        false => Message::new("expected an integer, found a condition").help("write `if c { 1 } else { 0 }`"),
    }
}

pub fn function_type(name: &str, wanted_condition: bool) -> Message {
    match wanted_condition {
        true => Message::new(format!("`{name}` returns an integer")).help("leave out `-> bool`"),
        false => Message::new(format!("`{name}` returns a condition"))
            .help(format!("say so: `fn {name}(…) -> bool {{ … }}`")),
    }
}

pub fn instance_name(found: &str, schedule: &str) -> Message {
    Message::new(format!("this is schedule `{schedule}`, not `{found}`"))
        .help(format!("write `instance {schedule}<…>;`"))
}

pub fn instance_sizes(schedule: &str, params: &[String], found: usize) -> Message {
    let plural = if params.len() == 1 { "" } else { "s" };
    let message = Message::new(format!("`{schedule}` has {} parameter{plural}, found {found}", params.len()));
    match params.is_empty() {
        true => message.help(format!("write `instance {schedule};`")),
        false => message.help(format!("write `instance {schedule}<{}>;` with numbers", params.join(", "))),
    }
}

pub fn no_instance(schedule: &str, params: usize) -> Message {
    let sizes: Vec<String> = (0..params).map(|i| (4 << i.min(8)).to_string()).collect();
    Message::new(format!("`{schedule}` has no instance, so nothing of it can be proven or run"))
        .help(format!("say at which sizes: `instance {schedule}<{}>;`", sizes.join(", ")))
}

pub fn duplicate_instance(first_line: usize) -> Message {
    Message::new("an instance of these sizes is there already")
        .help("remove one of them")
        .note(format!("the first stands in line {first_line}"))
}
