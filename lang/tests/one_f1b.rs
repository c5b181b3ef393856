//! 1F1B in the schedule language: the order of its compute steps is the known one, it is safe, and long ones are quick.

use counterpart_core::tape::StepKind;
use counterpart_core::{Model, Plan};
use counterpart_lang::resolve::Resolved;
use counterpart_lang::{Errors, compile, elaborate, parse, resolve};
use std::time::{Duration, Instant};

const SOURCE: &str = include_str!("schedules/one_f1b.txt");

fn resolved() -> Resolved {
    let mut errors = Errors::new();
    let schedule = parse::parse(SOURCE.parse().unwrap(), &mut errors).unwrap();
    let resolved = resolve::resolve(&schedule, &mut errors);
    assert!(errors.is_empty());
    resolved
}

fn plan(schedule: &Resolved, p: usize, m: usize) -> Plan {
    let mut errors = Errors::new();
    let sizes = [p as i64, m as i64];
    elaborate::elaborate(schedule, &sizes, "one_f1b.txt", &mut errors).expect("no errors").plan
}

/// The labels of the compute steps of a rank, in order.
fn computes(plan: &Plan, rank: usize) -> Vec<String> {
    let steps = plan.steps(rank).iter().filter(|step| step.kind == StepKind::Compute);
    steps.map(|step| plan.label(plan.uses(step)[0].value)).collect()
}

/// w = min(m, p - 1 - r): F0 … F(w-1), then F(w+k) B(k) for k < m - w, then B(m-w) … B(m-1).
fn formula(p: usize, m: usize, r: usize) -> Vec<String> {
    let w = m.min(p - 1 - r);
    let forward = |i: usize| format!("forward[{r},{i}]");
    let backward = |i: usize| format!("backward[{r},{i}]");
    let mut order: Vec<String> = (0..w).map(forward).collect();
    for k in 0..m - w {
        order.extend([forward(w + k), backward(k)]);
    }
    order.extend((m - w..m).map(backward));
    order
}

#[test]
fn compute_steps_come_in_the_known_order_and_every_size_is_portable() {
    let schedule = resolved();
    for p in 1..=8 {
        for m in 1..=16 {
            let plan = plan(&schedule, p, m);
            assert_eq!(plan.ranks(), p);
            for r in 0..p {
                assert_eq!(computes(&plan, r), formula(p, m, r), "rank {r} of P = {p}, M = {m}");
            }
            let verdict = plan.verify(Model::PORTABLE);
            assert!(verdict.is_safe(), "P = {p}, M = {m}: {verdict}");
        }
    }
}

#[test]
fn activations_stay_within_the_known_peak() {
    let schedule = resolved();
    for (p, m) in [(4, 8), (4, 2), (8, 16)] {
        let mut plan = plan(&schedule, p, m);
        let act = plan.family("Act", 2);
        for r in 1..p {
            // Its own activations, and the one that it hands on.
            let known = m.min(p - r) + usize::from(r + 1 < p);
            assert!(plan.live(r).peak(act) <= known, "rank {r} of P = {p}, M = {m}");
        }
    }
}

#[test]
fn a_long_schedule_is_elaborated_fast_even_unoptimised() {
    let schedule = resolved();
    let start = Instant::now();
    let plan = plan(&schedule, 64, 256);
    let took = start.elapsed();
    println!("{} steps in {took:?}", plan.len());
    assert!(plan.len() > 60_000);
    // It is a tenth of that on an idle machine; this only finds what grows faster than the schedule.
    assert!(took < Duration::from_secs(4), "{took:?}");
}

#[test]
fn the_whole_front_end_is_fast_even_unoptimised() {
    let source = SOURCE.replace("<4, 8>", "<64, 256>");
    let start = Instant::now();
    let compiled = compile(source.parse().unwrap(), "one_f1b.txt");
    let took = start.elapsed();
    println!("parsed, elaborated and checked in {took:?}");
    assert!(compiled.errors.is_empty());
    assert!(took < Duration::from_secs(8), "{took:?}");
}

#[test]
fn a_hundred_thousand_steps_on_one_rank_pass_all_stages() {
    let source = "schedule Long;
        message V[i]: [f32; 1];
        compute f(i in 0..50000) { writes V[i]; }
        compute g(i in 0..50000) { reads V[i]; }
        rank 0 { for i in 0..50000 { f(i); send V[i] to 1; } }
        rank 1 { for i in 0..50000 { recv V[i] from 0; g(i); } }";
    let compiled = compile(source.parse().unwrap(), "long.txt");
    assert!(compiled.errors.is_empty());
    assert_eq!(compiled.instances[0].plan.len(), 200_000);
}

#[test]
fn ten_thousand_statements_pass_all_stages() {
    let mut source = String::from("schedule Flat; message V[i]: [f32; 1]; rank 0 {");
    source.extend((0..10_000).map(|i| format!("send V[{i}] to 1;")));
    source.push_str("} rank 1 {");
    source.extend((0..10_000).map(|i| format!("recv V[{i}] from 0;")));
    source.push('}');
    let compiled = compile(source.parse().unwrap(), "flat.txt");
    assert!(compiled.errors.is_empty());
    assert_eq!(compiled.instances[0].plan.len(), 20_000);
}
