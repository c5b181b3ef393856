//! Coverage of two chains whose micro-batches differ, which the domains of a plan cannot say: these are rectangular.

use std::collections::{BTreeSet, HashMap};

use counterpart_core::{Fault, FaultKind};

use super::placement::{Stages, microbatches};
use super::{Kind, Placement, Table, TableError};

impl Table {
    /// The coverage fault of a table of two chains that go through different micro-batches: in each chain every micro-batch
    /// that occurs has to have its forward and its backward on every stage, once. Of every other table the domains of
    /// [`Table::to_plan`] say the same, and this finds nothing. Rank and step are those of that plan.
    ///
    /// # Errors
    /// As [`Table::to_plan`], for its stages.
    pub fn chain_fault(&self, placement: Option<Placement>) -> Result<Option<Fault>, TableError> {
        let stages = Stages::of(self, placement)?;
        let Some(second) = stages.second else { return Ok(None) };
        let microbatches = microbatches(self, second);
        if !differ(&microbatches) {
            return Ok(None);
        }
        // How often each part occurs, and where first.
        let mut found: HashMap<(&str, u32, u32), (usize, usize)> = HashMap::new();
        let is_split = self.has_split();
        for (rank, row) in self.rows.iter().enumerate() {
            for (step, cell) in row.cells.iter().enumerate() {
                for unit in cell.action.units().iter().filter(|unit| unit.kind.is_compute()) {
                    for &part in parts(unit.kind, is_split) {
                        if let Some(before) = found.insert((part, unit.stage, unit.microbatch), (rank, step))
                        {
                            let what = format!("{part}[{},{}]", unit.stage, unit.microbatch);
                            return Ok(Some(twice(&what, (rank, step), before)));
                        }
                    }
                }
            }
        }
        let wanted: BTreeSet<&str> = found.keys().map(|&(part, ..)| part).collect();
        for stage in 0..stages.ranks.len() {
            for &m in &microbatches[usize::from(stage >= second)] {
                for &part in &wanted {
                    if !found.contains_key(&(part, stage as u32, m)) {
                        return Ok(Some(missing(&format!("{part}[{stage},{m}]"))));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// Do the two chains go through different micro-batches, so that what they cover is no rectangle?
pub(super) fn differ([first, second]: &[BTreeSet<u32>; 2]) -> bool {
    first.is_disjoint(second) || first.last() != second.last()
}

/// What a kind of action computes.
fn parts(kind: Kind, is_split: bool) -> &'static [&'static str] {
    match kind {
        Kind::Forward => &["F"],
        Kind::Backward if is_split => &["I", "W"],
        Kind::Backward => &["B"],
        Kind::InputGrad => &["I"],
        Kind::WeightGrad => &["W"],
        _ => &[],
    }
}

fn missing(what: &str) -> Fault {
    let message = format!("compute step `{what}` is part of its chain, but no rank runs it");
    let help = "run it on the rank of its stage, or leave its micro-batch out of the whole chain";
    Fault { help: Some(help.to_owned()), ..Fault::new(FaultKind::Coverage, message) }
}

fn twice(what: &str, (rank, step): (usize, usize), before: (usize, usize)) -> Fault {
    let message = format!(
        "rank {rank}, step {step}: `{what}` runs a second time, rank {}, step {} ran it already",
        before.0, before.1
    );
    Fault {
        rank: Some(rank),
        step: Some(step),
        peer_rank: Some(before.0),
        peer_step: Some(before.1),
        help: Some("leave one of them out".to_owned()),
        ..Fault::new(FaultKind::Coverage, message)
    }
}
