//! The schedule language, and its tree as it was written: names are not looked up and nothing is evaluated.
//!
//! Every node that an error may point at carries its [`Place`].
//!
//! # The language
//!
//! `[ ]` may be left out, `…` repeats, `|` separates alternatives; everything else stands as it is.
//!
//! ```text
//! schedule   [docs, attributes] [pub] schedule Name[(P, M, G = 0, …)];  item …
//!          | [docs, attributes] [pub] schedule Name = LibraryName;  item …
//! item       model MODEL;
//!            require expr, "text";
//!            let x = expr;
//!            fn f(a, b, …) [-> bool] { [let x = expr; …] expr }
//!            message Name[[i, j, …]]: [TYPE; dimension, …];
//!            compute name[(i [in range], …)] [on expr] { use … }
//!            memory r <= expr Name;  |  memory r <= expr name until name;
//!            cost name = expr;  |  cost transfer = expr;
//!            comms auto [on MODEL];  |  comms RULE [on MODEL];
//!            rank r in range { statement … }  |  rank expr { statement … }
//!            order search;
//!            instance Name<4, 8>;
//! use        reads Name[expr, …] [if expr];  |  writes …  |  after name[expr, …] [if expr];
//! statement  send Name[expr, …] to expr [if expr];  |  recv Name[expr, …] from expr [if expr];
//!            batch { statement … }
//!            name(expr, …) [if expr];
//!            overlap { name(expr, …) [if expr]; … }
//!            defer name(expr, …) [if expr];  |  resume name [if expr];  |  resume all name [if expr];
//!            let [mut] x = expr;  |  x = expr;  |  x += expr;
//!            for i in range { statement … }  |  while expr { statement … }
//!            if expr { statement … } [else if …] [else { statement … }]
//! range      expr..expr  |  expr..=expr  |  (range).rev()
//! MODEL      portable  |  CHANNEL [+ BATCH_RULE]
//! RULE       paired  |  timed  |  urgent
//! ```
//!
//! * A message has up to four indices. Its dimensions are constant expressions of Rust, the same at all sizes; where
//!   they are numbers, the macro compares element counts as well, elsewhere rustc alone.
//! * A compute step whose indices have ranges must occur exactly once for every element of them.
//! * Every rank from 0 to the largest one needs exactly one program. The peer of a send or receive may be any number:
//!   whether there is such a rank, the verifier says.
//! * A batch holds sends, receives, `for`, `if` and variables. One that turns out empty is no step.
//! * With `comms`, programs consist of compute steps; with `order search;` there are no programs.
//! * Compute steps are put off and resumed oldest first, a queue for each kind of them and each rank.
//! * Numbers are 64-bit integers. Overflow and division by zero are errors; division and remainder round towards zero,
//!   as in Rust. Variables may hold conditions too. There are `+ - * / %`, comparisons, `&& || !`,
//!   `if c { a } else { b }`, `min`, `max`, `abs` and helper functions, which may call themselves.
//! * A `let` outside of ranks sees parameters and the `let`s above it. In a program, a later `let` may hide an earlier
//!   one.
//! * An instance takes at most ten million statements, turns of loops and calls.

mod expr;
mod item;
mod place;
mod statement;

pub use expr::{BinaryOp, Block, Expr, ExprKind, Let, Range, UnaryOp};
pub use item::{
    Comms, Compute, Cost, Counted, Dim, Function, Index, Instance, Memory, Message, Rank, Ranks, Require,
    Schedule, Use, UseKind,
};
pub use place::Place;
pub use statement::{Arm, Assign, Call, Comm, For, Statement, ValueRef};
