//! A schedule from declaration to run: declared with `schedule!`, proven, and driven on the threads backend.

mod broadcast;
mod failures;
mod one_f1b;
mod wide_batch;
