//! Plans that nobody would write, and what the words for them are.

use counterpart_core::plan::Comm;
use counterpart_core::tape::{NONE, Role};
use counterpart_core::{Model, Plan, Value};
use counterpart_lang::print::{Options, schedule};

use super::compare::{check, floats, read};

fn value(plan: &mut Plan, label: &str) -> Value {
    plan.value(label)
}

fn declare(plan: &mut Plan, name: &str, start: u64, end: u64) {
    plan.declare(name, std::slice::from_ref(&std::ops::Range { start, end }));
}

#[test]
fn names_that_are_no_identifiers() {
    let mut plan = Plan::new("1 odd <plan>\n*/");
    let labels = [
        "Send[0]",
        "Batch",
        "fn[1,2]",
        "f32[3]",
        "Rank7",
        "x-y[0]",
        "x_y[0]",
        "x y[0]",
        "激活[1]",
        "",
        "[3]",
        "a[-1]",
        "to[1]",
        "if",
        "self",
        "Self[1]",
        "gen[2]",
        "x",
        "x[0]",
        "x[0,1,2,3]",
        "Option[1]",
        "programs",
        "r[1]",
        "m[0]",
        "min[1]",
        "3",
        "\"quoted\"",
        "a\nb",
        "act_in[1]",
        "union[1]",
        "Programs",
        "schedule[1]",
    ];
    plan.begin_rank();
    for label in labels {
        let value = value(&mut plan, label);
        plan.single(Comm::send(value, 1));
        plan.compute(value, &[(Role::Read, value)], NONE);
    }
    plan.begin_rank();
    for label in labels {
        let value = value(&mut plan, label);
        plan.single(Comm::recv(value, 0));
    }
    let printed = check(&plan);
    assert!(printed.body.contains("// `激活`"), "{}", printed.body);
    assert_eq!(printed.name, "Schedule1Odd");
}

#[test]
fn peers_that_are_no_ranks() {
    let mut plan = Plan::new("peers");
    let act = value(&mut plan, "Act[0]");
    plan.begin_rank();
    for peer in [-1, 0, 7, i32::MAX, i32::MIN] {
        plan.single(Comm::send(act, peer));
        plan.single(Comm::recv(act, peer));
    }
    check(&plan);
}

#[test]
fn ranks_and_batches_of_nothing() {
    let mut plan = Plan::new("nothing");
    plan.begin_rank();
    plan.begin_rank();
    plan.batch(&[], NONE);
    plan.begin_rank();
    let printed = check(&plan);
    assert!(printed.body.contains("/// A batch of nothing is left out"), "{}", printed.body);
}

#[test]
fn values_of_one_family_and_several_payloads() {
    let mut plan = Plan::new("payloads");
    let acts: Vec<Value> = (0..6).map(|m| value(&mut plan, &format!("Act[{m}]"))).collect();
    plan.begin_rank();
    for (m, &act) in acts.iter().enumerate() {
        plan.single(Comm::send(act, 1).with(floats(1 + m as u64 % 2)));
    }
    plan.begin_rank();
    acts.iter().for_each(|&act| plan.single(Comm::recv(act, 0)));
    let printed = check(&plan);
    assert!(
        printed.body.contains("message Act_f32_1[m]: [f32; 1];  // `Act`\nmessage Act_f32_2[m]: [f32; 2];")
    );
}

#[test]
fn a_count_that_does_not_match() {
    let mut plan = Plan::new("count");
    let act = value(&mut plan, "Act[0]");
    plan.begin_rank();
    plan.single(Comm::send(act, 1).with(floats(1)));
    plan.begin_rank();
    plan.single(Comm::recv(act, 0).with(floats(2)));
    check(&plan);
}

#[test]
fn steps_that_overlap() {
    let mut plan = Plan::new("overlap");
    plan.declare("F", &[0..2, 0..4]);
    plan.declare("W", &[0..1, 0..4]);
    plan.begin_rank();
    for m in 0..4u64 {
        let [f, b, w] =
            [format!("F[0,{m}]"), format!("B[1,{}]", m + 1), format!("W[0,{m}]")].map(|l| plan.value(&l));
        let act = plan.value(&format!("Act[1,{m}]"));
        plan.compute(f, &[(Role::Name, b), (Role::Write, act)], NONE);
        plan.compute(w, &[(Role::After, b), (Role::Read, act)], NONE);
    }
    let printed = check(&plan);
    assert_eq!(printed.dropped_domains, ["F"]);
    assert!(printed.body.contains("// `F[s, m]` and `B[t, n]`, overlapped"), "{}", printed.body);
    assert!(
        printed.body.contains("compute f_b(s, m, t, n) {\n    writes Act[s + 1, m];"),
        "{}",
        printed.body
    );
}

#[test]
fn more_indices_than_a_step_has() {
    let mut plan = Plan::new("indices");
    plan.begin_rank();
    for k in 0..20u64 {
        let names =
            [format!("A[{k},{},1]", k % 3), format!("B[{k},7,{}]", k % 2), format!("C[{},{k}]", k * k)];
        let [a, b, c] = names.map(|label| plan.value(&label));
        let after = plan.value(&format!("C[{},{}]", (k / 2) * (k / 2), k / 2));
        plan.compute(a, &[(Role::Name, b), (Role::Name, c), (Role::After, after)], NONE);
    }
    check(&plan);
}

#[test]
fn domains_that_are_not_met() {
    let mut plan = Plan::new("domains");
    plan.declare("missing", &[0..3, 5..7]);
    declare(&mut plan, "empty", 4, 2);
    plan.declare("once", &[]);
    plan.declare("never", &[]);
    declare(&mut plan, "huge", 0, 1 << 40);
    plan.begin_rank();
    for label in ["missing[0,5]", "missing[2,6]", "missing[9,9]", "empty[3]", "once", "missing[0,5]"] {
        let name = plan.value(label);
        plan.compute(name, &[], NONE);
    }
    let printed = check_without(&plan, "huge");
    assert!(printed.contains("compute missing(i in 0..3, j in 5..7);"), "{printed}");
}

/// The end of a huge domain is cut off where indices end.
fn check_without(plan: &Plan, cut: &str) -> String {
    let printed = schedule(plan, &Options::default()).unwrap();
    let again = read(&printed.body);
    assert!(printed.body.contains(&format!("compute {cut}(")));
    for model in Model::ALL {
        assert_eq!(plan.verify(model).is_safe(), again.verify(model).is_safe());
    }
    printed.body
}

#[test]
fn uses_without_a_rule() {
    let mut plan = Plan::new("irregular");
    declare(&mut plan, "work", 0, 30);
    plan.begin_rank();
    for k in 0..30u64 {
        let name = plan.value(&format!("work[{k}]"));
        let mut uses = Vec::new();
        for j in 0..k % 5 {
            let label = format!("x[{},{}]", (k * 7 + j * 13) % 11, j * k);
            uses.push((if (k + j) % 3 == 0 { Role::Write } else { Role::Read }, plan.value(&label)));
        }
        if k % 4 == 1 {
            uses.push((Role::After, plan.value(&format!("work[{}]", k * k % 30))));
        }
        plan.compute(name, &uses, NONE);
    }
    // The same step again, with other uses.
    let (name, x) = (plan.value("work[3]"), plan.value("x[0,0]"));
    plan.compute(name, &[(Role::Read, x)], NONE);
    check(&plan);
}

#[test]
fn the_ends_of_a_pipeline_are_conditions() {
    let mut plan = Plan::new("line");
    for r in 0..5u64 {
        plan.begin_rank();
        for m in 0..3 {
            let name = plan.value(&format!("F[{r},{m}]"));
            let mut uses = Vec::new();
            uses.extend((r == 0 || r == 4).then(|| (Role::Read, plan.value(&format!("Weight[{r}]")))));
            uses.extend((r > 0).then(|| (Role::Read, plan.value(&format!("Act[{r},{m}]")))));
            uses.extend((m == 2).then(|| (Role::Write, plan.value("Done"))));
            plan.compute(name, &uses, NONE);
        }
    }
    let printed = check(&plan);
    let wanted = "\
compute F(s, m) {
    reads  Weight[s] if s < 1 || s > 3;
    reads  Act[s, m] if s > 0;
    writes Done      if m == 2;
}
";
    assert!(printed.body.contains(wanted), "{}", printed.body);
}

#[test]
fn the_model_and_the_stand_in_are_said() {
    let mut plan = Plan::new("said");
    let act = value(&mut plan, "Act");
    plan.begin_rank();
    plan.single(Comm::send(act, 1));
    plan.begin_rank();
    plan.single(Comm::recv(act, 0));
    let options = Options {
        name: Some("Renamed"),
        model: Some(Model::ALL[8]),
        origin: Some("plan.json"),
        stand_in: floats(2048),
    };
    let printed = schedule(&plan, &options).unwrap();
    let wanted = "\
/// Plan `said`, written from plan.json.
pub schedule Renamed;

model eager + item;

message Act: [f32; 2048];  // the plan does not say what it is
";
    assert!(printed.body.starts_with(wanted), "{}", printed.body);
    assert!(counterpart_lang::compile(printed.body.parse().unwrap(), "said.rs").errors.is_empty());
    assert!(printed.to_string().starts_with("counterpart::schedule! {\n    /// Plan"));
}
