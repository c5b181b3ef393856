// The first definition of a link counts: here these lead to items, in the README by itself to files.
//! [`schedule!`]: crate::schedule
//! [`Driver`]: crate::Driver
//! [`Endpoint`]: crate::Endpoint
//! [`Plan`]: crate::core::Plan
//! [`Schedule::PEAK`]: crate::Schedule::PEAK
//! [`threads::run`]: crate::backend::threads::run
//! [`PlanDriver`]: crate::PlanDriver
//! [`Verified`]: crate::core::Verified
//! [`comms::paired`]: crate::core::comms::paired
//! [docs/schedules.md]: crate::library
//! [docs/plan-files.md]: https://github.com/counterpart-rs/counterpart/blob/main/docs/plan-files.md
//! [examples/digits/schedule.rs]: https://github.com/counterpart-rs/counterpart/blob/main/examples/digits/schedule.rs
//! [examples/digits/data/ATTRIBUTION.md]: https://github.com/counterpart-rs/counterpart/blob/main/examples/digits/data/ATTRIBUTION.md
//! [ARCHITECTURE.md]: https://github.com/counterpart-rs/counterpart/blob/main/ARCHITECTURE.md
//! [CONTRIBUTING.md]: https://github.com/counterpart-rs/counterpart/blob/main/CONTRIBUTING.md
//! [CHANGELOG.md]: https://github.com/counterpart-rs/counterpart/blob/main/CHANGELOG.md
//! [LICENSE-APACHE]: https://github.com/counterpart-rs/counterpart/blob/main/LICENSE-APACHE
//! [LICENSE-MIT]: https://github.com/counterpart-rs/counterpart/blob/main/LICENSE-MIT
//!
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod backend;
pub mod drive;
pub mod element;
pub mod endpoint;
pub mod error;
#[doc = include_str!("../docs/schedules.md")]
pub mod library {}
mod schedule;
pub mod session;
pub mod table;

pub use counterpart_core as core;
#[doc = include_str!("../docs/language.md")]
pub use counterpart_macros::schedule;
pub use drive::{Driver, Peak, PlanDriver, Read, StepError, StepResult, Write};
pub use element::Element;
pub use endpoint::{Endpoint, Finished, Tensor};
pub use error::Error;
pub use schedule::{Proof, Schedule};
pub use session::{Ix, Rank, Times, Val};
