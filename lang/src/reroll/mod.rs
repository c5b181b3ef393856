//! From the flat program of a rank to a short one with loops, from which session types are emitted.
//!
//! A plan lists every step; as a type such a list costs rustc two levels of recursion per step. [`reroll`] finds the
//! loops again. Its passes, and what holds after each:
//!
//! 1. [`flat`]: one [`Op`] per step of the plan, in order, every index a constant.
//! 2. [`fold`]: consecutive repetitions that agree in everything but indices, and whose indices move by a constant
//!    from each repetition to the next, are one [`Node::Repeat`] where that is shorter. At most [`MAX_LOOPS`] loops
//!    stand inside each other.
//! 3. [`nest`]: no list holds more than [`MAX_LIST`] nodes (the items of a batch excepted), because long lists are
//!    split into [`Node::Block`]s.
//!
//! No pass changes the program: [`unroll`] of what comes out of any of them gives the list of [`flat`] again. No pass
//! recurses over the length of a program, only over its nesting.
//!
//! ```
//! use counterpart_core::Plan;
//! use counterpart_core::plan::Comm;
//! use counterpart_lang::reroll::{Node, flat, reroll, unroll};
//!
//! let mut plan = Plan::new("stream");
//! plan.begin_rank();
//! for m in 0..100 {
//!     let act = plan.value(&format!("Act[1,{m}]"));
//!     plan.single(Comm::send(act, 1));
//! }
//! let nodes = reroll(&plan, 0, |_| 0);
//! assert!(matches!(&nodes[..], [Node::Repeat { count: 100, body }] if body.len() == 1));
//! assert_eq!(unroll(&nodes), flat(&plan, 0, |_| 0));
//! ```

mod choose;
mod flat;
mod fold;
mod nest;
mod node;
mod profile;
mod runs;

pub use flat::{flat, unroll};
pub use fold::fold;
pub use nest::{MAX_LIST, depth, nest, size};
pub use node::{Affine, Comm, Label, MAX_LOOPS, Node, Op};

use counterpart_core::Plan;

/// The program of `rank` with its loops found and its long lists split.
///
/// `tag` gives each compute step, by its number in the rank, an opaque number; two compute steps are the same step of a
/// loop only where their tags are equal.
///
/// # Panics
/// When the plan has no such rank.
pub fn reroll(plan: &Plan, rank: usize, tag: impl Fn(usize) -> u32) -> Vec<Node> {
    let ops = flat(plan, rank, tag);
    let nodes = fold(ops.into_iter().map(Node::Op).collect());
    nest(nodes)
}
