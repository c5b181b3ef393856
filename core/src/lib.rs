//! Plans, channel models and the one verifier of [Counterpart].
//!
//! A [`Plan`] is a concrete schedule as data: the program of every rank, step by step. [`verify`](Plan::verify)
//! judges it under a [`Model`] and says, for an unsafe plan, which [`Fault`]s it has. The same code runs in three
//! places: in the `schedule!` macro, in rustc's const evaluator over session types that were reflected into
//! [`node::Node`]s, and here, over plans that are made or loaded at run time.
//!
//! [Counterpart]: https://docs.rs/counterpart
#![forbid(unsafe_code)]

mod code;
pub mod dtype;
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
pub mod tape;
pub mod text;
mod unroll;
pub mod value;
pub mod verify;
mod walk;

pub use dtype::{DType, Payload};
pub use fault::{Fault, FaultKind, Verdict, Wait};
pub use model::{BatchRule, Channel, Model};
pub use plan::{Plan, Source};
pub use value::Value;
