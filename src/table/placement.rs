//! Placement: which rank has which stage.

use std::collections::{BTreeMap, BTreeSet};

use super::{Action, Cell, Table, TableError};

/// Which rank has which of the stages, for `p` ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Stage `s` on rank `s mod p`.
    Loop,
    /// Down and up again: stages `0..p` on ranks `0..p`, stages `p..2p` on ranks `p-1..=0`, and so on.
    V,
    /// Two chains: stage `s` on rank `s`, and stage `p + s`, which is stage `s` of the second chain, on rank `p-1-s`. From
    /// stage `p-1` to stage `p` nothing is handed over.
    Bidirectional,
}

impl Placement {
    /// The word for it on the command line and in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Placement::Loop => "loop",
            Placement::V => "v",
            Placement::Bidirectional => "bidirectional",
        }
    }

    /// The rank of a stage, of `ranks`.
    ///
    /// # Panics
    /// When there is no rank.
    pub fn rank(self, stage: usize, ranks: usize) -> usize {
        let (turn, place) = (stage / ranks, stage % ranks);
        match self {
            Placement::Loop => place,
            Placement::V | Placement::Bidirectional if turn % 2 == 0 => place,
            Placement::V | Placement::Bidirectional => ranks - 1 - place,
        }
    }
}

/// The stages of a table: who has them, and where chains begin and end.
#[derive(Debug)]
pub(super) struct Stages {
    /// The rank of each stage.
    pub ranks: Vec<usize>,
    /// The first stage of the second chain, where there are two.
    pub second: Option<usize>,
}

impl Stages {
    /// The stages of a table, by the rows that compute them. Without a placement any is taken as it is; two chains are
    /// then assumed only where the micro-batches say so: none of them goes through both halves of a V.
    pub(super) fn of(table: &Table, placement: Option<Placement>) -> Result<Stages, TableError> {
        let homes = homes(table)?;
        let ranks = table.rows.len();
        let stages = homes.keys().next_back().map_or(0, |&last| last + 1);
        if let Some((stage, cell)) = missing(table, &homes, stages) {
            return Err(cell.error(table, format!("no row computes stage {stage}")).help(format!(
                "every stage from 0 to {} needs a row with its forwards",
                stages.max(stage + 1) - 1
            )));
        }
        if let Some(placement) = placement {
            if placement == Placement::Bidirectional && stages != 2 * ranks && stages > 0 {
                let (_, cell) = homes[&(stages - 1)];
                let message =
                    format!("two chains over {ranks} ranks have {} stages, not {stages}", 2 * ranks);
                return Err(cell
                    .error(table, message)
                    .help("stages p to 2p - 1 are those of the second chain"));
            }
            for (&stage, &(row, cell)) in &homes {
                let rank = placement.rank(stage, ranks);
                if rank != row {
                    let message = format!(
                        "stage {stage} belongs on row {} in placement `{}`",
                        rank + 1,
                        placement.name()
                    );
                    return Err(cell.error(table, message)
                        .help("give the placement that the table has, or none: rows then say which rank has which stage"));
                }
            }
        }
        let ranks_of: Vec<usize> = homes.values().map(|&(row, _)| row).collect();
        if let Some((stage, cell)) = elsewhere(table, &ranks_of) {
            return Err(cell
                .error(table, format!("stage {stage} is computed on row {}", ranks_of[stage] + 1))
                .help("an action stands on the row that computes its stage"));
        }
        let is_v = ranks > 1
            && stages == 2 * ranks
            && ranks_of.iter().enumerate().all(|(stage, &rank)| Placement::V.rank(stage, ranks) == rank);
        let is_two = match placement {
            Some(placement) => placement == Placement::Bidirectional,
            None => {
                let [first, second] = microbatches(table, ranks);
                is_v && first.is_disjoint(&second)
            }
        };
        Ok(Stages { ranks: ranks_of, second: is_two.then_some(ranks) })
    }

    /// Does a chain begin with this stage?
    pub(super) fn is_first(&self, stage: usize) -> bool {
        stage == 0 || Some(stage) == self.second
    }

    /// Does a chain end with this stage?
    pub(super) fn is_last(&self, stage: usize) -> bool {
        stage + 1 == self.ranks.len() || Some(stage + 1) == self.second
    }
}

/// Every stage that is computed: its row, and the first cell.
fn homes(table: &Table) -> Result<BTreeMap<usize, (usize, &Cell)>, TableError> {
    let mut homes: BTreeMap<usize, (usize, &Cell)> = BTreeMap::new();
    for (row, cells) in table.rows.iter().enumerate() {
        let mut last = None;
        for cell in &cells.cells {
            for unit in cell.action.units().iter().filter(|unit| unit.kind.is_compute()) {
                if last == Some(unit.stage) {
                    continue;
                }
                last = Some(unit.stage);
                let (home, first) = *homes.entry(unit.stage as usize).or_insert((row, cell));
                if home != row {
                    let message = format!(
                        "row {} computes stage {} too, in column {}",
                        home + 1,
                        unit.stage,
                        first.column
                    );
                    return Err(cell.error(table, message).help(
                        "a stage belongs to one rank; the second chain of two has stages of its own, from p on",
                    ));
                }
            }
        }
    }
    Ok(homes)
}

/// A stage that no row computes, and a cell that makes one expect it.
fn missing<'t>(
    table: &'t Table,
    homes: &BTreeMap<usize, (usize, &'t Cell)>,
    stages: usize,
) -> Option<(usize, &'t Cell)> {
    if homes.len() < stages {
        let gap = homes.keys().zip(0..).find(|&(&stage, expected)| stage != expected);
        return gap.map(|(stage, expected)| (expected, homes[stage].1));
    }
    let cells = table.rows.iter().flat_map(|row| &row.cells);
    let stray = |cell: &'t Cell| {
        let unit = cell.action.units().iter().find(|unit| unit.stage as usize >= stages);
        unit.map(|unit| (unit.stage as usize, cell))
    };
    cells.filter_map(stray).next()
}

/// An action on a stage that another row computes.
fn elsewhere<'t>(table: &'t Table, ranks: &[usize]) -> Option<(usize, &'t Cell)> {
    table.rows.iter().enumerate().find_map(|(row, cells)| {
        let is_elsewhere = |cell: &&Cell| {
            matches!(cell.action, Action::One(unit) if !unit.kind.is_compute() && ranks[unit.stage as usize] != row)
        };
        let cell = cells.cells.iter().find(is_elsewhere)?;
        Some((cell.action.units()[0].stage as usize, cell))
    })
}

/// The micro-batches that are computed on the stages before `second`, and on those from there on.
pub(super) fn microbatches(table: &Table, second: usize) -> [BTreeSet<u32>; 2] {
    let mut halves = [BTreeSet::new(), BTreeSet::new()];
    for unit in table.units().filter(|unit| unit.kind.is_compute()) {
        halves[usize::from(unit.stage as usize >= second)].insert(unit.microbatch);
    }
    halves
}

impl Cell {
    /// An error at this cell.
    pub(super) fn error(&self, table: &Table, message: impl Into<String>) -> TableError {
        let holds = |row: &super::Row| row.cells.iter().any(|cell| core::ptr::eq(cell, self));
        let row = table.rows.iter().position(holds).map_or(0, |row| row + 1);
        let len = self.action.to_string().chars().count();
        let message = format!("`{}`: {}", self.action, message.into());
        TableError { row, column: self.column, line: self.line, at: self.at, len, message, help: None }
    }
}

impl TableError {
    pub(super) fn help(self, help: impl Into<String>) -> TableError {
        TableError { help: Some(help.into()), ..self }
    }
}
