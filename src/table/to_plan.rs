//! Table to plan, as it stands.

use std::sync::Arc;

use counterpart_core::plan::Comm;
use counterpart_core::tape::Role;
use counterpart_core::{Plan, Source, Value};

use super::placement::{Stages, microbatches};
use super::{Action, Cell, Kind, Placement, Table, TableError, Unit, coverage};

/// Values and compute steps by number: families of a plan that is made from a table.
struct Families {
    act: u32,
    grad: u32,
    forward: u32,
    backward: u32,
    input: u32,
    weight: u32,
    unshard: u32,
    reshard: u32,
    reduce: u32,
}

impl Families {
    fn of(plan: &mut Plan) -> Families {
        Families {
            act: plan.family("Act", 2),
            grad: plan.family("Grad", 2),
            forward: plan.family("F", 2),
            backward: plan.family("B", 2),
            input: plan.family("I", 2),
            weight: plan.family("W", 2),
            unshard: plan.family("UNSHARD", 1),
            reshard: plan.family("RESHARD", 1),
            reduce: plan.family("REDUCE_GRAD", 1),
        }
    }
}

impl Table {
    /// The plan that the table says, called `name`. A table without communication becomes a plan of compute steps, to which
    /// [`comms::paired`](counterpart_core::comms::paired) adds some.
    ///
    /// With a placement, stages have to be where it says. Without one, any is taken as the rows have it, and a table counts
    /// as two chains ([`Placement::Bidirectional`]) only where that is certain: its stages lie in a V, and no micro-batch
    /// goes through both halves. Coverage of two chains with different micro-batches is for [`Table::chain_fault`] to judge.
    ///
    /// # Errors
    /// The first cell that has no meaning: a stage on two rows or on none or where the placement does not have it, a send
    /// from the last stage of a chain or to the first.
    pub fn to_plan(&self, name: &str, placement: Option<Placement>) -> Result<Plan, TableError> {
        let stages = Stages::of(self, placement)?;
        let mut plan = Plan::new(name);
        let families = Families::of(&mut plan);
        let build = Build { table: self, stages: &stages, families: &families, is_split: self.has_split() };
        build.domains(&mut plan);
        let mut uses = Vec::new();
        for row in &self.rows {
            plan.begin_rank();
            for cell in &row.cells {
                let source = plan.add_source(Source {
                    file: Arc::clone(&self.file),
                    line: cell.line,
                    column: cell.at,
                });
                match &cell.action {
                    Action::One(unit) if unit.kind.is_communication() => {
                        plan.single(build.comm(cell, *unit)?.at(source));
                    }
                    action => {
                        uses.clear();
                        build.compute(action.units(), &mut uses);
                        plan.compute(uses[0].1, &uses[1..], source);
                    }
                }
            }
        }
        Ok(plan)
    }

    /// Does it tell the gradients of inputs and weights apart?
    pub(super) fn has_split(&self) -> bool {
        self.units().any(|unit| matches!(unit.kind, Kind::InputGrad | Kind::WeightGrad))
    }
}

struct Build<'t> {
    table: &'t Table,
    stages: &'t Stages,
    families: &'t Families,
    is_split: bool,
}

impl Build<'_> {
    /// Every forward and every backward occurs once for each stage and micro-batch.
    fn domains(&self, plan: &mut Plan) {
        let stages = self.stages.ranks.len();
        let computed = self.table.units().filter(|unit| unit.kind.is_compute());
        let all = computed.map(|unit| u64::from(unit.microbatch) + 1).max().unwrap_or(0);
        // What these have to cover is no rectangle; `Table::chain_fault` judges them.
        if self.stages.second.is_some_and(|second| coverage::differ(&microbatches(self.table, second))) {
            return;
        }
        let ranges = [0..stages as u64, 0..all];
        let has = |kind: Kind| self.table.units().any(|unit| unit.kind == kind);
        for (kind, name) in [(Kind::Forward, "F"), (Kind::Backward, "B")] {
            if has(kind) && !(kind == Kind::Backward && self.is_split) {
                plan.declare(name, &ranges);
            }
        }
        if self.is_split {
            plan.declare("I", &ranges);
            plan.declare("W", &ranges);
        }
    }

    /// The names and uses of a compute step, names first.
    fn compute(&self, units: &[Unit], uses: &mut Vec<(Role, Value)>) {
        let f = self.families;
        for unit in units {
            let indices = &[u64::from(unit.stage), u64::from(unit.microbatch)][..];
            let mut name =
                |family: u32, arity: usize| uses.push((Role::Name, Value::new(family, &indices[..arity])));
            match unit.kind {
                Kind::Forward => name(f.forward, 2),
                Kind::Backward if self.is_split => {
                    name(f.input, 2);
                    name(f.weight, 2);
                }
                Kind::Backward => name(f.backward, 2),
                Kind::InputGrad => name(f.input, 2),
                Kind::WeightGrad => name(f.weight, 2),
                Kind::Unshard => name(f.unshard, 1),
                Kind::Reshard => name(f.reshard, 1),
                Kind::ReduceGrad => name(f.reduce, 1),
                // Overlapped pairs have none, and alone they are no compute steps.
                Kind::SendForward | Kind::RecvForward | Kind::SendBackward | Kind::RecvBackward => {}
            }
        }
        for unit in units {
            let (stage, m) = (unit.stage as usize, u64::from(unit.microbatch));
            let (is_first, is_last) = (self.stages.is_first(stage), self.stages.is_last(stage));
            let value = |family: u32, stage: usize| Value::new(family, &[stage as u64, m]);
            match unit.kind {
                Kind::Forward => {
                    uses.extend((!is_first).then(|| (Role::Read, value(f.act, stage))));
                    uses.extend((!is_last).then(|| (Role::Write, value(f.act, stage + 1))));
                }
                Kind::Backward | Kind::InputGrad => {
                    uses.extend((!is_last).then(|| (Role::Read, value(f.grad, stage + 1))));
                    uses.extend((!is_first).then(|| (Role::Write, value(f.grad, stage))));
                    uses.push((Role::After, value(f.forward, stage)));
                }
                Kind::WeightGrad => uses.push((Role::After, value(f.input, stage))),
                _ => {}
            }
        }
    }

    /// A send or receive.
    fn comm(&self, cell: &Cell, unit: Unit) -> Result<Comm, TableError> {
        let (stage, m) = (unit.stage as usize, u64::from(unit.microbatch));
        let goes_up = matches!(unit.kind, Kind::SendForward | Kind::RecvBackward);
        let (is_end, which) = match goes_up {
            true => (self.stages.is_last(stage), "last"),
            false => (self.stages.is_first(stage), "first"),
        };
        if is_end {
            let message =
                format!("stage {stage} is the {which} of its chain, it has no stage to exchange this with");
            return Err(cell.error(self.table, message).help("leave this action out"));
        }
        let other = if goes_up { stage + 1 } else { stage - 1 };
        let peer = self.stages.ranks[other] as i32;
        let value = |family: u32, stage: usize| Value::new(family, &[stage as u64, m]);
        Ok(match unit.kind {
            Kind::SendForward => Comm::send(value(self.families.act, stage + 1), peer),
            Kind::RecvForward => Comm::recv(value(self.families.act, stage), peer),
            Kind::SendBackward => Comm::send(value(self.families.grad, stage), peer),
            _ => Comm::recv(value(self.families.grad, stage + 1), peer),
        })
    }
}
