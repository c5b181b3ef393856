//! What people read.

pub mod excerpt;
pub mod failure;

use std::borrow::Cow;
use std::time::Duration;

/// Columns of the terminal; 100 where there is none.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(100, |(terminal_size::Width(width), _)| usize::from(width)).max(40)
}

/// Text from a file as it may go to a terminal: control characters, which could move the cursor or hide what follows,
/// are shown as such.
pub fn plain(text: &str) -> Cow<'_, str> {
    let is_control = |c: char| c.is_control() && c != '\n';
    match text.contains(is_control) {
        false => text.into(),
        true => text.chars().map(|c| if is_control(c) { '\u{fffd}' } else { c }).collect(),
    }
}

/// How long something took, where a person noticed.
pub fn took(time: Duration) -> String {
    match time.as_secs_f64() {
        ..1.0 => String::new(),
        seconds => format!(", in {seconds:.1} s"),
    }
}
