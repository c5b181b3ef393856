//! The flat form that the verifier reads: steps, items and uses in plain arrays, rank after rank.
//!
//! A [`Plan`](crate::Plan) stores itself this way, and session types are unrolled into it in const evaluation.

use crate::dtype::Payload;
use crate::value::{Name, Value};

/// "No such step", "no such item".
pub const NONE: u32 = u32::MAX;

/// What kind of step a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// One send or one receive.
    Single,
    /// Sends and receives that run together.
    Batch,
    /// A compute step; its [`Use`]s say what it reads and writes.
    Compute,
}

/// One step of one rank.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The rank that takes the step.
    pub rank: u32,
    /// Its place in the program of the rank, from 0.
    pub number: u32,
    /// The first of its items (of its uses, for a compute step).
    pub first: u32,
    /// How many items (uses) it has.
    pub len: u32,
    /// What it is.
    pub kind: StepKind,
}

/// One send or receive.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// What is sent or received.
    pub value: Value,
    /// Its element type and count.
    pub payload: Payload,
    /// The step that it belongs to, by its place in the tape.
    pub step: u32,
    /// The rank at the other end, as written: it may lie outside `0..P`.
    pub peer: i32,
    /// A send, or else a receive.
    pub send: bool,
}

/// What a compute step does with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The name of the compute step itself; the first use of every compute step. Further names say what runs overlapped
    /// with it, as one step.
    Name,
    /// It reads the value.
    Read,
    /// It writes the value.
    Write,
    /// It runs after the compute step of this name.
    After,
}

/// One use of a value by a compute step.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// What is done with it.
    pub role: Role,
    /// The value, or for [`Role::Name`] and [`Role::After`] a compute step.
    pub value: Value,
}

/// A compute step declared over a domain: every element of it must occur exactly once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The family number of the compute step.
    pub family: u32,
    /// How many indices it has.
    pub arity: u32,
    /// The first index of each dimension.
    pub from: [u64; crate::value::MAX_ARITY],
    /// The end of each dimension, exclusive.
    pub to: [u64; crate::value::MAX_ARITY],
}

/// A schedule in flat form.
#[derive(Clone, Copy, Debug)]
pub struct Tape<'a> {
    /// Where the steps of each rank begin, and at the end their number: `P + 1` entries.
    pub starts: &'a [u32],
    /// All steps.
    pub steps: &'a [Step],
    /// All items.
    pub items: &'a [Item],
    /// All uses.
    pub uses: &'a [Use],
    /// The declared domains.
    pub domains: &'a [Domain],
    /// Family names, by number.
    pub names: &'a [Name<'a>],
}

impl Tape<'_> {
    /// The number of ranks.
    pub const fn ranks(&self) -> u32 {
        self.starts.len() as u32 - 1
    }
}
