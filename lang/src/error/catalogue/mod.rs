//! The catalogue of messages: everything that the front end can say, in one place.
//!
//! Lower case, no full stop; what the user wrote stands in back-ticks; every message says what mends it.

mod faults;
mod library;
mod names;
mod order;
mod shape;
mod sizes;
mod suggest;

pub(crate) use faults::*;
pub(crate) use library::*;
pub(crate) use names::*;
pub(crate) use order::*;
pub(crate) use shape::*;
pub(crate) use sizes::*;
use suggest::suggestion;
