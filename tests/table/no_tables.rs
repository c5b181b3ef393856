//! Plans that no table says.

use counterpart::core::plan::Comm;
use counterpart::core::tape::{NONE, Role};
use counterpart::core::{Plan, Value};
use counterpart::table::Table;
use counterpart_testkit::schedules;

/// Two stages; what the closure makes of the second rank follows its forward.
fn after_forward(change: impl Fn(&mut Plan)) -> Plan {
    let mut plan = Plan::new("two");
    let (act, first, second) = (plan.value("Act[1,0]"), plan.value("F[0,0]"), plan.value("F[1,0]"));
    plan.begin_rank();
    plan.compute(first, &[(Role::Write, act)], NONE);
    plan.single(Comm::send(act, 1));
    plan.begin_rank();
    plan.single(Comm::recv(act, 0));
    plan.compute(second, &[(Role::Read, act)], NONE);
    change(&mut plan);
    plan
}

fn message(plan: &Plan) -> String {
    let error = Table::from_plan(plan).expect_err("no table");
    assert!(plan.describe(error.rank, error.step).is_some(), "{error}");
    error.to_string()
}

#[test]
fn steps_that_no_cell_says() {
    assert_eq!(
        Table::from_plan(&after_forward(|_| ())).expect("a table").to_csv(),
        "0F0,0SEND_F0\n1RECV_F0,1F0\n"
    );
    type Change<'c> = &'c dyn Fn(&mut Plan);
    let samples: [(Change, &str); 7] = [
        (
            &|plan| {
                let value = plan.value("loss[1,0]");
                plan.compute(value, &[], NONE);
            },
            "rank 1, step 2: `loss[1,0]`: `loss[1,0]` is none of F[s,m], B[s,m], I[s,m], W[s,m], UNSHARD[s], \
             RESHARD[s], REDUCE_GRAD[s]",
        ),
        (
            &|plan| {
                let value = plan.value("Act[1,0]");
                plan.batch(&[Comm::send(value, 0)], NONE);
            },
            "rank 1, step 2: `batch { send Act[1,0] to 0 }`: a table has no batches",
        ),
        (
            &|plan| {
                let value = plan.value("Mask[1,0]");
                plan.single(Comm::send(value, 0));
            },
            "rank 1, step 2: `send Mask[1,0] to 0`: in a table only Act[s,m] and Grad[s,m] travel, s being a stage",
        ),
        (
            &|plan| plan.single(Comm::recv(Value::ANY, 0)),
            "rank 1, step 2: `recv _ from 0`: in a table only Act[s,m] and Grad[s,m] travel, s being a stage",
        ),
        (
            &|plan| {
                let value = plan.value("Act[1,1]");
                plan.single(Comm::recv(value, 1));
            },
            "rank 1, step 2: `recv Act[1,1] from 1`: by the stages of its rank a table says rank 1, step 2: \
             `recv Act[1,1] from 0`",
        ),
        (
            &|plan| {
                let value = plan.value("B[1,0]");
                plan.compute(value, &[], NONE);
            },
            "rank 1, step 2: `B[1,0]`: a table that has this step gives it another name, or other reads, writes and \
             `after`s",
        ),
        (
            &|plan| {
                let (one, other) = (plan.value("F[1,1]"), plan.value("F[1,2]"));
                plan.compute(one, &[(Role::Name, other)], NONE);
            },
            "rank 1, step 2: `F[1,1] + F[1,2]`: in a table only forwards and backwards overlap",
        ),
    ];
    for (change, expected) in samples {
        assert_eq!(message(&after_forward(change)), expected);
    }
}

#[test]
fn stages_that_no_rows_have() {
    let on_both = after_forward(|plan| {
        let (act, first) = (plan.value("Act[1,1]"), plan.value("F[0,1]"));
        plan.compute(first, &[(Role::Write, act)], NONE);
    });
    assert_eq!(message(&on_both), "rank 1, step 2: `0F1`: row 1 computes stage 0 too, in column 1");
    assert!(message(&schedules::one_f1b(2, 2)).ends_with("a table has no batches"));
}

#[test]
fn a_plan_without_ranks_is_an_empty_table() {
    assert_eq!(Table::from_plan(&Plan::new("empty")).expect("a table").to_csv(), "");
}
