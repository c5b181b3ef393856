//! The flat program of a rank: from a plan, and back from a program with loops.

use counterpart_core::tape::{Item, Step, StepKind};
use counterpart_core::value::Name;
use counterpart_core::{Plan, Value};

use super::node::{Affine, Comm, Label, Node, Op};

/// The steps of a rank, one by one: every index is a constant. `tag` is as in [`reroll`](super::reroll).
///
/// # Panics
/// When the plan has no such rank.
pub fn flat(plan: &Plan, rank: usize, tag: impl Fn(usize) -> u32) -> Vec<Op> {
    let names = plan.names();
    plan.steps(rank).iter().map(|step| lift(plan, &names, step, &tag)).collect()
}

fn lift(plan: &Plan, names: &[Name<'_>], step: &Step, tag: impl Fn(usize) -> u32) -> Op {
    let comm = |item: &Item| {
        let Item { value, payload, peer, send, .. } = *item;
        Comm { send, peer, value: label(names, value), payload }
    };
    match step.kind {
        StepKind::Single => Op::Single(comm(&plan.items(step)[0])),
        StepKind::Batch => Op::Batch(plan.items(step).iter().map(comm).collect()),
        StepKind::Compute => {
            let uses = plan.uses(step);
            Op::Compute {
                name: label(names, uses[0].value),
                uses: uses[1..].iter().map(|u| (u.role, label(names, u.value))).collect(),
                tag: tag(step.number as usize),
            }
        }
    }
}

fn label(names: &[Name<'_>], value: Value) -> Label {
    let arity = names[value.family() as usize].arity;
    let indices = (0..arity).map(|j| Affine::constant(value.index(j) as i64)).collect();
    Label { family: value.family(), indices }
}

/// The steps that a program takes, one by one: loops are run, blocks opened, and every index is a constant.
pub fn unroll(nodes: &[Node]) -> Vec<Op> {
    let mut ops = Vec::new();
    run(nodes, &mut Vec::new(), &mut ops);
    ops
}

fn run(nodes: &[Node], counters: &mut Vec<u64>, ops: &mut Vec<Op>) {
    for node in nodes {
        match node {
            Node::Op(op) => {
                let mut op = op.clone();
                op.for_each_label(|label| {
                    label.indices.iter_mut().for_each(|index| *index = Affine::constant(index.at(counters)));
                });
                ops.push(op);
            }
            Node::Block(body) => run(body, counters, ops),
            Node::Repeat { count, body } => {
                for turn in 0..*count {
                    counters.push(turn);
                    run(body, counters, ops);
                    counters.pop();
                }
            }
        }
    }
}
