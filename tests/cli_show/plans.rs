//! Plans to show and to convert.

use counterpart::core::plan::Comm;
use counterpart::core::tape::{NONE, Role};
use counterpart::core::{Plan, Value};
use counterpart_testkit::schedules;

/// Files that are no plan files: a compute order, one that can never run, and a source with several schedules.
pub const TEXTS: [(&str, &str); 3] = [
    ("order.csv", "0F0,0F1,,0B0,,0B1\n,1F0,1B0,1F1,1B1\n"),
    ("never.csv", "0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n"),
    (
        "sizes.rs",
        "counterpart::schedule! {
    schedule Stream(M);
    message Act[m]: [f32; 8];
    rank 0 { for m in 0..M { send Act[m] to 1; } }
    rank 1 { for m in 0..M { recv Act[m] from 0; } }
    instance Stream<1>;
    instance Stream<4>;
}
",
    ),
];

/// All of them, by name.
pub fn all() -> Vec<(&'static str, Plan)> {
    vec![
        ("one_f1b", schedules::one_f1b(4, 8)),
        ("wide", schedules::one_f1b(8, 32)),
        ("huge", schedules::one_f1b(64, 256)),
        ("interleaved", schedules::interleaved(4, 2, 8)),
        ("ring", schedules::ring(5)),
        ("overlap", overlap()),
        ("stuck", stuck()),
        ("stages", stages()),
        ("any", any()),
        ("nothing", Plan::new("nothing")),
    ]
}

/// Two ranks; in between each forward overlaps with the backward before.
fn overlap() -> Plan {
    let mut plan = Plan::new("overlap");
    for rank in 0..2u64 {
        plan.begin_rank();
        for m in 0..5u64 {
            let (f, b) =
                (plan.value(&format!("F[{rank},{m}]")), plan.value(&format!("B[{rank},{}]", m.max(1) - 1)));
            let act = plan.value(&format!("Act[1,{m}]"));
            let role = if rank == 0 { Role::Write } else { Role::Read };
            if rank == 1 {
                plan.single(Comm::recv(act, 0));
            }
            match m {
                0 => plan.compute(f, &[(role, act)], NONE),
                _ => plan.compute(f, &[(Role::Name, b), (role, act)], NONE),
            }
            if rank == 0 {
                plan.single(Comm::send(act, 1));
            }
        }
    }
    plan
}

/// Some forwards go through; then both ranks receive first.
fn stuck() -> Plan {
    let mut plan = Plan::new("stuck");
    let label = |plan: &mut Plan, name: &str, m: u64| -> Value { plan.value(&format!("{name}[1,{m}]")) };
    for rank in 0..2 {
        plan.begin_rank();
        for m in 0..4 {
            let [act, grad] = ["Act", "Grad"].map(|name| label(&mut plan, name, m));
            let [f, b] = ["forward", "backward"].map(|name| plan.value(&format!("{name}[{rank},{m}]")));
            if rank == 0 {
                plan.compute(f, &[(Role::Write, act)], NONE);
                if m == 2 {
                    plan.single(Comm::recv(grad, 1));
                    plan.single(Comm::send(act, 1));
                } else {
                    plan.single(Comm::send(act, 1));
                    plan.single(Comm::recv(grad, 1));
                }
                plan.compute(b, &[(Role::Read, grad)], NONE);
            } else {
                plan.single(Comm::recv(act, 0));
                plan.compute(f, &[(Role::Read, act)], NONE);
                plan.compute(b, &[(Role::Write, grad)], NONE);
                plan.single(Comm::send(grad, 0));
            }
        }
    }
    plan
}

/// The names and uses of a table.
fn stages() -> Plan {
    let mut plan = Plan::new("two stages");
    for rank in 0..2 {
        plan.begin_rank();
        for m in 0..3 {
            let [act, grad] = ["Act", "Grad"].map(|name| plan.value(&format!("{name}[1,{m}]")));
            let [f, b] = ["F", "B"].map(|name| plan.value(&format!("{name}[{rank},{m}]")));
            if rank == 0 {
                plan.compute(f, &[(Role::Write, act)], NONE);
                plan.single(Comm::send(act, 1));
                plan.single(Comm::recv(grad, 1));
                plan.compute(b, &[(Role::Read, grad), (Role::After, f)], NONE);
            } else {
                plan.single(Comm::recv(act, 0));
                plan.compute(f, &[(Role::Read, act)], NONE);
                plan.compute(b, &[(Role::Write, grad), (Role::After, f)], NONE);
                plan.single(Comm::send(grad, 0));
            }
        }
    }
    plan
}

/// A send of the label that agrees with any.
fn any() -> Plan {
    let mut plan = Plan::new("any");
    let act = plan.value("Act[0]");
    plan.begin_rank();
    plan.single(Comm::send(Value::ANY, 1));
    plan.begin_rank();
    plan.single(Comm::recv(act, 0));
    plan
}
