//! Tables of `torch.distributed.pipelining`: CSV, read and written.
//!
//! A row is a rank, a column a time step, an empty cell an idle one. A cell is an action on a stage and, mostly, a
//! micro-batch: `3F5` is the forward of micro-batch 5 through stage 3. PyTorch loads and dumps two formats: `compute_only`,
//! to which it adds communication itself, and `compute_comms`, which it runs as it stands.
//!
//! | cell | what it is | as a step of a plan |
//! |---|---|---|
//! | `3F5` | forward | compute step `F[3,5]`, reads `Act[3,5]`, writes `Act[4,5]` |
//! | `3B5` | whole backward | `B[3,5]`, reads `Grad[4,5]`, writes `Grad[3,5]`, after `F[3,5]` |
//! | `3I5` | gradient of the input | `I[3,5]`, the same |
//! | `3W5` | gradient of the weights | `W[3,5]`, after `I[3,5]` |
//! | `3SEND_F5` `3RECV_F5` | activations leave stage 3, or enter it | `send Act[4,5]`, `recv Act[3,5]` |
//! | `3SEND_B5` `3RECV_B5` | gradients leave stage 3, or enter it | `send Grad[3,5]`, `recv Grad[4,5]` |
//! | `3UNSHARD` `3RESHARD` `3REDUCE_GRAD` | parameters are gathered, freed, gradients reduced | compute step `UNSHARD[3]` … |
//! | `(0F1;7B3)OVERLAP_F_B` | forwards and backwards at once | one compute step with all their names |
//!
//! `Act[s,m]` enters stage `s`, `Grad[s,m]` leaves it. The first stage of a chain reads no `Act` and writes no `Grad`, the
//! last one writes no `Act` and reads no `Grad`. Every forward and every backward has to occur exactly once for each stage
//! and micro-batch; in a table with `I` or `W`, a `B` is both of them, `I[3,5]` and `W[3,5]`, in one step.
//!
//! ```
//! use counterpart::core::{Model, comms};
//! use counterpart::table::{Notation, Table};
//!
//! let table = Table::parse("two.csv", "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n", Notation::Current)?;
//! let order = table.to_plan("two stages", None)?;
//! let plan = comms::paired(&order)?;
//! assert_eq!(plan.describe(0, 1).unwrap(), "rank 0, step 1: `send Act[1,0] to 1`");
//! assert!(plan.verify(Model::PORTABLE).is_safe());
//! assert!(Table::from_plan(&plan)?.to_csv().starts_with("0F0,0SEND_F0,0F1,"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod coverage;
mod error;
mod from_plan;
mod placement;
mod read;
mod to_plan;
mod words;
mod write;

use std::sync::Arc;

pub use action::{Action, Kind, Notation, Unit};
pub use error::TableError;
pub use from_plan::NoTable;
pub use placement::Placement;
pub use read::ReadError;

/// The actions of all ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The file that it was read from, for messages and places.
    pub file: Arc<str>,
    /// A row for each rank.
    pub rows: Vec<Row>,
}

/// The actions of one rank, in order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Row {
    /// What it does, and when.
    pub cells: Vec<Cell>,
}

/// An action and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What is done.
    pub action: Action,
    /// The column of the table, from 1: the time step.
    pub column: usize,
    /// Line of the file, from 1; 0 in a table that was not read.
    pub line: usize,
    /// Column in characters of that line, from 1; 0 in a table that was not read.
    pub at: usize,
}

impl Table {
    /// All actions, row by row, those that overlap one by one.
    fn units(&self) -> impl Iterator<Item = &Unit> {
        self.rows.iter().flat_map(|row| &row.cells).flat_map(|cell| cell.action.units())
    }

    /// Has the table communication (`compute_comms`), or is it a compute order alone (`compute_only`)?
    pub fn has_communication(&self) -> bool {
        self.units().any(|unit| unit.kind.is_communication())
    }

    /// The number of actions.
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.cells.len()).sum()
    }

    /// Has the table no action at all?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
