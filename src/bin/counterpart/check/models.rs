//! The table of all nine models.

use std::io::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use super::judge::Judged;
use crate::input::Subject;
use crate::report::failure::Failure;
use crate::report::{clip, line, plain, took, width};

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
                writeln!(
                    out,
                    "{red}unsafe{red:#}  {}",
                    clip(&plain(&line(found.kind, &found.message, &found.waits)), room)
                )?;
            }
        }
    }
    let safe = judged.iter().filter(|one| one.is_safe()).count();
    writeln!(out, "  safe under {safe} of {}{}", judged.len(), took(time))?;
    Ok(())
}
