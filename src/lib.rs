//! Point-to-point communication schedules that are proven before they run.
#![forbid(unsafe_code)]

pub mod backend;
pub mod element;
pub mod error;

pub use counterpart_core as core;
pub use element::Element;
pub use error::Error;
