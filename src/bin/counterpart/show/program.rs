//! The program of each rank, a line for each step.

use std::io::{self, Write};

use counterpart::core::tape::{Item, Step, StepKind};

use super::cells::{Cells, padded};
use super::grid::{FAINT, WRONG};
use super::{Shown, View};
use crate::report::plain;

/// Writes the programs: number, slot and what is done.
///
/// # Errors
/// When the output can't be written.
pub fn write(shown: &Shown<'_>, view: &View, out: &mut impl Write) -> io::Result<()> {
    let plan = shown.plan;
    let cells = Cells::new(plan);
    writeln!(out, "{FAINT}step, slot of a compute step, and what is done{FAINT:#}")?;
    for rank in view.ranks.clone() {
        writeln!(out, "\nrank {rank}")?;
        let (steps, done) = (plan.steps(rank), shown.slots.done[rank]);
        let digits = steps.len().to_string().len().max(3);
        let all = view.slots.len() == shown.slots.count;
        for (number, step) in steps.iter().enumerate() {
            let slot = shown.slots.of[rank].get(number);
            if !all && slot.is_none_or(|slot| !view.slots.contains(slot)) {
                continue;
            }
            let mark = if number == done { view.signs.stands } else { " " };
            let time = match (step.kind, slot) {
                (StepKind::Compute, Some(slot)) => slot.to_string(),
                _ => String::new(),
            };
            write!(out, "{WRONG}{mark}{WRONG:#}{number:>digits$} {FAINT}{time:>digits$}{FAINT:#}  ")?;
            if step.kind == StepKind::Compute {
                let style = cells.style(plan, step);
                let label = padded(&cells.label(plan, step), 4);
                let whole = plan.compute_label(step);
                writeln!(out, "{style} {label} {style:#} {}", plain(&whole))?;
            } else {
                writeln!(out, "{}", plain(&communication(shown, view, step)))?;
            }
        }
    }
    Ok(())
}

fn communication(shown: &Shown<'_>, view: &View, step: &Step) -> String {
    let item = |item: &Item| {
        let sign = if item.send { view.signs.to } else { view.signs.from };
        format!("{sign}{} {}", item.peer, shown.plan.label(item.value))
    };
    let items: Vec<String> = shown.plan.items(step).iter().map(item).collect();
    match step.kind {
        StepKind::Single => items.concat(),
        _ => format!("{{ {} }}", items.join("  ")),
    }
}
