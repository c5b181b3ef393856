//! Numbers above and below the grid.

use std::io::{self, Write};

use counterpart::core::tape::StepKind;

use super::cells::width;
use super::grid::{FAINT, WRONG};
use super::{Shown, View};
use crate::report::plain;

/// Ranks whose place is told where they wait for ever.
const MOST_STANDING: usize = 16;
/// Columns of a bar.
const BAR: usize = 20;

/// What the plan is called, and how large it is.
///
/// # Errors
/// When the output can't be written.
pub fn head(shown: &Shown<'_>, view: &View, file: &str, out: &mut impl Write) -> io::Result<()> {
    let plan = shown.plan;
    let compute = (0..plan.ranks())
        .flat_map(|rank| plan.steps(rank))
        .filter(|step| step.kind == StepKind::Compute)
        .count();
    let name = plain(if plan.name.is_empty() { file } else { &plan.name });
    let counts = [
        counted(plan.ranks(), "rank"),
        counted(plan.len(), "step"),
        format!("{compute} compute"),
        counted(shown.pairs.count, "pair"),
        counted(shown.slots.count, "slot"),
    ];
    let bold = anstyle::Style::new().bold();
    writeln!(out, "{bold}{name}{bold:#}{}{}", view.signs.dot, counts.join(view.signs.dot))
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// How much of the time each rank is idle.
///
/// # Errors
/// When the output can't be written.
pub fn idle(shown: &Shown<'_>, view: &View, out: &mut impl Write) -> io::Result<()> {
    let total = shown.slots.count;
    if total == 0 {
        return Ok(());
    }
    let busy = |rank: usize| {
        let steps = &shown.plan.steps(rank)[..shown.slots.done[rank]];
        steps.iter().filter(|step| step.kind == StepKind::Compute).count()
    };
    let digits = view.ranks.end.saturating_sub(1).to_string().len();
    let bars: Vec<String> = view
        .ranks
        .clone()
        .map(|rank| {
            let full = (busy(rank) * BAR + total / 2) / total;
            let bar = format!("{}{}", view.signs.full.repeat(full), view.signs.empty.repeat(BAR - full));
            format!("rank {rank:>digits$} {bar} {:>3} % idle", percent(total - busy(rank), total))
        })
        .collect();
    writeln!(out)?;
    let wide = bars.first().map_or(1, |bar| width(bar)) + 3;
    let per_line = if bars.len() <= 8 { 1 } else { ((view.width + 3) / wide).max(1) };
    let rows = bars.len().div_ceil(per_line);
    for row in 0..rows {
        let line: Vec<&str> = bars.iter().skip(row).step_by(rows).map(String::as_str).collect();
        writeln!(out, "{}", line.join("   "))?;
    }
    let all: usize = view.ranks.clone().map(busy).sum();
    let slots = view.ranks.len() * total;
    writeln!(out, "{FAINT}together {} % of {slots} slots idle{FAINT:#}", percent(slots - all, slots))
}

fn percent(part: usize, whole: usize) -> usize {
    (part * 100 + whole / 2) / whole
}

/// Where each rank stands that waits for ever, and what else is wrong.
///
/// # Errors
/// When the output can't be written.
pub fn stands(shown: &Shown<'_>, view: &View, wrong: &str, out: &mut impl Write) -> io::Result<()> {
    let plan = shown.plan;
    if wrong.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let standing = (0..plan.ranks()).filter(|&rank| shown.slots.done[rank] < plan.steps(rank).len());
    let standing: Vec<usize> = standing.collect();
    for &rank in standing.iter().take(MOST_STANDING) {
        let what = plan.describe(rank, shown.slots.done[rank]).unwrap_or_default();
        writeln!(
            out,
            "{WRONG}{}{WRONG:#} waits for ever: {}",
            view.signs.stands,
            clipped(&plain(&what), view)
        )?;
    }
    if standing.len() > MOST_STANDING {
        writeln!(out, "{} and {} ranks more", view.signs.more, standing.len() - MOST_STANDING)?;
    }
    writeln!(out, "{wrong}")
}

/// As much of a text as fits on a line.
fn clipped(text: &str, view: &View) -> String {
    let most = view.width.saturating_sub(20).max(40);
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}{}", &text[..end], view.signs.more),
        None => text.to_owned(),
    }
}
