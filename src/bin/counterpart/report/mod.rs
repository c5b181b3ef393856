//! What people read.

pub mod failure;
