//! Point-to-point communication schedules that are proven before they run.
#![forbid(unsafe_code)]

pub mod backend;
pub mod drive;
pub mod element;
pub mod endpoint;
pub mod error;
mod schedule;
pub mod session;

pub use counterpart_core as core;
pub use counterpart_macros::schedule;
pub use drive::{Driver, Peak, Read, StepError, StepResult, Write};
pub use element::Element;
pub use endpoint::{Endpoint, Finished, Tensor};
pub use error::Error;
pub use schedule::{Proof, Schedule};
pub use session::{Ix, Rank, Times, Val};
