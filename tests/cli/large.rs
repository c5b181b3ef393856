//! A schedule of 200,000 steps, as a table.

use std::fs;

use counterpart::core::comms::paired;
use counterpart::table::Table;
use counterpart_testkit::tables;
use serde_json::Value;

use super::{end, start};

#[test]
fn interleaved_over_64_ranks_is_safe_under_all_models() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli_large");
    fs::create_dir_all(&folder).unwrap();
    let plan = paired(&tables::interleaved(64, 4, 128).plan()).unwrap();
    assert_eq!(plan.len(), 65_536 + 2 * 65_280);
    fs::write(folder.join("large.csv"), Table::from_plan(&plan).unwrap().to_csv()).unwrap();
    let call = start(&folder, &["check", "large.csv", "--all-models", "--format", "json"], b"");
    let output = end(call, "200,000 steps");
    let verdicts: Value = serde_json::from_slice(&output.stdout).unwrap();
    let verdicts = verdicts.as_array().unwrap();
    assert_eq!(verdicts.len(), 9);
    assert!(verdicts.iter().all(|verdict| verdict["verdict"] == "safe" && verdict["steps"] == plan.len()));
}
