//! Schedules from public bug reports: the verdict under each of the nine models is as recorded.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::counterpart;

#[test]
fn every_case_under_every_model() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("core/tests/cases");
    let mut verdicts = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let case: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let (plan, expect) = (case["plan"].to_string(), case["expect"].as_object().unwrap());
        assert_eq!(expect.len(), 9);
        let all = counterpart(&["check", "-", "--all-models", "--format", "json"], plan.as_bytes());
        let all: Value = serde_json::from_slice(&all.stdout).unwrap();
        for (n, (model, wanted)) in expect.iter().enumerate() {
            let (channel, batch) = model.split_once('+').unwrap();
            let one = counterpart(
                &["check", "-", "--channel", channel, "--batch", batch, "--format", "json"],
                plan.as_bytes(),
            );
            let verdict: Value = serde_json::from_slice(&one.stdout).unwrap();
            let told = || format!("{}: {model}: {verdict}", path.display());
            assert_eq!(verdict["verdict"], *wanted, "{}", told());
            assert_eq!((&verdict["channel"], &verdict["batch"]), (&channel.into(), &batch.into()));
            assert_eq!(one.status.code(), Some(i32::from(wanted == "unsafe")), "{}", told());
            let listed =
                all.as_array().unwrap().iter().find(|v| v["channel"] == channel && v["batch"] == batch);
            assert_eq!(listed.unwrap()["verdict"], *wanted, "{}", told());
            if n == 0 {
                let portable: Vec<&Value> = case["portable_kinds"].as_array().unwrap().iter().collect();
                let faults = all[0]["faults"].as_array().unwrap();
                let found = faults.iter().any(|fault| portable.contains(&&fault["kind"]));
                assert!(portable.is_empty() || found, "{}", told());
            }
            verdicts += 1;
        }
    }
    assert!(verdicts >= 261, "{verdicts}");
}
