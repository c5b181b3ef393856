//! A list of nodes as plain numbers, so that repetitions are found by comparing words.

use std::collections::HashMap;

use super::node::{Affine, Comm, Label, MAX_LOOPS, Node, Op};

/// What a [`Node::Repeat`] weighs beside its body: the node, and the list and count that it needs. A fold is worth it
/// when it saves more than this.
pub(super) const LOOP_WEIGHT: usize = 2;

/// An odd number whose powers tell the indices of a node apart in its print.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The nodes of one list, each split into what must be equal in all repetitions and what may move.
///
/// Two nodes have the same *shape* when they agree in all but the bases of their indices. The *print* of a node is
/// linear in its bases, so between nodes of one shape, equal differences of bases give equal differences of prints.
/// The reverse holds but for rare accidents; who folds compares the bases.
pub(super) struct Profile {
    /// The shape of each node, by number.
    pub shapes: Vec<u32>,
    /// The print of each node.
    pub prints: Vec<u64>,
    /// What all nodes before node `i` weigh together, for each `i` and the end.
    weights: Vec<usize>,
    bases: Vec<i64>,
    /// Where the bases of each node begin, and their end.
    starts: Vec<usize>,
}

impl Profile {
    /// The profile of `nodes`. A node that holds more than `loops` loops inside each other gets a shape of its own, so
    /// that it is in no repetition.
    pub fn new(nodes: &[Node], loops: usize) -> Profile {
        let mut profile = Profile {
            shapes: Vec::with_capacity(nodes.len()),
            prints: Vec::with_capacity(nodes.len()),
            weights: vec![0],
            bases: Vec::new(),
            starts: vec![0],
        };
        let mut known = HashMap::new();
        let mut words = Vec::new();
        for (i, node) in nodes.iter().enumerate() {
            words.clear();
            let start = profile.bases.len();
            describe(node, &mut words, &mut profile.bases);
            let fresh = known.len() as u32;
            profile.shapes.push(match known.get(&words[..]) {
                _ if loops_inside(node) > loops => u32::MAX - i as u32,
                Some(&shape) => shape,
                None => *known.entry(words.clone()).or_insert(fresh),
            });
            let print = |print: u64, &base: &i64| print.wrapping_mul(SPREAD).wrapping_add(base as u64);
            profile.prints.push(profile.bases[start..].iter().fold(0, print));
            profile.weights.push(profile.weights[i] + weight(node));
            profile.starts.push(profile.bases.len());
        }
        profile
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// What the nodes `from..to` weigh.
    pub fn weight(&self, from: usize, to: usize) -> usize {
        self.weights[to] - self.weights[from]
    }

    /// The bases of the nodes `from..to`, in the order of their labels.
    pub fn bases(&self, from: usize, to: usize) -> &[i64] {
        &self.bases[self.starts[from]..self.starts[to]]
    }
}

fn loops_inside(node: &Node) -> usize {
    match node {
        Node::Op(_) => 0,
        Node::Block(body) => body.iter().map(loops_inside).max().unwrap_or(0),
        Node::Repeat { body, .. } => 1 + body.iter().map(loops_inside).max().unwrap_or(0),
    }
}

fn weight(node: &Node) -> usize {
    match node {
        Node::Op(op) => op.comms().len().max(1),
        Node::Block(body) => body.iter().map(weight).sum::<usize>(),
        Node::Repeat { body, .. } => LOOP_WEIGHT + body.iter().map(weight).sum::<usize>(),
    }
}

/// Writes the shape of `node` as words and its bases, the labels in the order of [`Op::for_each_label`].
fn describe(node: &Node, words: &mut Vec<u64>, bases: &mut Vec<i64>) {
    let (kind, len) = match node {
        Node::Op(Op::Single(_)) => (0, 0),
        Node::Op(Op::Batch(comms)) => (1, comms.len()),
        Node::Op(Op::Compute { uses, .. }) => (2, uses.len()),
        Node::Block(body) => (3, body.len()),
        Node::Repeat { body, .. } => (4, body.len()),
    };
    words.push((len as u64) << 3 | kind);
    match node {
        Node::Op(Op::Compute { name, uses, tag }) => {
            words.push(u64::from(*tag));
            describe_label(name, words, bases);
            for (role, label) in uses {
                words.push(*role as u64);
                describe_label(label, words, bases);
            }
        }
        Node::Op(op) => op.comms().iter().for_each(|comm| describe_comm(comm, words, bases)),
        Node::Block(body) => body.iter().for_each(|node| describe(node, words, bases)),
        Node::Repeat { count, body } => {
            words.push(*count);
            body.iter().for_each(|node| describe(node, words, bases));
        }
    }
}

fn describe_comm(comm: &Comm, words: &mut Vec<u64>, bases: &mut Vec<i64>) {
    let Comm { send, peer, value, payload } = comm;
    words.push(u64::from(*send) << 32 | u64::from(*peer as u32));
    words.push(payload.dtype().map_or(0, |dtype| dtype as u64 + 1));
    words.push(payload.count());
    describe_label(value, words, bases);
}

fn describe_label(label: &Label, words: &mut Vec<u64>, bases: &mut Vec<i64>) {
    let head = words.len();
    words.push((label.indices.len() as u64) << 32 | u64::from(label.family));
    for (j, Affine { base, strides }) in label.indices.iter().enumerate() {
        bases.push(*base);
        // Most indices stand in no loop yet: the head says which have strides, and only those are written.
        if *strides != [0; MAX_LOOPS] {
            words[head] |= 1 << (40 + j);
            words.extend(strides.map(|stride| stride as u64));
        }
    }
}
