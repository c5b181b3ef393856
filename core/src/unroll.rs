//! Code to tape: the second half of unrolling.

use crate::code::{CodeItem, CodeLabel, MAX_DEPTH, Op};
use crate::node::MAX_LOOPS;
use crate::tape::{Item, Role, Step, StepKind, Use};
use crate::value::Value;

/// How long the unrolled tape is.
#[derive(Clone, Copy)]
pub(crate) struct Length {
    pub steps: u64,
    pub items: u64,
    pub uses: u64,
}

/// Counts without unrolling.
pub(crate) const fn length(ops: &[Op]) -> Length {
    let mut total = Length { steps: 0, items: 0, uses: 0 };
    let mut times = [1u64; MAX_DEPTH];
    let mut depth = 0;
    let mut i = 0;
    while i < ops.len() {
        match ops[i] {
            Op::Single(_) => {
                total.steps = total.steps.saturating_add(times[depth]);
                total.items = total.items.saturating_add(times[depth]);
            }
            Op::Batch(_) => total.steps = total.steps.saturating_add(times[depth]),
            Op::Item(_) => total.items = total.items.saturating_add(times[depth]),
            Op::Compute(..) => {
                total.steps = total.steps.saturating_add(times[depth]);
                total.uses = total.uses.saturating_add(times[depth]);
            }
            Op::Use(..) => total.uses = total.uses.saturating_add(times[depth]),
            Op::Repeat(count) => {
                depth += 1;
                times[depth] = times[depth - 1].saturating_mul(count as u64);
            }
            Op::End => depth -= 1,
        }
        i += 1;
    }
    total
}

/// The arrays of a tape while it is written.
pub(crate) struct Unroller<'a> {
    pub steps: &'a mut [Step],
    pub items: &'a mut [Item],
    pub uses: &'a mut [Use],
    pub steps_len: usize,
    pub items_len: usize,
    pub uses_len: usize,
    /// Are compute steps wanted? They keep their numbers in either case.
    pub computes: bool,
}

impl Unroller<'_> {
    /// Writes the steps of one rank.
    pub(crate) const fn rank(&mut self, ops: &[Op], rank: u32) {
        let mut counters = [0u64; MAX_LOOPS];
        let mut left = [0u32; MAX_DEPTH];
        let mut body = [0usize; MAX_DEPTH];
        let (mut depth, mut number, mut i) = (0, 0, 0);
        while i < ops.len() {
            match &ops[i] {
                Op::Single(item) => {
                    let first = self.items_len as u32;
                    self.step(Step { rank, number, first, len: 1, kind: StepKind::Single });
                    self.item(item, &counters);
                    number += 1;
                }
                Op::Batch(len) => {
                    let first = self.items_len as u32;
                    self.step(Step { rank, number, first, len: *len, kind: StepKind::Batch });
                    number += 1;
                }
                Op::Item(item) => self.item(item, &counters),
                Op::Compute(name, uses) => {
                    if self.computes {
                        let first = self.uses_len as u32;
                        self.step(Step { rank, number, first, len: *uses + 1, kind: StepKind::Compute });
                        self.uses(Role::Name, name, &counters);
                    }
                    number += 1;
                }
                Op::Use(role, label) => {
                    if self.computes {
                        self.uses(*role, label, &counters);
                    }
                }
                Op::Repeat(count) => {
                    (left[depth], body[depth]) = (*count - 1, i);
                    depth += 1;
                    counters = [0, counters[0], counters[1], counters[2]];
                }
                Op::End => {
                    if left[depth - 1] > 0 {
                        left[depth - 1] -= 1;
                        counters[0] += 1;
                        i = body[depth - 1];
                    } else {
                        depth -= 1;
                        counters = [counters[1], counters[2], counters[3], 0];
                    }
                }
            }
            i += 1;
        }
    }

    const fn step(&mut self, step: Step) {
        self.steps[self.steps_len] = step;
        self.steps_len += 1;
    }

    const fn item(&mut self, item: &CodeItem, counters: &[u64; MAX_LOOPS]) {
        let CodeItem { send, peer, payload, label } = item;
        let (value, step) = (value(label, counters), self.steps_len as u32 - 1);
        self.items[self.items_len] = Item { value, payload: *payload, step, peer: *peer, send: *send };
        self.items_len += 1;
    }

    const fn uses(&mut self, role: Role, label: &CodeLabel, counters: &[u64; MAX_LOOPS]) {
        self.uses[self.uses_len] = Use { role, value: value(label, counters) };
        self.uses_len += 1;
    }
}

const fn value(label: &CodeLabel, counters: &[u64; MAX_LOOPS]) -> Value {
    let mut word = label.word;
    let mut k = 0;
    while k < label.loops {
        word = word.wrapping_add(label.strides[k].wrapping_mul(counters[k] as u128));
        k += 1;
    }
    Value(word)
}
