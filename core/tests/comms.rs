//! Inserting communication: the order of the rule *paired*, that it is safe, and what is said where there is none.
//!
//! `comms_faults.txt` holds the faults; `BLESS=1 cargo test -p counterpart-core --test comms` writes it anew.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::PathBuf;

use counterpart_core::comms::{CommsError, paired};
use counterpart_core::dtype::{DType, Payload};
use counterpart_core::plan::Comm;
use counterpart_core::tape::{NONE, Role, StepKind};
use counterpart_core::{FaultKind, Model, Plan, Source};
use counterpart_testkit::{Step, World, random, tables};
use fastrand::Rng;

/// The rule, word for word: every rank is asked in every round. `None` where a round passes in which nobody moves.
fn by_the_word(plan: &Plan) -> Option<Vec<Vec<String>>> {
    let ranks = plan.ranks();
    let labels = |rank: usize, step: usize, role: Role| -> Vec<String> {
        let uses = plan.uses(&plan.steps(rank)[step]).iter().filter(|used| used.role == role);
        uses.map(|used| plan.label(used.value)).collect()
    };
    let reads_elsewhere = |value: &String, rank: usize| -> Vec<usize> {
        let reads = |r: &usize| {
            (0..plan.steps(*r).len()).any(|step| labels(*r, step, Role::Read).contains(value)) && *r != rank
        };
        (0..ranks).filter(reads).collect()
    };
    let mut lists: Vec<Vec<String>> = vec![Vec::new(); ranks];
    let mut there: Vec<HashSet<String>> = vec![HashSet::new(); ranks];
    let mut next = vec![0; ranks];
    while (0..ranks).any(|rank| next[rank] < plan.steps(rank).len()) {
        let mut moved = false;
        for rank in 0..ranks {
            let step = next[rank];
            if step == plan.steps(rank).len() {
                continue;
            }
            if !labels(rank, step, Role::Read).iter().all(|value| there[rank].contains(value)) {
                continue;
            }
            let text = plan.describe(rank, step).expect("a step");
            lists[rank].push(text.split_once(": ").expect("its place").1.to_owned());
            for value in labels(rank, step, Role::Write) {
                for reader in reads_elsewhere(&value, rank) {
                    lists[rank].push(format!("`send {value} to {reader}`"));
                    lists[reader].push(format!("`recv {value} from {rank}`"));
                    there[reader].insert(value.clone());
                }
                there[rank].insert(value);
            }
            next[rank] += 1;
            moved = true;
        }
        if !moved {
            return None;
        }
    }
    Some(lists)
}

fn listed(plan: &Plan) -> Vec<Vec<String>> {
    let step = |rank, step| {
        plan.describe(rank, step).expect("a step").split_once(": ").expect("its place").1.to_owned()
    };
    (0..plan.ranks()).map(|rank| (0..plan.steps(rank).len()).map(|s| step(rank, s)).collect()).collect()
}

/// A plan without its sends and receives.
fn compute_only(world: &World) -> World {
    let mut world = world.clone();
    for program in &mut world.programs {
        program.retain(|step| step.as_compute().is_some());
    }
    world
}

#[test]
fn the_order_is_that_of_the_rule() {
    for order in tables::all(&[1, 2, 3, 4], &[1, 2, 3], &[4, 6, 8]) {
        let plan = order.plan();
        assert_eq!(Some(listed(&paired(&plan).expect(&order.name))), by_the_word(&plan), "{}", order.name);
    }
}

#[test]
fn the_order_is_that_of_the_rule_for_any_plan() {
    let mut rng = Rng::with_seed(7);
    let (mut run, mut stuck) = (0, 0);
    for seed in 0..400 {
        let mut world = compute_only(&random::safe(seed, 3 + seed as usize % 40));
        for program in world.programs.iter_mut().filter(|program| program.len() > 1) {
            for _ in 0..rng.usize(0..2) {
                let at = rng.usize(1..program.len());
                program.swap(at - 1, at);
            }
        }
        let plan = world.to_plan();
        match (paired(&plan), by_the_word(&plan)) {
            (Ok(plan), Some(lists)) => {
                run += 1;
                assert_eq!(listed(&plan), lists, "{world}");
            }
            (Err(CommsError::Impossible(fault)), None) => {
                stuck += 1;
                assert_eq!(fault.kind, FaultKind::Deadlock, "{fault}\n{world}");
                closes(&plan, &fault.waits);
            }
            (other, lists) => panic!("{other:?}\n{lists:?}\n{world}"),
        }
    }
    assert!(run > 50 && stuck > 20, "{run} ran, {stuck} did not");
}

/// Is it a circle, and does each wait name a step that is there?
fn closes(plan: &Plan, waits: &[counterpart_core::Wait]) {
    for (k, wait) in waits.iter().enumerate() {
        let next = &waits[(k + 1) % waits.len()];
        assert_eq!((wait.on_rank, wait.on_step), (next.rank, next.step), "{waits:?}");
        assert!(wait.step < plan.steps(wait.rank).len());
    }
}

#[test]
fn what_it_makes_is_safe_under_every_model() {
    let orders = tables::all(&[2, 3, 4, 6, 8], &[2, 3], &[4, 8, 12, 16]);
    assert_eq!(orders.len(), 171);
    for order in orders {
        let plan = paired(&order.plan()).expect(&order.name);
        for model in Model::ALL {
            let verdict = plan.verify(model);
            assert!(verdict.is_safe(), "{}: {verdict}", order.name);
        }
    }
}

#[test]
fn a_value_travels_once_to_each_reader() {
    let compute = |name: &str, reads: &[&str], writes: &[&str]| Step::compute(name, reads, writes);
    let world = World::new(vec![
        vec![compute("use", &["y"], &[]), compute("own", &["x"], &[])],
        vec![compute("make", &[], &["y", "x"]), compute("keep", &["x"], &[])],
        vec![compute("first", &["x", "y", "x"], &[]), compute("second", &["x"], &[])],
    ]);
    let plan = paired(&world.to_plan()).expect("it can run");
    assert_eq!(
        listed(&plan),
        [
            vec!["`recv y from 1`", "`recv x from 1`", "`use`", "`own`"],
            vec!["`make`", "`send y to 0`", "`send y to 2`", "`send x to 0`", "`send x to 2`", "`keep`"],
            vec!["`recv y from 1`", "`recv x from 1`", "`first`", "`second`"],
        ]
    );
}

#[test]
fn places_payloads_and_domains_are_kept() {
    let mut plan = Plan::new("kept");
    let at =
        |plan: &mut Plan, line: usize| plan.add_source(Source { file: "table.csv".into(), line, column: 1 });
    let (make, take, again, act) =
        (plan.value("F[0]"), plan.value("F[1]"), plan.value("B[1]"), plan.value("Act[1]"));
    let payload = Payload::new(DType::F32, 2048);
    plan.set_payload(act.family(), payload);
    plan.declare("F", std::slice::from_ref(&(0..2)));
    plan.begin_rank();
    let source = at(&mut plan, 1);
    plan.compute(make, &[(Role::Write, act)], source);
    plan.begin_rank();
    for (line, name) in [(2, take), (3, again)] {
        let source = at(&mut plan, line);
        plan.compute(name, &[(Role::Read, act)], source);
    }
    let laid = paired(&plan).expect("it can run");
    assert_eq!((laid.name.as_str(), laid.domains()), ("kept", plan.domains()));
    let comms = [(laid.comm(0, 1, 0), true), (laid.comm(1, 0, 0), false)];
    for (comm, is_send) in comms {
        assert_eq!((comm.send, comm.payload), (is_send, payload));
    }
    let line = |rank, step| laid.step_source(rank, step).expect("a place").line;
    assert_eq!([line(0, 0), line(0, 1), line(1, 0), line(1, 1), line(1, 2)], [1, 1, 2, 2, 3]);
    assert!(laid.verify(Model::PORTABLE).is_safe());
}

#[test]
fn a_plan_with_communication_is_told() {
    let mut plan = tables::gpipe(2, 2).plan();
    plan.begin_rank();
    let value = plan.value("x");
    plan.single(Comm::send(value, 0));
    let error = paired(&plan).expect_err("there is a send");
    assert_eq!(error, CommsError::NotComputeOnly { rank: 2, step: 0 });
    assert_eq!(
        error.to_string(),
        "rank 2, step 0 is communication already: only a plan of compute steps can be given some"
    );
}

#[test]
fn nothing_to_send_is_no_fault() {
    let empty = Plan::new("empty");
    assert_eq!(paired(&empty).expect("nothing to do").ranks(), 0);
    let alone = tables::interleaved(1, 3, 4).plan();
    let laid = paired(&alone).expect("one rank");
    assert!(laid.steps(0).iter().all(|step| step.kind == StepKind::Compute));
    assert!(laid.verify(Model::PORTABLE).is_safe());
}

#[test]
fn a_long_circle_is_kept_in_part() {
    const RANKS: usize = 1000;
    let mut plan = Plan::new("ring");
    let family = plan.family("x", 1);
    let value = |n: usize| counterpart_core::Value::new(family, &[(n % RANKS) as u64]);
    for rank in 0..RANKS {
        plan.begin_rank();
        let label = plan.value(&format!("step[{rank}]"));
        plan.compute(label, &[(Role::Read, value(rank)), (Role::Write, value(rank + 1))], NONE);
    }
    let Err(CommsError::Impossible(fault)) = paired(&plan) else { panic!("a ring that never begins") };
    assert_eq!((fault.waits.len(), fault.message.lines().count()), (256, 15));
    assert!(fault.message.contains("… 987 more …"), "{}", fault.message);
    assert_eq!((fault.waits[255].on_rank, fault.waits[255].on_step), (fault.rank.unwrap(), 0));
}

/// Compute orders without communication that could make them run.
fn impossible() -> Vec<(&'static str, World)> {
    let compute = |name: &str, reads: &[&str], writes: &[&str]| Step::compute(name, reads, writes);
    let after = |step: Step, name: &str| match step {
        Step::Compute(mut compute) => {
            compute.after.push(name.to_owned());
            Step::Compute(compute)
        }
        other => other,
    };
    let forward = |s: usize, m: usize| {
        let (own, next) = (format!("Act[{s},{m}]"), format!("Act[{},{m}]", s + 1));
        let name = format!("F[{s},{m}]");
        if s == 0 { compute(&name, &[], &[&next]) } else { compute(&name, &[&own], &[]) }
    };
    let backward = |s: usize, m: usize| {
        let (own, next) = (format!("Grad[{s},{m}]"), format!("Grad[{},{m}]", s + 1));
        let name = format!("B[{s},{m}]");
        let step = if s == 0 { compute(&name, &[&next], &[]) } else { compute(&name, &[], &[&own]) };
        after(step, &format!("F[{s},{m}]"))
    };
    vec![
        (
            "ranks take the micro-batches in opposite orders",
            World::new(vec![
                vec![forward(0, 0), backward(0, 0), forward(0, 1), backward(0, 1)],
                vec![forward(1, 1), backward(1, 1), forward(1, 0), backward(1, 0)],
            ]),
        ),
        (
            "backward before forward on the first rank",
            World::new(vec![vec![backward(0, 0), forward(0, 0)], vec![forward(1, 0), backward(1, 0)]]),
        ),
        (
            "read before it is written on the same rank",
            World::new(vec![vec![compute("take", &["x"], &[]), compute("make", &[], &["x"])]]),
        ),
        ("a step reads what it writes", World::new(vec![vec![compute("both", &["x"], &["x"])]])),
        (
            "overlapped steps",
            World::new(vec![
                vec![compute("F[0,0]", &["Grad[1,0]"], &["Act[1,0]"])],
                vec![compute("F[1,0]", &["Act[1,0]"], &["Grad[1,0]"])],
            ]),
        ),
        ("nobody writes it", World::new(vec![vec![forward(0, 0)], vec![forward(1, 0), forward(1, 1)]])),
        ("two ranks write it", World::new(vec![vec![forward(0, 0)], vec![forward(0, 0), forward(1, 0)]])),
        (
            "one rank writes it twice",
            World::new(vec![vec![forward(0, 0), forward(0, 0)], vec![forward(1, 0)]]),
        ),
    ]
}

#[test]
fn faults_read_as_before() {
    let mut found = String::new();
    for (title, world) in impossible() {
        let Err(CommsError::Impossible(fault)) = paired(&world.to_plan()) else {
            panic!("{title}: it has communication")
        };
        let places = (fault.rank, fault.step, fault.peer_rank, fault.peer_step);
        let (Some(rank), Some(step), peer, peer_step) = places else { panic!("{title}: no place") };
        let peer = peer.zip(peer_step).map_or(String::new(), |(rank, step)| format!(", peer {rank}.{step}"));
        writeln!(found, "== {title}\n{world}\n{fault}\n(at {rank}.{step}{peer})\n").unwrap();
        if fault.kind == FaultKind::Deadlock {
            closes(&world.to_plan(), &fault.waits);
        }
    }
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/comms_faults.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(&file).unwrap_or_default());
}
