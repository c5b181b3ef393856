//! Statements of a rank's program.

use super::{Expr, Let, Place, Range};
use proc_macro2::Ident;

/// One statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `let x = e;`
    Let(Let),
    /// `x = e;` or `x += e;`
    Assign(Assign),
    /// `for i in a..b { … }`
    For(For),
    /// `while c { … }`
    While(Arm),
    /// `if c { … } else if d { … } else { … }`
    If {
        /// Each condition with what follows it.
        arms: Vec<Arm>,
        /// The last `else`, empty when there is none.
        otherwise: Vec<Statement>,
    },
    /// `send v to q;` or `recv v from q;`
    Comm(Comm),
    /// `batch { … }`
    Batch {
        /// Sends and receives, and what decides about them.
        body: Vec<Statement>,
        /// The word `batch`.
        place: Place,
    },
    /// `forward(r, m);`
    Compute(Call),
    /// `overlap { forward(r, m); backward(r, k); }`
    Overlap {
        /// The compute steps that run as one.
        parts: Vec<Call>,
        /// The word `overlap`.
        place: Place,
    },
    /// `defer weight(r, m);`
    Defer(Call),
    /// `resume weight;` or `resume all weight;`
    Resume {
        /// The compute step.
        name: Ident,
        /// All that are deferred, or else the oldest one.
        all: bool,
        /// Happens only where this holds.
        condition: Option<Expr>,
        /// The statement.
        place: Place,
    },
}

/// A compute step with its indices.
#[derive(Clone, Debug)]
pub struct Call {
    /// The compute step.
    pub name: Ident,
    /// Its indices.
    pub args: Vec<Expr>,
    /// Runs only where this holds.
    pub condition: Option<Expr>,
    /// The call.
    pub place: Place,
}

/// An assignment. `x += e` stands here as `x = x + e`.
#[derive(Clone, Debug)]
pub struct Assign {
    /// The variable.
    pub name: Ident,
    /// Its new value.
    pub value: Expr,
}

/// A counted loop.
#[derive(Clone, Debug)]
pub struct For {
    /// The counter.
    pub name: Ident,
    /// What it runs over.
    pub range: Range,
    /// What is repeated.
    pub body: Vec<Statement>,
}

/// A condition and what is done while, or where, it holds.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The condition.
    pub condition: Expr,
    /// What is done.
    pub body: Vec<Statement>,
}

/// A send or a receive.
#[derive(Clone, Debug)]
pub struct Comm {
    /// A send, or else a receive.
    pub send: bool,
    /// What travels.
    pub value: ValueRef,
    /// The rank at the other end.
    pub peer: Expr,
    /// Happens only where this holds.
    pub condition: Option<Expr>,
    /// From `send` or `recv` to the peer.
    pub place: Place,
}

/// `Act[s, m]`: a message, or after `after` a compute step.
#[derive(Clone, Debug)]
pub struct ValueRef {
    /// The family.
    pub name: Ident,
    /// Its indices.
    pub indices: Vec<Expr>,
    /// All of it.
    pub place: Place,
}
