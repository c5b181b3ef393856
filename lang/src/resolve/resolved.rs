//! A schedule whose names are looked up: families, variables and functions are numbers, expressions are code.

use super::code::{Code, Snippet};
use crate::syntax::{Place, UseKind};
use counterpart_core::comms::Rule;
use counterpart_core::{DType, Model};

/// A parametric schedule, ready to be evaluated at any size.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub place: Place,
    /// How many parameters it has: the first global variables.
    pub params: usize,
    /// The values of those that an instance may leave out.
    pub(crate) defaults: Vec<Option<i64>>,
    /// The model that it asks for.
    pub model: Model,
    pub(crate) code: Code,
    /// Values of the global variables that follow the parameters.
    pub(crate) constants: Vec<Snippet>,
    pub(crate) constant_names: Vec<String>,
    /// Local variables that an expression outside of programs needs at most.
    pub(crate) constant_slots: usize,
    pub(crate) messages: Vec<Message>,
    pub(crate) computes: Vec<Compute>,
    pub(crate) requires: Vec<Require>,
    pub(crate) memory: Vec<Memory>,
    pub(crate) costs: Vec<Cost>,
    pub(crate) comms: Option<Comms>,
    /// The source number of `order search;`, where the order is searched for.
    pub(crate) search: Option<u32>,
    pub(crate) ranks: Vec<Rank>,
    /// The sizes at which it is instantiated, each with its place.
    pub instances: Vec<(Vec<i64>, Place)>,
    /// Where each send, receive, batch and call of a compute step stands, by source number.
    pub places: Vec<Place>,
}

impl Resolved {
    /// What the instance of these sizes is called: `OneF1B<4, 8>`, without the last ones where they are defaults.
    pub fn instance_name(&self, sizes: &[i64]) -> String {
        let said = sizes.iter().zip(&self.defaults).rposition(|(size, default)| Some(*size) != *default);
        let Some(last) = said else { return self.name.clone() };
        let sizes: Vec<String> = sizes[..=last].iter().map(i64::to_string).collect();
        format!("{}<{}>", self.name, sizes.join(", "))
    }

    /// The name of a global variable that is no parameter.
    pub(crate) fn constant_name(&self, number: u32) -> &str {
        &self.constant_names[number as usize - self.params]
    }
}

/// A message family. Its number in a plan is one more than its place in the list.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub name: String,
    pub indices: Vec<String>,
    pub dtype: DType,
    /// Each dimension, where it can be evaluated here.
    pub dims: Vec<(Option<Snippet>, Place)>,
}

/// A compute step. Its arguments are the first local variables of its conditions and indices.
#[derive(Clone, Debug)]
pub(crate) struct Compute {
    pub name: String,
    /// Where its name stands.
    pub place: Place,
    pub indices: Vec<String>,
    pub domain: Option<Vec<Range>>,
    /// The rank that it has to run on.
    pub on: Option<Snippet>,
    pub uses: Vec<Use>,
    pub slots: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub kind: UseKind,
    pub value: ValueRef,
    pub condition: Option<Snippet>,
}

/// What the sizes have to satisfy.
#[derive(Clone, Debug)]
pub(crate) struct Require {
    pub condition: Snippet,
    pub message: String,
    pub place: Place,
}

/// How long a compute step takes, or a transfer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// The list number of the compute step.
    pub compute: Option<u32>,
    pub ticks: Snippet,
    pub place: Place,
}

/// How communication is inserted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comms {
    pub rule: Option<Rule>,
    pub fast: Option<Model>,
}

/// A bound; the rank is the first local variable.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub counted: Counted,
    pub bound: Snippet,
    pub place: Place,
    pub slots: usize,
}

/// What a bound counts: buffers of a message, or compute steps until others have run. List numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Counted {
    Message(u32),
    Kept { from: u32, until: u32 },
}

/// The program of some ranks; where the rank has a name, it is the first local variable.
#[derive(Clone, Debug)]
pub(crate) struct Rank {
    pub ranks: Ranks,
    pub place: Place,
    pub body: Vec<Statement>,
    pub slots: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Ranks {
    One(Snippet),
    Each(Range),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub from: Snippet,
    pub to: Snippet,
    pub inclusive: bool,
    pub reverse: bool,
    pub place: Place,
}

/// A value: the list number of its family, messages first and compute steps after them, and its indices.
#[derive(Clone, Debug)]
pub(crate) struct ValueRef {
    pub family: u32,
    pub indices: Vec<Snippet>,
}

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Set { slot: u32, value: Snippet },
    For { slot: u32, range: Range, body: Vec<Statement> },
    While { condition: Snippet, body: Vec<Statement> },
    If { arms: Vec<(Snippet, Vec<Statement>)>, otherwise: Vec<Statement> },
    Comm { send: bool, value: ValueRef, peer: Snippet, condition: Option<Snippet>, source: u32 },
    Batch { body: Vec<Statement>, source: u32 },
    Compute(Call),
    Overlap { parts: Vec<Call>, source: u32 },
    Defer(Call),
    Resume { compute: u32, all: bool, condition: Option<Snippet>, source: u32 },
}

/// A compute step with its indices.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub compute: u32,
    pub args: Vec<Snippet>,
    pub condition: Option<Snippet>,
    pub source: u32,
}
