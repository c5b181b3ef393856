//! Schedules from public bug reports, judged under all nine models as their files say.
#![cfg(feature = "serde")]

use std::fs;
use std::path::PathBuf;

use counterpart_core::{Model, Plan};
use counterpart_testkit::{World, agreement};
use serde_json::Value;

/// Name and content of every case.
fn cases() -> Vec<(String, Value)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut cases: Vec<(String, Value)> = fs::read_dir(folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a case");
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, serde_json::from_str(&text).expect("JSON"))
        })
        .collect();
    cases.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(cases.len(), 29);
    cases
}

fn plan(case: &Value) -> Plan {
    Plan::from_json(&case["plan"].to_string()).expect("a plan")
}

#[test]
fn verdicts_under_nine_models() {
    for (name, case) in cases() {
        let plan = plan(&case);
        let expect = case["expect"].as_object().expect("an object");
        assert_eq!(expect.len(), Model::ALL.len(), "{name}");
        for model in Model::ALL {
            let verdict = plan.verify(model);
            let said = if verdict.is_safe() { "safe" } else { "unsafe" };
            assert_eq!(expect[&model.to_string()], said, "{name}: {verdict}");
        }
    }
}

#[test]
fn a_kind_that_helps() {
    for (name, case) in cases() {
        let verdict = plan(&case).verify(Model::PORTABLE);
        let kinds: Vec<&str> =
            case["portable_kinds"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        assert_eq!(kinds.is_empty(), verdict.is_safe(), "{name}: {verdict}");
        let helps = verdict.faults.iter().any(|fault| kinds.contains(&fault.kind.name()));
        assert!(helps || kinds.is_empty(), "{name}: expected one of {kinds:?}: {verdict}");
    }
}

#[test]
fn the_oracle_agrees() {
    for (name, case) in cases() {
        if let Err(why) = agreement::check(&World::from_plan(&plan(&case))) {
            panic!("{name}: {why}");
        }
    }
}
