//! The table of all nine models.

use std::io::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use super::judge::{Found, Judged};
use crate::input::Subject;
use crate::report::failure::Failure;
use crate::report::{plain, took, width};

/// A row for each model: safe, or the first fault.
pub fn write(
    out: &mut impl Write,
    subject: &Subject,
    judged: &[Judged],
    time: Duration,
) -> Result<(), Failure> {
    let (bold, name) = (Style::new().bold(), plain(&subject.plan.name));
    writeln!(out, "{bold}{name}{bold:#} ({}), {}", subject.file, subject.size())?;
    for one in judged {
        write!(out, "  {:<14} ", one.model.to_string())?;
        match one.found.first() {
            None => {
                let green = AnsiColor::Green.on_default();
                writeln!(out, "{green}safe{green:#}")?;
            }
            Some(found) => {
                let red = AnsiColor::Red.on_default().bold();
                let room = width().saturating_sub(26);
                writeln!(out, "{red}unsafe{red:#}  {}", clip(&plain(&line(found)), room))?;
            }
        }
    }
    let safe = judged.iter().filter(|one| one.is_safe()).count();
    writeln!(out, "  safe under {safe} of {}{}", judged.len(), took(time))?;
    Ok(())
}

/// A fault in one line. Of a deadlock the first wait says more than its title.
fn line(found: &Found) -> String {
    let first = found
        .waits
        .first()
        .map_or_else(|| found.message.lines().next().unwrap_or_default(), |wait| &wait.message);
    format!("{}: {first}", found.kind)
}

fn clip(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let mut clipped: String = text.chars().take(room.saturating_sub(1)).collect();
    clipped.push('…');
    clipped
}
