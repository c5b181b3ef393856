//! The macro is not trusted: what a broken `schedule!` might emit, rustc refuses.
//!
//! * [`edits`]: the expansion of a schedule with one edit, as a broken macro would leave it, and what rustc says.
//! * [`mutants`]: session types of many mutants of a schedule; rustc and the library judge each alike.
//! * [`models`]: a weak model and a backend that does not offer it.
//! * [`runtime`]: the little that types leave open is an error before anything has run.

mod edits;
mod models;
mod mutants;
mod runtime;
mod rustc;
mod types;
