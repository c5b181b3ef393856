//! What people read.

pub mod excerpt;
pub mod failure;

use std::borrow::Cow;
use std::io::Write;
use std::time::Duration;

use clap::ValueEnum;
use counterpart::core::Wait;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use failure::Failure;

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Writes a value as JSON.
///
/// # Errors
/// When the output can't be written.
pub fn json<T: Serialize + ?Sized>(out: &mut impl Write, value: &T) -> Result<(), Failure> {
    serde_json::to_writer_pretty(&mut *out, value).map_err(|error| Failure::Output(error.into()))?;
    writeln!(out)?;
    Ok(())
}

/// A bar on standard error over `count` things, where that is a terminal and there are `many` of them.
pub fn progress(count: usize, many: usize, template: &str) -> ProgressBar {
    let target = if count < many { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(count as u64), target).with_style(style)
}

/// Says on standard error, where that is a terminal, that something is being done that may take long.
pub fn busy(what: String) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
    let bar =
        ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.set_message(what);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A fault in one line. Of a deadlock the first wait says more than its title.
pub fn line(kind: &str, message: &str, waits: &[Wait]) -> String {
    let title = message.lines().next().unwrap_or_default();
    format!("{kind}: {}", waits.first().map_or(title, |wait| &wait.message))
}

/// The beginning of a text that has no room as a whole.
pub fn clip(text: &str, room: usize) -> String {
    match text.chars().count() <= room {
        true => text.to_owned(),
        false => text.chars().take(room.saturating_sub(1)).chain(['…']).collect(),
    }
}

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
