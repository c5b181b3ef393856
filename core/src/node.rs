//! Session types, reflected: linked lists of `&'static` nodes that const evaluation can walk.
//!
//! The library's session types turn into these, one associated const per type. `unroll` makes a tape of them.

use crate::dtype::Payload;
use crate::tape::{Domain, Role};

/// Loops that may enclose a step.
pub const MAX_LOOPS: usize = 4;

/// An index that is affine in the counters of the enclosing loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affine {
    /// Its value while all counters are 0.
    pub base: i64,
    /// What one turn of each enclosing loop adds, the innermost loop first.
    pub strides: [i64; MAX_LOOPS],
}

/// A value or a compute step: its name and its indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The name without indices.
    pub name: &'static str,
    /// The indices.
    pub indices: &'static [Affine],
}

/// One send or receive.
#[derive(Clone, Copy, Debug)]
pub struct Comm {
    /// A send, or else a receive.
    pub send: bool,
    /// The rank at the other end.
    pub peer: u32,
    /// What travels.
    pub label: Label,
    /// Its element type and count.
    pub payload: Payload,
}

/// The items of a batch.
#[derive(Debug)]
pub enum Comms {
    /// No more.
    Nil,
    /// One more, and the rest.
    Cons(Comm, &'static Comms),
}

/// The uses of a compute step.
#[derive(Debug)]
pub enum Uses {
    /// No more.
    Nil,
    /// A declared use that this step does not have, and the rest.
    Absent(&'static Uses),
    /// One more with its element type and count, and the rest.
    Cons(Role, Label, Payload, &'static Uses),
}

/// A program from one step on.
#[derive(Debug)]
pub enum Node {
    /// Nothing more.
    End,
    /// One send or receive.
    Single(Comm, &'static Node),
    /// Sends and receives that run together.
    Batch(&'static Comms, &'static Node),
    /// A compute step.
    Compute(Label, &'static Uses, &'static Node),
    /// The body, so many times.
    Repeat(u32, &'static Node, &'static Node),
    /// The body once: it only keeps lists short.
    Block(&'static Node, &'static Node),
}

/// The programs of all ranks.
#[derive(Debug)]
pub enum Ranks {
    /// No more.
    Nil,
    /// One more, with the number that its type gives it, and the rest.
    Cons(u32, &'static Node, &'static Ranks),
    /// Some more, and the rest: it only keeps lists short.
    Group(&'static Ranks, &'static Ranks),
}

/// The declared domains of compute steps.
#[derive(Debug)]
pub enum Domains {
    /// No more.
    Nil,
    /// One more, and the rest. The family number in the domain is not looked at.
    Cons(&'static str, Domain, &'static Domains),
}
