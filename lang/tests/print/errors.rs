//! What the language has no words for.

use counterpart_core::plan::Comm;
use counterpart_core::tape::{NONE, Role};
use counterpart_core::{Plan, Value};
use counterpart_lang::print::{Options, schedule};

use super::compare::floats;

fn refused(plan: &Plan) -> String {
    schedule(plan, &Options::default()).expect_err("the language has no words for it").to_string()
}

#[test]
fn a_plan_without_ranks() {
    assert_eq!(refused(&Plan::new("nothing")), "the plan has no rank, and a schedule has at least one");
}

#[test]
fn the_label_that_agrees_with_any() {
    let mut plan = Plan::new("any");
    let act = plan.value("Act[0]");
    plan.begin_rank();
    plan.single(Comm::send(act, 1));
    plan.begin_rank();
    plan.compute(act, &[], NONE);
    plan.batch(&[Comm::recv(Value::ANY, 0)], NONE);
    let wanted = "rank 1, step 1: the label `_` stands for any value, which the language cannot say; give the value its label";
    assert_eq!(refused(&plan), wanted);
}

#[test]
fn a_value_of_two_payloads_where_dataflow_is_judged() {
    let mut plan = Plan::new("two");
    let (act, f) = (plan.value("Act[0]"), plan.value("f"));
    plan.begin_rank();
    plan.compute(f, &[(Role::Write, act)], NONE);
    plan.single(Comm::send(act, 1).with(floats(1)));
    plan.begin_rank();
    plan.single(Comm::recv(act, 0).with(floats(2)));
    let wanted = "rank 1, step 0: `Act[0]` has another element type or count than elsewhere, and in the language a value \
                  has one; give it another label";
    assert_eq!(refused(&plan), wanted);
}

#[test]
fn more_uses_than_a_step_has() {
    let mut plan = Plan::new("many");
    let reads: Vec<_> = (0..33).map(|i| (Role::Read, plan.value(&format!("x[{i}]")))).collect();
    let f = plan.value("f[0]");
    plan.begin_rank();
    plan.compute(f, &reads, NONE);
    let wanted = "rank 0, step 0: a compute step of the language uses at most 32 values and steps, and this one 33; make several of it";
    assert_eq!(refused(&plan), wanted);
}
