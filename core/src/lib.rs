//! Plans, channel models and the one verifier of [Counterpart].
//!
//! A [`Plan`] is a concrete schedule as data: the program of every rank, step by step. [`verify`](Plan::verify)
//! judges it under a [`Model`] and says, for an unsafe plan, which [`Fault`]s it has. The same code runs in three
//! places: in the `schedule!` macro, in rustc's const evaluator over session types that were reflected into
//! [`node::Node`]s, and here, over plans that are made or loaded at run time.
//!
//! ```
//! use counterpart_core::{Model, Plan, plan::Comm};
//!
//! let mut plan = Plan::new("swapped");
//! let (act, mask) = (plan.value("Act[0]"), plan.value("Mask[0]"));
//! plan.begin_rank();
//! plan.single(Comm::send(act, 1));
//! plan.single(Comm::send(mask, 1));
//! plan.begin_rank();
//! plan.single(Comm::recv(mask, 0));
//! plan.single(Comm::recv(act, 0));
//!
//! let fault = &plan.verify(Model::PORTABLE).faults[0];
//! assert_eq!(fault.message, "rank 1, step 0: expects `Mask[0]`, but rank 0, step 0 sends `Act[0]`");
//! assert_eq!(fault.help.as_deref(), Some("swap steps 0 and 1 of rank 1, or the two sends"));
//! ```
//!
//! * [`plan`], [`value`], [`dtype`]: plans and what they are made of; [`live`]: the buffers that a plan needs.
//! * [`model`], [`fault`], [`verify`]: how plans are judged.
//! * [`Verified`]: a plan that was found safe; only such plans are run.
//! * [`comms`]: sends and receives for a plan that only computes.
//! * [`edit`]: every plan that is one edit away.
//! * [`node`], [`prove`], [`tape`], [`text`]: what rustc runs.
//! * `json`, with the feature `serde`: plan files.
//!
//! [Counterpart]: https://docs.rs/counterpart
#![forbid(unsafe_code)]

mod code;
pub mod comms;
pub mod dtype;
pub mod edit;
pub mod fault;
#[cfg(feature = "serde")]
pub mod json;
pub mod live;
mod message;
pub mod model;
pub mod node;
pub mod plan;
pub mod prove;
mod reflect;
pub mod search;
pub mod simulate;
pub mod tape;
pub mod text;
mod unroll;
pub mod value;
mod verified;
pub mod verify;
mod walk;

pub use dtype::{DType, Payload};
pub use fault::{Fault, FaultKind, Verdict, Wait};
pub use model::{BatchRule, Channel, Model};
pub use plan::{Plan, Source};
pub use value::Value;
pub use verified::{Unsafe, Verified};
