//! Items: what a schedule consists of.

use super::{Block, Expr, Let, Place, Range, Statement, ValueRef};
use counterpart_core::comms::Rule;
use counterpart_core::{DType, Model};
use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, Visibility};

/// A parametric schedule.
pub struct Schedule {
    /// Documentation and other attributes.
    pub attrs: Vec<Attribute>,
    /// Visibility of everything that the schedule defines.
    pub visibility: Visibility,
    /// Its name.
    pub name: Ident,
    /// Its integer parameters.
    pub params: Vec<Ident>,
    /// Which of them have a value where an instance gives none, and which.
    pub defaults: Vec<Option<i64>>,
    /// The schedule of the library that it is.
    pub base: Option<Ident>,
    /// The model that it asks for; [`Model::PORTABLE`] where it says nothing.
    pub model: Option<Model>,
    /// `let`s outside of ranks, in order.
    pub lets: Vec<Let>,
    /// What sizes have to satisfy.
    pub requires: Vec<Require>,
    /// Helper functions.
    pub functions: Vec<Function>,
    /// Message families, in order.
    pub messages: Vec<Message>,
    /// Compute steps, in order.
    pub computes: Vec<Compute>,
    /// Bounds on live buffers, and on compute steps that wait for their counterpart.
    pub memory: Vec<Memory>,
    /// How long things take.
    pub costs: Vec<Cost>,
    /// Communication that is inserted, where the programs have none.
    pub comms: Option<Comms>,
    /// The order of compute steps is searched for: the place of the item that says so.
    pub search: Option<Place>,
    /// Programs of the ranks.
    pub ranks: Vec<Rank>,
    /// The sizes at which it is instantiated.
    pub instances: Vec<Instance>,
}

/// `require M % P == 0, "the micro-batches must fall into groups of P";`
#[derive(Clone, Debug)]
pub struct Require {
    /// What has to hold.
    pub condition: Expr,
    /// What is said where it does not.
    pub message: String,
}

/// `cost backward = 2;` or `cost transfer = 1;`
#[derive(Clone, Debug)]
pub struct Cost {
    /// The compute step, or `transfer`.
    pub name: Ident,
    /// How long it takes.
    pub ticks: Expr,
}

/// `comms auto;`, `comms paired on edge + item;`
#[derive(Clone, Copy, Debug)]
pub struct Comms {
    /// The only rule that is tried; all of them where there is none.
    pub rule: Option<Rule>,
    /// The model on which they are to be fast, where one is named.
    pub fast: Option<Model>,
    /// The item.
    pub place: Place,
}

/// `fn f(a, b) { … }`
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Ident,
    /// Its parameters, all of them integers.
    pub params: Vec<Ident>,
    /// Does it return a condition (`-> bool`), or else an integer?
    pub condition: bool,
    /// What it computes.
    pub body: Block,
}

/// `message Act[s, m]: [f32; 32, 64];`
pub struct Message {
    /// Documentation and other attributes.
    pub attrs: Vec<Attribute>,
    /// The name of the family.
    pub name: Ident,
    /// The names of its indices.
    pub indices: Vec<Ident>,
    /// Type of one element.
    pub dtype: DType,
    /// Its shape; empty where whoever instantiates the schedule is to say what the messages are.
    pub dims: Vec<Dim>,
}

/// One dimension of a message.
#[derive(Clone, Debug)]
pub struct Dim {
    /// Any constant expression of Rust.
    pub tokens: TokenStream,
    /// The same as an expression of the schedule language, where it is one.
    pub expr: Option<Expr>,
    /// All of it.
    pub place: Place,
}

/// `compute forward(s in 0..P, m in 0..M) { … }`
pub struct Compute {
    /// Documentation and other attributes.
    pub attrs: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// Its indices; either all of them have a range, or none.
    pub indices: Vec<Index>,
    /// The rank that it has to run on.
    pub on: Option<Expr>,
    /// What it reads, writes and comes after, in order.
    pub uses: Vec<Use>,
}

/// `s in 0..P`, or `s` alone.
#[derive(Clone, Debug)]
pub struct Index {
    /// Its name.
    pub name: Ident,
    /// What it runs over, where coverage is to be judged.
    pub range: Option<Range>,
}

/// `reads Act[s, m] if s > 0;`
#[derive(Clone, Debug)]
pub struct Use {
    /// What is done with the value.
    pub kind: UseKind,
    /// The value, or for [`UseKind::After`] the compute step.
    pub value: ValueRef,
    /// Only where this holds.
    pub condition: Option<Expr>,
}

/// What a compute step does with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseKind {
    /// `reads`
    Reads,
    /// `writes`
    Writes,
    /// `after`
    After,
}

/// `memory r <= min(M, P - r) Act;` or `memory r <= P forward until backward;`
#[derive(Clone, Debug)]
pub struct Memory {
    /// The name of the rank in the bound.
    pub rank: Ident,
    /// How many may be there at once.
    pub bound: Expr,
    /// What is counted.
    pub counted: Counted,
    /// All of it.
    pub place: Place,
}

/// What a bound counts.
#[derive(Clone, Debug)]
pub enum Counted {
    /// Live buffers of a message family.
    Message(Ident),
    /// Compute steps of the first kind that have run, while that of the second kind with the same indices has not.
    Kept {
        /// The first kind.
        from: Ident,
        /// The second.
        until: Ident,
    },
}

/// `rank r in 0..P { … }` or `rank 0 { … }`
#[derive(Clone, Debug)]
pub struct Rank {
    /// Which ranks.
    pub ranks: Ranks,
    /// From the word `rank` to the end of the ranks.
    pub place: Place,
    /// Their program.
    pub body: Vec<Statement>,
}

/// The ranks that a program is for.
#[derive(Clone, Debug)]
pub enum Ranks {
    /// `0`
    One(Expr),
    /// `r in 0..P`
    Each(Ident, Range),
}

/// `instance OneF1B<4, 8>;`
#[derive(Clone, Debug)]
pub struct Instance {
    /// The schedule named.
    pub name: Ident,
    /// Values of its parameters.
    pub sizes: Vec<i64>,
    /// From the name to the closing bracket.
    pub place: Place,
}
