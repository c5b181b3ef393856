//! Benches are a package of their own, so that whoever only runs an example does not build a bench harness.
//!
//! - `cargo bench -p counterpart-benches --bench verify`: the verifier on plans of 200,000 steps
//! - `cargo bench -p counterpart-benches --bench tables`: tables of 200,000 steps, from text to verdicts
//! - `cargo bench -p counterpart-benches --bench transfer`: transfers of the threads backend beside channels and `memcpy`
//! - `scripts/bench-lowering.sh`: instructions of the driver beside those of a loop written by hand
//! - `scripts/bench-compile.sh`: what a proof adds to `cargo check`, at several sizes
#![forbid(unsafe_code)]
