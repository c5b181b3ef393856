//! A row for each rank, a column for each time slot.

use std::io::{self, Write};
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use counterpart::core::tape::{Step, StepKind};

use super::cells::{self, Cells, padded, width};
use super::{Shown, View};
use crate::report::plain;

/// Lines above which labels are given up for kinds.
const MOST_LINES: usize = 320;

/// Kinds that the legend lists.
const MOST_KINDS: usize = 12;

/// What is faint, and what is wrong.
pub const FAINT: Style = Style::new().dimmed();
pub const WRONG: Style = AnsiColor::Red.on_default().bold();

struct Grid<'a> {
    shown: &'a Shown<'a>,
    view: &'a View,
    cells: Cells<'a>,
    labels: bool,
    /// Columns of a cell, without the space behind it.
    cell: usize,
    space: usize,
    /// Columns in front of the cells.
    head: usize,
}

/// Writes the grid and what its letters mean.
///
/// # Errors
/// When the output can't be written.
pub fn write(shown: &Shown<'_>, view: &View, out: &mut impl Write) -> io::Result<()> {
    let cells = Cells::new(shown.plan);
    let mut grid = Grid { shown, view, cells, labels: true, cell: 1, space: 1, head: 0 };
    grid.head = grid.name(view.ranks.end.saturating_sub(1)).len() + 1 + width(view.signs.rule) + 1;
    let columns = grid.columns();
    grid.measure(&columns);
    if view.cells == super::Cells::Kind
        || view.cells == super::Cells::Auto && grid.lines(&columns) > MOST_LINES
    {
        grid.labels = false;
        grid.measure(&columns);
    }
    grid.legend(out)?;
    let per_line = grid.per_line();
    let mut from = columns.start;
    while from < columns.end {
        let to = columns.end.min(from + per_line);
        writeln!(out)?;
        grid.block(from..to, columns.end, out)?;
        if view.clip {
            break;
        }
        from = to;
    }
    Ok(())
}

impl Grid<'_> {
    fn name(&self, rank: usize) -> String {
        let digits = self.view.ranks.end.saturating_sub(1).to_string().len();
        format!("rank {rank:>digits$}")
    }

    /// The slots to show: one more where a rank stands behind the last.
    fn columns(&self) -> Range<usize> {
        let Range { start, end } = self.view.slots.clone();
        let stands = self.view.ranks.clone().filter_map(|rank| self.stands(rank));
        let last = stands.filter(|&slot| slot == self.shown.slots.count).max();
        start..if end == self.shown.slots.count { last.map_or(end, |slot| slot + 1) } else { end }
    }

    /// The slot in which a rank stands that takes not all of its steps.
    fn stands(&self, rank: usize) -> Option<usize> {
        let done = self.shown.slots.done[rank];
        (done < self.shown.plan.steps(rank).len())
            .then(|| self.computes(rank).last().map_or(0, |(slot, _)| slot + 1))
    }

    fn computes(&self, rank: usize) -> impl Iterator<Item = (usize, &Step)> {
        self.computes_in(rank, &(0..usize::MAX))
    }

    /// The compute steps of a rank in these slots, which do not fall from step to step.
    fn computes_in(&self, rank: usize, slots: &Range<usize>) -> impl Iterator<Item = (usize, &Step)> {
        let of = &self.shown.slots.of[rank];
        let (from, to) = (of.partition_point(|&s| s < slots.start), of.partition_point(|&s| s < slots.end));
        let steps = &self.shown.plan.steps(rank)[from..to];
        let steps = steps.iter().filter(|step| step.kind == StepKind::Compute);
        steps.map(move |step| (self.shown.slots.of[rank][step.number as usize], step))
    }

    fn text(&self, step: &Step) -> String {
        match self.labels {
            true => self.cells.label(self.shown.plan, step),
            false => self.cells.kind(self.shown.plan, step),
        }
    }

    fn measure(&mut self, columns: &Range<usize>) {
        let ranks = self.view.ranks.clone();
        let visible = ranks.flat_map(|rank| self.computes(rank)).filter(|(slot, _)| columns.contains(slot));
        self.cell = visible.map(|(_, step)| width(&self.text(step))).max().unwrap_or(1).max(1);
        self.space = usize::from(self.labels || self.cell > 1);
    }

    fn per_line(&self) -> usize {
        (self.view.width.saturating_sub(self.head) + self.space).div_euclid(self.cell + self.space).max(1)
    }

    fn lines(&self, columns: &Range<usize>) -> usize {
        columns.len().div_ceil(self.per_line()) * (self.view.ranks.len() + 2)
    }

    fn legend(&self, out: &mut impl Write) -> io::Result<()> {
        let signs = &self.view.signs;
        for kind in self.cells.kinds.iter().take(MOST_KINDS) {
            let style = self.cells.style_of_kind(kind);
            write!(out, "{style} {} {style:#} {}  ", self.cells.letters(kind), plain(kind))?;
        }
        let more = self.cells.kinds.len().saturating_sub(MOST_KINDS);
        if more > 0 {
            write!(out, "{} {more} more kinds  ", signs.more)?;
        }
        let overlap = |step: &Step| self.shown.plan.compute_names(step).nth(1).is_some();
        if (0..self.shown.plan.ranks()).any(|rank| self.shown.plan.steps(rank).iter().any(overlap)) {
            let style = cells::overlapped();
            write!(out, "{style} + {style:#} overlapped  ")?;
        }
        write!(out, "{} idle", signs.idle)?;
        if self.view.ranks.clone().any(|rank| self.stands(rank).is_some()) {
            write!(out, "  {WRONG}{}{WRONG:#} waits for ever", signs.stands)?;
        }
        writeln!(out)?;
        if self.labels && !self.cells.kinds.is_empty() {
            write!(out, "{FAINT}the number is the last index, in a pipeline the micro-batch{FAINT:#}")?;
            if self.cells.has_chunks() {
                let last = char::from(b'a' + self.cells.chunks() as u8 - 1);
                write!(out, "{FAINT}; a to {last} are the stages of the rank, the lowest first{FAINT:#}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    fn block(&self, slots: Range<usize>, end: usize, out: &mut impl Write) -> io::Result<()> {
        self.ruler(&slots, end, out)?;
        for rank in self.view.ranks.clone() {
            write!(out, "{} {FAINT}{}{FAINT:#} ", self.name(rank), self.view.signs.rule)?;
            let mut row: Vec<Option<&Step>> = vec![None; slots.len()];
            for (slot, step) in self.computes_in(rank, &slots) {
                row[slot - slots.start] = Some(step);
            }
            let stands = self.stands(rank);
            for (slot, step) in slots.clone().zip(row) {
                // Colours fill their cells; behind the last sign nothing is needed.
                let is_last = slot + 1 == slots.end;
                let space = if is_last { String::new() } else { " ".repeat(self.space) };
                let plain = |sign: &str| if is_last { sign.to_owned() } else { padded(sign, self.cell) };
                match step {
                    Some(step) => {
                        let style = self.cells.style(self.shown.plan, step);
                        write!(out, "{style}{}{style:#}{space}", padded(&self.text(step), self.cell))?;
                    }
                    None if stands == Some(slot) => {
                        let sign = plain(self.view.signs.stands);
                        write!(out, "{WRONG}{sign}{WRONG:#}{space}")?;
                    }
                    None => write!(out, "{FAINT}{}{FAINT:#}{space}", plain(self.view.signs.idle))?,
                }
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// The numbers of slots above their columns, as many as fit.
    fn ruler(&self, slots: &Range<usize>, end: usize, out: &mut impl Write) -> io::Result<()> {
        let step = self.cell + self.space;
        let every = [1, 2, 5, 10, 20, 50, 100].into_iter().find(|n| n * step >= 8).unwrap_or(100);
        let mut line = format!("{:<width$}", "slot", width = self.head);
        for slot in slots.clone().filter(|slot| slot.is_multiple_of(every)) {
            let at = self.head + (slot - slots.start) * step;
            line = format!("{line:<at$}{slot}");
        }
        let more = end - slots.end;
        if self.view.clip && more > 0 {
            line.push_str(&format!("  {} {more} more", self.view.signs.more));
        }
        writeln!(out, "{FAINT}{}{FAINT:#}", line.trim_end())
    }
}
