//! The tree of the schedule language, as it was written: names are not looked up and nothing is evaluated.
//!
//! Every node that an error may point at carries its [`Place`].

mod expr;
mod item;
mod place;
mod statement;

pub use expr::{BinaryOp, Block, Expr, ExprKind, Let, Range, UnaryOp};
pub use item::{
    Compute, Dim, Function, Index, Instance, Memory, Message, Rank, Ranks, Schedule, Use, UseKind,
};
pub use place::Place;
pub use statement::{Arm, Assign, Comm, For, Statement, ValueRef};
