//! What is said of schedules that are one of the library.

use super::shape::{or_suggest, words};
use crate::error::Message;

pub fn own_parameters(base: &str) -> Message {
    Message::new(format!("the parameters are those of `{base}`"))
        .help(format!("leave them out: `schedule Name = {base};`"))
}

pub fn open_message(name: &str, indices: &[String]) -> Message {
    let indices = match indices.is_empty() {
        true => String::new(),
        false => format!("[{}]", indices.join(", ")),
    };
    Message::new(format!("nothing says what `{name}` carries"))
        .help(format!("give its element type and shape, such as `message {name}{indices}: [f32; 32, 64];`"))
}

pub fn unknown_base(name: &str, known: &[&str]) -> Message {
    Message::new(format!("the library has no schedule `{name}`")).help(or_suggest(
        Some(name),
        known,
        format!("it has {}", words(known.iter().copied())),
    ))
}

pub fn not_with_base(item: &str, base: &str) -> Message {
    Message::new(format!("`{item}` is a matter of `{base}`, which this schedule is"))
        .help("what can be said here is `message`, `model`, `cost`, `comms`, `memory` and `instance`")
}

pub fn other_message(name: &str, base: &str, known: &[&str]) -> Message {
    Message::new(format!("`{base}` has no message `{name}`")).help(or_suggest(
        Some(name),
        known,
        format!("it has {}", words(known.iter().copied())),
    ))
}

pub fn other_indices(name: &str, base: &str, indices: &[String]) -> Message {
    Message::new(format!("in `{base}`, `{name}` has other indices"))
        .help(format!("write `message {name}[{}]: …`", indices.join(", ")))
}
