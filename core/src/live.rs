//! Live ranges: how many buffers a rank needs, and which value lies in which.
//!
//! A value is live on a rank from the step that writes or receives it to its last use there. Values of one family and
//! payload share buffers. Taking the lowest free buffer at each step needs no more of them than are live at once, the optimum
//! for intervals.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::dtype::Payload;
use crate::plan::Plan;
use crate::tape::{Role, StepKind};
use crate::value::Value;

/// The buffers of one rank.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Live {
    /// Each buffer: the family that uses it, and its payload where one of its values declares one.
    pub buffers: Vec<(u32, Payload)>,
    /// Every use of a value, in program order, items and uses alike.
    pub uses: Vec<LiveUse>,
}

/// One use of a value: an item of a communication step, or a read or write of a compute step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveUse {
    /// The value.
    pub value: Value,
    /// The step of the rank.
    pub step: u32,
    /// The buffer, as a place in [`Live::buffers`].
    pub buffer: u32,
    /// Is this the last use on this rank?
    pub last: bool,
}

impl Live {
    /// How many buffers of a family are needed: its peak.
    pub fn peak(&self, family: u32) -> usize {
        self.buffers.iter().filter(|b| b.0 == family).count()
    }

    /// Every family with its peak, in order of family numbers.
    pub fn peaks(&self) -> Vec<(u32, usize)> {
        let mut peaks = BTreeMap::new();
        for (family, _) in &self.buffers {
            *peaks.entry(*family).or_insert(0) += 1;
        }
        peaks.into_iter().collect()
    }

    /// Bytes of all buffers together; those of no declared payload count as 0.
    pub fn bytes(&self) -> u64 {
        self.buffers.iter().map(|b| b.1.bytes()).sum()
    }
}

/// A bound on what a rank keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The rank.
    pub rank: usize,
    /// What is counted: buffers of this family, or with `until` compute steps of this family.
    pub family: u32,
    /// A compute step of `family` counts until that of this family with the same indices has run.
    pub until: Option<u32>,
    /// So many may be there at once.
    pub most: u64,
}

impl Plan {
    /// The limits that the plan breaks, by their place in the list, each with the peak that breaks it; rank by rank.
    ///
    /// # Panics
    /// When a limit names a rank that there is not.
    pub fn over(&self, limits: &[Limit]) -> Vec<(usize, usize)> {
        let mut by_rank: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, limit) in limits.iter().enumerate() {
            by_rank.entry(limit.rank).or_default().push(at);
        }
        let mut over = Vec::new();
        for (rank, places) in by_rank {
            let live = self.live(rank);
            let peaks = places.into_iter().map(|at| match limits[at].until {
                None => (at, live.peak(limits[at].family)),
                Some(until) => (at, self.most_kept(rank, limits[at].family, until)),
            });
            over.extend(peaks.filter(|&(at, peak)| peak as u64 > limits[at].most));
        }
        over
    }

    /// How many compute steps of family `from` rank `rank` has run at most whose counterpart, the step of family `until`
    /// with the same indices, it has not: the activations of how many micro-batches it keeps, if these are forward and
    /// backward. Of a step that is both, an overlapped pair, all parts begin before any ends.
    ///
    /// # Panics
    /// When there is no such rank.
    pub fn most_kept(&self, rank: usize, from: u32, until: u32) -> usize {
        const INDICES: u128 = (1 << 96) - 1;
        let mut kept: HashSet<u128> = HashSet::new();
        let mut most = 0;
        for step in self.steps(rank) {
            let begun = self.compute_names(step).filter(|name| name.family() == from);
            kept.extend(begun.map(|name| name.0 & INDICES));
            most = most.max(kept.len());
            for name in self.compute_names(step).filter(|name| name.family() == until) {
                kept.remove(&(name.0 & INDICES));
            }
        }
        most
    }

    /// The live ranges of one rank, and a buffer for each value.
    ///
    /// # Panics
    /// When there is no such rank.
    pub fn live(&self, rank: usize) -> Live {
        let mut uses = self.uses_of(rank);
        let mut last = HashMap::new();
        let mut payloads: HashMap<Value, Payload> = HashMap::new();
        for (at, (_, value, payload)) in uses.iter().enumerate() {
            last.insert(*value, at);
            let known = payloads.entry(*value).or_default();
            *known = if known.is_known() { *known } else { *payload };
        }
        let mut live = Live::default();
        let mut home: HashMap<Value, u32> = HashMap::new();
        let mut free: HashMap<(u32, Payload), Vec<u32>> = HashMap::new();
        let mut released: Vec<((u32, Payload), u32)> = Vec::new();
        let mut step = 0;
        for (at, (number, value, _)) in uses.drain(..).enumerate() {
            if number != step {
                // A buffer is free from the step after the last use on.
                for (kind, buffer) in released.drain(..) {
                    free.entry(kind).or_default().push(buffer);
                }
                step = number;
            }
            let kind = (value.family(), payloads[&value]);
            let buffer = *home.entry(value).or_insert_with(|| {
                free.entry(kind).or_default().pop().unwrap_or_else(|| {
                    live.buffers.push(kind);
                    live.buffers.len() as u32 - 1
                })
            });
            let is_last = last[&value] == at;
            if is_last {
                home.remove(&value);
                released.push((kind, buffer));
            }
            live.uses.push(LiveUse { value, step: number, buffer, last: is_last });
        }
        live
    }

    /// Step, value and payload of every use of a rank, in program order.
    fn uses_of(&self, rank: usize) -> Vec<(u32, Value, Payload)> {
        let mut all = Vec::new();
        for step in self.steps(rank) {
            if step.kind == StepKind::Compute {
                for used in self.uses(step) {
                    if matches!(used.role, Role::Read | Role::Write) {
                        all.push((step.number, used.value, self.family_payload(used.value.family())));
                    }
                }
            } else {
                all.extend(self.items(step).iter().map(|item| (step.number, item.value, item.payload)));
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Comm;
    use crate::tape::NONE;

    #[test]
    fn buffers_are_used_again_once_free() {
        let mut plan = Plan::new("relay");
        plan.begin_rank();
        for m in 0..3 {
            let (x, y) = (plan.value(&format!("x[{m}]")), plan.value(&format!("y[{m}]")));
            let f = plan.value(&format!("f[{m}]"));
            plan.single(Comm::recv(x, 1));
            plan.compute(f, &[(Role::Read, x), (Role::Write, y)], NONE);
            plan.single(Comm::send(y, 1));
        }
        let live = plan.live(0);
        let x = plan.family("x", 1);
        assert_eq!((live.buffers.len(), live.peak(x)), (2, 1));
        assert!(
            live.uses.iter().all(|u| u.last == (u.value.family() == x && u.step % 3 == 1 || u.step % 3 == 2))
        );
    }

    #[test]
    fn values_of_different_payloads_do_not_share() {
        let mut plan = Plan::new("two sizes");
        plan.begin_rank();
        for m in 0..4 {
            let x = plan.value(&format!("x[{m}]"));
            let payload = Payload::new(crate::dtype::DType::F32, 1 + m % 2);
            plan.single(Comm::recv(x, 1).with(payload));
            plan.single(Comm::send(x, 1).with(payload));
        }
        let live = plan.live(0);
        assert_eq!(live.buffers.len(), 2);
        for used in live.uses {
            assert_eq!(live.buffers[used.buffer as usize].1.count(), 1 + used.value.index(0) % 2);
        }
    }

    #[test]
    fn a_value_read_and_one_written_in_a_step_do_not_share() {
        let mut plan = Plan::new("chain");
        plan.begin_rank();
        let (a, b, f) = (plan.value("v[0]"), plan.value("v[1]"), plan.value("f"));
        plan.single(Comm::recv(a, 1));
        plan.compute(f, &[(Role::Read, a), (Role::Write, b)], NONE);
        assert_eq!(plan.live(0).buffers.len(), 2);
    }
}
