//! A printed plan compiles, and rustc proves it.
//!
//! `BLESS=1 cargo test --test convert_compiles` writes the golden files anew; look at the difference before committing.

use std::fs;

use counterpart::core::plan::Comm;
use counterpart::core::tape::{NONE, Role};
use counterpart::core::{Model, Plan};
use counterpart::{Peak, Schedule};
use counterpart_lang::print::{self, Options};
use counterpart_testkit::schedules;

/// The golden files as they stand: what a person reads there is what rustc proves.
#[allow(non_camel_case_types, non_snake_case)]
mod golden {
    include!("convert_compiles/one_f1b.rs");
    include!("convert_compiles/odd.rs");
}

/// What `counterpart convert` writes, which `tests/cli_show/` holds against what it writes now.
#[allow(dead_code)]
#[path = "convert_compiles/program.rs"]
mod program;

/// Names that are no identifiers, steps that overlap, a payload that is not known, uses without a rule, a weak model.
fn odd() -> Plan {
    let mut plan = Plan::new("odd one");
    let labels = ["Send[0]", "Send[1]", "f32", "fn[0]", "B[0]", "W[0,1]", "reads[0]"];
    let [send, other, float, keyword, back, weight, late] = labels.map(|label| plan.value(label));
    plan.begin_rank();
    plan.compute(keyword, &[(Role::Name, back), (Role::Write, send), (Role::Write, other)], NONE);
    plan.compute(weight, &[(Role::After, back), (Role::Read, send)], NONE);
    plan.single(Comm::send(send, 1));
    plan.single(Comm::recv(float, 1));
    plan.compute(weight, &[(Role::Read, float), (Role::Read, other)], NONE);
    plan.begin_rank();
    plan.compute(keyword, &[(Role::Write, float)], NONE);
    plan.single(Comm::send(float, 0));
    plan.single(Comm::recv(send, 0));
    plan.compute(late, &[(Role::Read, send)], NONE);
    plan
}

fn check(name: &str, golden: &str, plan: &Plan, model: Option<Model>) {
    let found = print::schedule(plan, &Options { model, ..Options::default() }).unwrap().to_string();
    if std::env::var_os("BLESS").is_some() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/convert_compiles");
        fs::write(format!("{folder}/{name}"), &found).unwrap();
    } else {
        assert!(found == golden, "BLESS=1 writes the golden file anew; the block now is\n{found}");
    }
}

#[test]
fn a_pipeline_is_proven() {
    let plan = schedules::one_f1b(4, 8);
    check("one_f1b.rs", include_str!("convert_compiles/one_f1b.rs"), &plan, None);
    let again = golden::OneF1B::plan();
    assert_eq!((plan.ranks(), plan.len()), (again.ranks(), again.len()));
    for rank in 0..plan.ranks() {
        for step in 0..plan.steps(rank).len() {
            assert_eq!(plan.describe(rank, step), again.describe(rank, step));
        }
    }
    assert_eq!(golden::OneF1B::PEAK.iter().map(Peak::bytes).max(), Some(4 * 2048 * 4));
}

#[test]
fn an_odd_plan_is_proven() {
    let plan = odd();
    check("odd.rs", include_str!("convert_compiles/odd.rs"), &plan, Model::ALL.last().copied());
    let again = golden::OddOne::plan();
    assert_eq!(plan.len(), again.len());
    assert!(plan.verify(Model::ALL[8]).is_safe() && !plan.verify(Model::PORTABLE).is_safe());
    assert!(again.verify(Model::ALL[8]).is_safe() && !again.verify(Model::PORTABLE).is_safe());
}
