//! Plan to table.

use std::collections::HashMap;

use counterpart_core::tape::{Item, Step, StepKind};
use counterpart_core::value::Name;
use counterpart_core::{Plan, Value};

use super::action::overlap;
use super::{Action, Cell, Kind, Placement, Row, Table, Unit, words};

/// Why a plan is no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NoTable {
    /// The rank of the step that a table cannot say.
    pub rank: usize,
    /// The step.
    pub step: usize,
    /// What a table cannot say.
    pub message: String,
}

impl Table {
    /// The table that a plan is: the inverse of [`Table::to_plan`]. Payloads and domains are not part of a table, and a step
    /// that is `I` and `W` of the same stage and micro-batch is a `B` there. The words of the library of schedules (`forward`,
    /// `backward`, `backward_input` and `backward_weight`) are understood, too; of two chains in these words the second gets
    /// the stages and micro-batches that follow those of the first.
    ///
    /// # Errors
    /// The first step that no cell says: one of another name, with other uses or another peer than the stages have, or a
    /// batch.
    pub fn from_plan(plan: &Plan) -> Result<Table, NoTable> {
        let translated = words::translate(plan);
        let said = plan;
        let plan = translated.as_ref().unwrap_or(plan);
        let names = plan.names();
        let writer = Writer { plan, said, names: &names };
        let mut table = Table { file: plan.name.as_str().into(), rows: Vec::new() };
        for rank in 0..plan.ranks() {
            let mut row = Row::default();
            for step in plan.steps(rank) {
                let action = writer.action(step).map_err(|reason| writer.no_table(rank, step, &reason))?;
                row.cells.push(Cell { action, column: row.cells.len() + 1, line: 0, at: 0 });
            }
            table.rows.push(row);
        }
        writer.compare(&table)?;
        Ok(table)
    }
}

struct Writer<'p> {
    plan: &'p Plan,
    /// The same before its words were translated, for messages.
    said: &'p Plan,
    names: &'p [Name<'p>],
}

impl Writer<'_> {
    fn no_table(&self, rank: usize, step: &Step, reason: &str) -> NoTable {
        let step = step.number as usize;
        let what = self.said.describe(rank, step).unwrap_or_default();
        NoTable { rank, step, message: format!("{what}: {reason}") }
    }

    fn action(&self, step: &Step) -> Result<Action, String> {
        match step.kind {
            StepKind::Batch => Err("a table has no batches".to_owned()),
            StepKind::Single => self.comm(&self.plan.items(step)[0]).map(Action::One),
            StepKind::Compute => self.compute(step),
        }
    }

    fn unit(&self, value: Value, kinds: &[Kind]) -> Result<Unit, String> {
        let name = self.names[value.family() as usize];
        let arity = |kind: Kind| 1 + usize::from(kind.has_microbatch());
        let kind = kinds.iter().find(|kind| kind.name() == name.text && arity(**kind) == name.arity);
        let Some(&kind) = kind else {
            let label = self.plan.label(value);
            return Err(format!(
                "`{label}` is none of F[s,m], B[s,m], I[s,m], W[s,m], UNSHARD[s], RESHARD[s], REDUCE_GRAD[s]"
            ));
        };
        let microbatch = if kind.has_microbatch() { value.index(1) as u32 } else { 0 };
        Ok(Unit { kind, stage: value.index(0) as u32, microbatch })
    }

    fn compute(&self, step: &Step) -> Result<Action, String> {
        let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| !kind.is_communication()).collect();
        let mut units: Vec<Unit> = Vec::new();
        for name in self.plan.compute_names(step) {
            let unit = self.unit(name, &kinds)?;
            let is_rest = unit.kind == Kind::WeightGrad;
            match units.last_mut() {
                // Both gradients of a unit, together.
                Some(last)
                    if is_rest
                        && last.kind == Kind::InputGrad
                        && (last.stage, last.microbatch) == (unit.stage, unit.microbatch) =>
                {
                    last.kind = Kind::Backward;
                }
                _ => units.push(unit),
            }
        }
        match units[..] {
            [unit] => Ok(Action::One(unit)),
            _ if overlap(&units) => Ok(Action::Overlap(units)),
            _ => Err("in a table only forwards and backwards overlap".to_owned()),
        }
    }

    fn comm(&self, item: &Item) -> Result<Unit, String> {
        let name = self.names[item.value.family() as usize];
        let (stage, m) = (item.value.index(0) as u32, item.value.index(1) as u32);
        let (kind, stage) = match (name.text, name.arity, item.send) {
            ("Act", 2, true) if stage > 0 => (Kind::SendForward, stage - 1),
            ("Act", 2, false) => (Kind::RecvForward, stage),
            ("Grad", 2, true) => (Kind::SendBackward, stage),
            ("Grad", 2, false) if stage > 0 => (Kind::RecvBackward, stage - 1),
            _ => return Err("in a table only Act[s,m] and Grad[s,m] travel, s being a stage".to_owned()),
        };
        Ok(Unit { kind, stage, microbatch: m })
    }

    /// Read back, the table has to be the plan: uses and peers follow from the stages.
    fn compare(&self, table: &Table) -> Result<(), NoTable> {
        let mut nearest: Option<NoTable> = None;
        for placement in [None, Some(Placement::Bidirectional)] {
            let difference = match table.to_plan(&self.plan.name, placement) {
                Ok(back) => self.difference(&back),
                Err(error) => {
                    let (rank, step) = (error.row.saturating_sub(1), error.column.saturating_sub(1));
                    let message = format!("rank {rank}, step {step}: {}", error.message);
                    Some(NoTable { rank, step, message })
                }
            };
            match difference {
                None => return Ok(()),
                Some(difference) => nearest = nearest.or(Some(difference)),
            }
        }
        nearest.map_or(Ok(()), Err)
    }

    /// The first step that is another in `back`, by labels and peers; payloads do not count.
    fn difference(&self, back: &Plan) -> Option<NoTable> {
        let (ours, theirs) = (self.plan.domain_words(), back.domain_words());
        if !ours.is_empty() && ours != theirs {
            let said = if theirs.is_empty() { "nothing".to_owned() } else { theirs.join(", ") };
            let message =
                format!("the plan declares that {} occur once, a table says {said}", ours.join(", "));
            return Some(NoTable { rank: 0, step: 0, message });
        }
        let mut labels = Labels { ours: self.plan, theirs: back, known: HashMap::new() };
        for rank in 0..self.plan.ranks() {
            for (ours, theirs) in self.plan.steps(rank).iter().zip(back.steps(rank)) {
                let (a, b) = (self.plan.items(ours), back.items(theirs));
                let same_items =
                    a.iter().zip(b).all(|(a, b)| a.peer == b.peer && labels.are_equal(a.value, b.value));
                if !same_items {
                    let other = back.describe(rank, theirs.number as usize).unwrap_or_default();
                    let reason = format!("by the stages of its rank a table says {other}");
                    return Some(self.no_table(rank, ours, &reason));
                }
                let sorted = |plan: &Plan, step: &Step| {
                    let mut uses: Vec<(u8, String)> = plan
                        .uses(step)
                        .iter()
                        .map(|used| (used.role as u8, plan.label(used.value)))
                        .collect();
                    uses.sort_unstable();
                    uses
                };
                let (a, b) = (self.plan.uses(ours), back.uses(theirs));
                let same = a.len() == b.len()
                    && a.iter().zip(b).all(|(a, b)| a.role == b.role && labels.are_equal(a.value, b.value));
                // In another order they are still the same uses.
                if !same && sorted(self.plan, ours) != sorted(back, theirs) {
                    let reason = "a table that has this step gives it another name, or other reads, writes and `after`s";
                    return Some(self.no_table(rank, ours, reason));
                }
            }
        }
        None
    }
}

/// Compares values of two plans by their labels; families are compared once.
struct Labels<'p> {
    ours: &'p Plan,
    theirs: &'p Plan,
    known: HashMap<(u32, u32), bool>,
}

impl Labels<'_> {
    fn are_equal(&mut self, a: Value, b: Value) -> bool {
        const INDICES: u128 = (1 << 96) - 1;
        let same = *self.known.entry((a.family(), b.family())).or_insert_with(|| {
            let (ours, theirs) = (self.ours.names(), self.theirs.names());
            ours[a.family() as usize] == theirs[b.family() as usize]
        });
        same && a.0 & INDICES == b.0 & INDICES
    }
}
