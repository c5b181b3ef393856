//! What has to travel: values that are written on one rank and read on another.

use std::collections::HashMap;

use crate::plan::Plan;
use crate::tape::Role;
use crate::value::Value;

/// One transfer of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transfer {
    pub value: Value,
    /// Who writes it: rank and step.
    pub from: (u32, u32),
    /// Who reads it, and the first step there that does.
    pub to: (u32, u32),
}

/// All transfers of a plan.
pub(super) struct Transfers {
    /// In the order of their writes, rank by rank and step by step, and for one write by reading rank.
    pub list: Vec<Transfer>,
    /// For each rank the transfers that its steps start: step, and place in the list; ascending.
    pub sends: Vec<Vec<(u32, u32)>>,
    /// For each rank the transfers that its steps wait for: step, and place in the list; by step.
    pub waits: Vec<Vec<(u32, u32)>>,
}

impl Transfers {
    pub(super) fn of(plan: &Plan) -> Transfers {
        let mut number: HashMap<Value, u32> = HashMap::new();
        let mut writers: Vec<(Value, (u32, u32))> = Vec::new();
        for_each_use(plan, Role::Write, |rank, step, value| {
            // A second writer is a fault that the verifier finds; the first one sends.
            number.entry(value).or_insert_with(|| {
                writers.push((value, (rank, step)));
                writers.len() as u32 - 1
            });
        });
        // Value by number, reading rank, reading step.
        let mut reads: Vec<(u32, u32, u32)> = Vec::new();
        for_each_use(plan, Role::Read, |rank, step, value| {
            if let Some(&number) = number.get(&value).filter(|&&n| writers[n as usize].1.0 != rank) {
                reads.push((number, rank, step));
            }
        });
        reads.sort_unstable();
        let mut transfers = Transfers {
            list: Vec::new(),
            sends: vec![Vec::new(); plan.ranks()],
            waits: vec![Vec::new(); plan.ranks()],
        };
        let mut last = None;
        for (number, rank, step) in reads {
            let (value, from) = writers[number as usize];
            if last != Some((number, rank)) {
                last = Some((number, rank));
                transfers.list.push(Transfer { value, from, to: (rank, step) });
                transfers.sends[from.0 as usize].push((from.1, transfers.list.len() as u32 - 1));
            }
            transfers.waits[rank as usize].push((step, transfers.list.len() as u32 - 1));
        }
        transfers.waits.iter_mut().for_each(|waits| waits.sort_unstable());
        transfers
    }
}

/// Calls `f` with rank, step and value of every use in this role, the label `_` excepted.
fn for_each_use(plan: &Plan, role: Role, mut f: impl FnMut(u32, u32, Value)) {
    for rank in 0..plan.ranks() {
        for step in plan.steps(rank) {
            for used in plan.uses(step).iter().filter(|used| used.role == role && used.value != Value::ANY) {
                f(rank as u32, step.number, used.value);
            }
        }
    }
}
