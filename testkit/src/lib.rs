//! Schedules to test Counterpart with, and an oracle that judges them in another way than the verifier does.
//!
//! * [`world`]: a schedule in the plainest form, easy to edit, and on its way to and from a [`Plan`].
//! * [`small`]: all schedules of two and three ranks with a few steps each.
//! * [`random`]: larger schedules that are safe under every model, by the way they are made.
//! * [`mutants`]: every schedule that is one edit away.
//! * [`reflected`]: a schedule as session types reflect it, for the proof.
//! * [`schedules`]: the schedules of the field at any size: one-forward-one-backward, GPipe, interleaved, rings.
//! * [`tables`]: compute orders of the field without communication: zero bubble, DualPipe and others.
//! * [`oracle`]: judges a schedule slowly, straight from the definitions.
//! * [`agreement`]: holds the verifier against the oracle under all nine models.
//!
//! [`Plan`]: counterpart_core::Plan
#![forbid(unsafe_code)]

pub mod agreement;
pub mod mutants;
pub mod oracle;
pub mod random;
pub mod reflected;
pub mod schedules;
pub mod small;
pub mod tables;
pub mod world;

pub use oracle::Oracle;
pub use world::{Comm, Compute, Domain, Step, World};
