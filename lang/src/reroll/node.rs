//! A program with loops.

use counterpart_core::Payload;
use counterpart_core::tape::Role;

/// Loops that may stand inside each other.
pub const MAX_LOOPS: usize = 4;

/// An index that is affine in the counters of the loops around it; counters begin at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Affine {
    /// The index while all counters are 0; never negative.
    pub base: i64,
    /// What is added per step of a counter: `strides[0]` belongs to the innermost loop around the label,
    /// `strides[1]` to the next outer one. 0 where there is no such loop.
    pub strides: [i64; MAX_LOOPS],
}

/// A family and its indices: a value, or the name of a compute step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The number of the family in the plan; 0 is the label `_`.
    pub family: u32,
    /// One index per dimension of the family.
    pub indices: Vec<Affine>,
}

/// One send or receive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Comm {
    /// A send, or else a receive.
    pub send: bool,
    /// The rank at the other end.
    pub peer: i32,
    /// What travels.
    pub value: Label,
    /// Its element type and count.
    pub payload: Payload,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// One send or one receive.
    Single(Comm),
    /// Sends and receives that run together, in the order of the plan.
    Batch(Vec<Comm>),
    /// A compute step.
    Compute {
        /// What it is called.
        name: Label,
        /// Its reads, writes and `after`s, in the order of the plan; the name itself is not among them.
        uses: Vec<(Role, Label)>,
        /// The caller's number for this occurrence.
        tag: u32,
    },
}

/// A step, or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// One step.
    Op(Op),
    /// A loop; it adds a counter to the labels inside.
    Repeat {
        /// How often the body runs, at least twice.
        count: u64,
        /// What runs.
        body: Vec<Node>,
    },
    /// A list inside a list, which runs once; it adds no counter.
    Block(Vec<Node>),
}

impl Affine {
    /// The same index at every turn of every loop.
    pub const fn constant(base: i64) -> Affine {
        Affine { base, strides: [0; MAX_LOOPS] }
    }

    /// The index where the loops around it have run so often, the outermost first.
    pub fn at(&self, counters: &[u64]) -> i64 {
        let moved = counters.iter().rev().zip(self.strides).map(|(&n, stride)| n as i64 * stride);
        self.base + moved.sum::<i64>()
    }
}

impl Op {
    /// The sends and receives of a communication step; none for a compute step.
    pub fn comms(&self) -> &[Comm] {
        match self {
            Op::Single(comm) => core::slice::from_ref(comm),
            Op::Batch(comms) => comms,
            Op::Compute { .. } => &[],
        }
    }

    /// Calls `f` with every label: values in order, or a compute step's name and then its uses.
    pub fn for_each_label(&mut self, mut f: impl FnMut(&mut Label)) {
        match self {
            Op::Single(comm) => f(&mut comm.value),
            Op::Batch(comms) => comms.iter_mut().for_each(|comm| f(&mut comm.value)),
            Op::Compute { name, uses, .. } => {
                f(name);
                uses.iter_mut().for_each(|(_, label)| f(label));
            }
        }
    }
}
