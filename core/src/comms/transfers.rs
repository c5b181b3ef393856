//! What has to travel: values that are written on one rank and read on another.

use std::collections::HashMap;

use crate::plan::Plan;
use crate::tape::Role;
use crate::value::Value;

/// One transfer of a value, or a read that waits for a later write of its own rank: what never arrives.
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

/// Why there are no transfers: rank and step of what is wrong, and the value.
pub(super) enum Wrong {
    /// It is read, and nobody writes it.
    NeverWritten { read: (u32, u32), value: Value },
    /// It is written by two steps, or twice by one.
    WrittenTwice { second: (u32, u32), first: (u32, u32), value: Value },
}

/// A value and where it is written.
struct Write {
    value: Value,
    rank: u32,
    step: u32,
}

/// All writes, by number and by value.
struct Writes {
    list: Vec<Write>,
    numbers: HashMap<Value, u32>,
}

impl Transfers {
    /// # Errors
    /// A value that is written twice, or read and written nowhere.
    pub(super) fn of(plan: &Plan) -> Result<Transfers, Wrong> {
        let Writes { list: writes, numbers } = Writes::of(plan)?;
        // Value by number, reading rank, reading step.
        let mut reads: Vec<(u32, u32, u32)> = Vec::new();
        for_each_use(plan, Role::Read, |rank, step, value| match numbers.get(&value) {
            Some(&number) => {
                let write = &writes[number as usize];
                // What the rank has written itself is there.
                if write.rank != rank || write.step >= step {
                    reads.push((number, rank, step));
                }
                Ok(())
            }
            None => Err(Wrong::NeverWritten { read: (rank, step), value }),
        })?;
        reads.sort_unstable();
        let mut transfers = Transfers {
            list: Vec::new(),
            sends: vec![Vec::new(); plan.ranks()],
            waits: vec![Vec::new(); plan.ranks()],
        };
        let mut last = None;
        for (number, rank, step) in reads {
            let write = &writes[number as usize];
            if last != Some((number, rank)) {
                last = Some((number, rank));
                let (from, to) = ((write.rank, write.step), (rank, step));
                transfers.list.push(Transfer { value: write.value, from, to });
                if write.rank != rank {
                    transfers.sends[write.rank as usize].push((write.step, transfers.list.len() as u32 - 1));
                }
            }
            transfers.waits[rank as usize].push((step, transfers.list.len() as u32 - 1));
        }
        transfers.waits.iter_mut().for_each(|waits| waits.sort_unstable());
        Ok(transfers)
    }
}

impl Writes {
    fn of(plan: &Plan) -> Result<Writes, Wrong> {
        let mut list: Vec<Write> = Vec::with_capacity(plan.len());
        let mut numbers: HashMap<Value, u32> = HashMap::with_capacity(plan.len());
        for_each_use(plan, Role::Write, |rank, step, value| {
            let number = *numbers.entry(value).or_insert(list.len() as u32);
            if let Some(before) = list.get(number as usize) {
                let (second, first) = ((rank, step), (before.rank, before.step));
                return Err(Wrong::WrittenTwice { second, first, value });
            }
            list.push(Write { value, rank, step });
            Ok(())
        })?;
        Ok(Writes { list, numbers })
    }
}

/// Calls `f` with rank, step and value of every use in this role, the label `_` excepted.
fn for_each_use(
    plan: &Plan,
    role: Role,
    mut f: impl FnMut(u32, u32, Value) -> Result<(), Wrong>,
) -> Result<(), Wrong> {
    for rank in 0..plan.ranks() {
        for step in plan.steps(rank) {
            for used in plan.uses(step).iter().filter(|used| used.role == role && used.value != Value::ANY) {
                f(rank as u32, step.number, used.value)?;
            }
        }
    }
    Ok(())
}
