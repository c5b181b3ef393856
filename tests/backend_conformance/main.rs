//! The conformance suite, mounted once per backend, and beside it what is special about each.

#[macro_use]
mod suite;

mod counting;
mod threads;
mod threads_own;
