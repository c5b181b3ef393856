//! The program of one rank, with the buffer of every use.

use std::collections::{HashMap, HashSet};

use counterpart_core::live::LiveUse;
use counterpart_core::tape::{Role, Step, StepKind};
use counterpart_core::{Payload, Plan, Value};

use crate::drive::batch::End;
use crate::drive::pool::PoolUse;
use crate::error::Error;

/// A compute step of a plan: what it is called, and what it reads and writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputeStep {
    names: Vec<String>,
    indices: Vec<Vec<u64>>,
    reads: Vec<String>,
    writes: Vec<String>,
}

impl ComputeStep {
    /// The name with its indices, such as `forward[0,3]`; the first one where several steps overlap.
    pub fn label(&self) -> &str {
        &self.names[0]
    }

    /// The name without its indices.
    pub fn family(&self) -> &str {
        let label = self.label();
        if self.indices().is_empty() { label } else { label.split('[').next().unwrap_or(label) }
    }

    /// The indices of the name.
    pub fn indices(&self) -> &[u64] {
        &self.indices[0]
    }

    /// All names, with their indices: more than one where several steps overlap.
    pub fn labels(&self) -> impl Iterator<Item = (&str, &[u64])> {
        self.names.iter().map(String::as_str).zip(self.indices.iter().map(Vec::as_slice))
    }

    /// The labels of the values that it reads.
    pub fn reads(&self) -> &[String] {
        &self.reads
    }

    /// The labels of the values that it writes.
    pub fn writes(&self) -> &[String] {
        &self.writes
    }
}

/// A step and its buffers.
pub(super) enum Operation {
    Compute {
        step: ComputeStep,
        reads: Vec<PoolUse>,
        writes: Vec<PoolUse>,
        /// What is read and was not there before.
        provided: Vec<(PoolUse, String)>,
    },
    Communicate {
        is_batch: bool,
        ends: Vec<End>,
        uses: Vec<PoolUse>,
        /// What is sent and was not there before.
        provided: Vec<(PoolUse, String)>,
        /// What is received and not used later.
        accepted: Vec<(PoolUse, String)>,
    },
    /// A batch of nothing.
    Empty,
}

/// What one rank does.
pub(super) struct Program {
    pub operations: Vec<Operation>,
}

impl Program {
    /// The program of a rank, and the payload of each of its buffers.
    pub(super) fn of(plan: &Plan, rank: usize) -> Result<(Program, Vec<Payload>), Error> {
        let payloads = payloads(plan);
        let live = plan.live(rank);
        let mut buffers = vec![Payload::UNKNOWN; live.buffers.len()];
        for used in &live.uses {
            let payload = payloads.get(&used.value).copied().unwrap_or_default();
            if used.value == Value::ANY || !payload.is_known() {
                return Err(undeclared(plan, rank, used));
            }
            let buffer = &mut buffers[used.buffer as usize];
            if buffer.is_known() && *buffer != payload {
                return Err(unclear(plan, rank, used));
            }
            *buffer = payload;
        }
        let mut uses = live.uses.iter();
        let mut there = HashSet::new();
        let operations = plan.steps(rank).iter().map(|step| operation(plan, step, &mut uses, &mut there));
        Ok((Program { operations: operations.collect() }, buffers))
    }
}

fn operation<'u>(
    plan: &Plan,
    step: &Step,
    live: &mut impl Iterator<Item = &'u LiveUse>,
    there: &mut HashSet<Value>,
) -> Operation {
    let mut next = || live.next().map_or(PoolUse::new(0, true), |used| PoolUse::new(used.buffer, used.last));
    if step.kind != StepKind::Compute {
        let (mut ends, mut uses, mut provided, mut accepted) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for item in plan.items(step) {
            let place = next();
            ends.push((item.send, item.peer as usize));
            uses.push(place);
            if item.send && there.insert(item.value) {
                provided.push((place, plan.label(item.value)));
            }
            if !item.send && place.is_last {
                accepted.push((place, plan.label(item.value)));
            }
        }
        there.extend(plan.items(step).iter().filter(|item| !item.send).map(|item| item.value));
        return match ends.is_empty() {
            true => Operation::Empty,
            false => Operation::Communicate {
                is_batch: step.kind == StepKind::Batch,
                ends,
                uses,
                provided,
                accepted,
            },
        };
    }
    let names = plan.names();
    let mut compute =
        ComputeStep { names: Vec::new(), indices: Vec::new(), reads: Vec::new(), writes: Vec::new() };
    let (mut reads, mut writes, mut provided) = (Vec::new(), Vec::new(), Vec::new());
    for used in plan.uses(step) {
        match used.role {
            Role::Name => {
                let arity = names[used.value.family() as usize].arity;
                compute.names.push(plan.label(used.value));
                compute.indices.push((0..arity).map(|j| used.value.index(j)).collect());
            }
            Role::Read => {
                let place = next();
                if there.insert(used.value) {
                    provided.push((place, plan.label(used.value)));
                }
                compute.reads.push(plan.label(used.value));
                reads.push(place);
            }
            Role::Write => {
                compute.writes.push(plan.label(used.value));
                there.insert(used.value);
                writes.push(next());
            }
            Role::After => {}
        }
    }
    Operation::Compute { step: compute, reads, writes, provided }
}

/// Element type and count of every value, from any of its uses.
fn payloads(plan: &Plan) -> HashMap<Value, Payload> {
    let mut payloads: HashMap<Value, Payload> = HashMap::new();
    for step in (0..plan.ranks()).flat_map(|rank| plan.steps(rank)) {
        let items = plan.items(step).iter().map(|item| (item.value, item.payload));
        let values = plan.uses(step).iter().filter(|used| matches!(used.role, Role::Read | Role::Write));
        let uses = values.map(|used| (used.value, plan.family_payload(used.value.family())));
        for (value, payload) in items.chain(uses) {
            let known = payloads.entry(value).or_default();
            if !known.is_known() {
                *known = payload;
            }
        }
    }
    payloads
}

#[cold]
fn undeclared(plan: &Plan, rank: usize, used: &LiveUse) -> Error {
    let what = plan.describe(rank, used.step as usize).unwrap_or_default();
    Error::Usage(match used.value {
        Value::ANY => format!("{what}: `_` stands for any value and has no buffer; give the value a name"),
        value => format!(
            "{what}: element type and count of `{}` are not declared; declare them in `messages` of the plan file, or \
             with `Comm::with` and `Plan::set_payload`",
            plan.label(value)
        ),
    })
}

#[cold]
fn unclear(plan: &Plan, rank: usize, used: &LiveUse) -> Error {
    let what = plan.describe(rank, used.step as usize).unwrap_or_default();
    Error::Usage(format!(
        "{what}: other values that share the family of `{}` are of another element type or count, and it declares its \
         own on one end only; declare them on both ends",
        plan.label(used.value)
    ))
}
