//! Large plans, safe and unsafe: judged in linear time whatever is wrong with them, and reported in bounded length.

use std::time::{Duration, Instant};

use counterpart_core::plan::{Comm, Plan};
use counterpart_core::tape::{NONE, Role};
use counterpart_core::value::Value;
use counterpart_core::{FaultKind, Model, Verdict};
use counterpart_testkit::agreement;

/// Far more than any of these plans needs, far less than a quadratic verifier would take.
const PATIENCE: Duration = Duration::from_secs(10);
const MANY: usize = 100_000;

fn judge(plan: &Plan, model: Model) -> Verdict {
    let begun = Instant::now();
    let verdict = plan.verify(model);
    assert!(begun.elapsed() < PATIENCE, "{} under {model} took {:?}", plan.name, begun.elapsed());
    agreement::well_reported(plan, &verdict).unwrap_or_else(|why| panic!("{}: {why}", plan.name));
    assert!(verdict.to_string().len() < 400_000);
    verdict
}

/// The kinds under every model, which all have the same.
fn kinds(plan: &Plan) -> Vec<FaultKind> {
    let mut all: Vec<Vec<FaultKind>> = Model::ALL.map(|model| kinds_under(plan, model)).to_vec();
    all.dedup();
    assert_eq!(all.len(), 1, "{}: {all:?}", plan.name);
    all.remove(0)
}

fn kinds_under(plan: &Plan, model: Model) -> Vec<FaultKind> {
    let mut kinds: Vec<FaultKind> = judge(plan, model).faults.iter().map(|fault| fault.kind).collect();
    kinds.dedup();
    kinds
}

fn value(family: u32, k: usize) -> Value {
    Value::new(family, &[k as u64])
}

/// Every rank sends to the next before it receives from the last.
fn ring(ranks: i32) -> Plan {
    let mut plan = Plan::new("ring");
    let a = plan.value("a");
    for r in 0..ranks {
        plan.begin_rank();
        plan.single(Comm::send(a, (r + 1) % ranks));
        plan.single(Comm::recv(a, (r + ranks - 1) % ranks));
    }
    plan
}

#[test]
fn a_cycle_through_all_ranks_there_may_be() {
    let plan = ring(65_535);
    let verdict = judge(&plan, Model::PORTABLE);
    let [fault] = &verdict.faults[..] else { panic!("{verdict}") };
    assert_eq!((fault.kind, fault.waits.len()), (FaultKind::Deadlock, 256));
    let (first, last) = (&fault.waits[0], &fault.waits[255]);
    assert_eq!((last.on_rank, last.on_step), (first.rank, first.step));
    assert!(fault.message.contains("… 131057 more …"), "{}", fault.message);
    assert_eq!(kinds_under(&plan, Model::ALL[7]), []);
}

#[test]
fn everything_unmatched() {
    let mut plan = Plan::new("unmatched");
    let a = plan.value("a");
    plan.begin_rank();
    for _ in 0..MANY {
        plan.single(Comm::send(a, 1));
    }
    plan.begin_rank();
    let verdict = judge(&plan, Model::PORTABLE);
    assert_eq!(verdict.faults.len() + verdict.more, MANY);
    assert_eq!(kinds(&plan), [FaultKind::Unmatched]);
}

/// No kind crowds out another.
#[test]
fn every_kind_is_told() {
    let mut plan = Plan::new("all kinds");
    let (a, b, f) = (plan.value("a"), plan.value("b"), plan.value("f"));
    plan.declare("g", &[]);
    for peer in [1, 0] {
        plan.begin_rank();
        for _ in 0..MANY {
            plan.compute(f, &[(Role::Write, a), (Role::Read, b)], NONE);
        }
        for _ in 0..100 {
            plan.batch(&[Comm::send(a, peer), Comm::recv(b, peer), Comm::send(b, peer)], NONE);
            plan.single(Comm::recv(a, 7));
        }
    }
    use FaultKind::{Batch, Coverage, Dataflow, Mismatch, Peer, Unmatched};
    assert_eq!(kinds_under(&plan, Model::PORTABLE), [Peer, Batch, Mismatch, Unmatched, Dataflow, Coverage]);
}

#[test]
fn a_batch_of_many_blocks() {
    let mut plan = Plan::new("blocks");
    let a = plan.value("a");
    for (peer, send) in [(1, true), (0, false)] {
        plan.begin_rank();
        let comm = if send { Comm::send(a, peer) } else { Comm::recv(a, peer) };
        plan.batch(&vec![comm; MANY], NONE);
    }
    assert_eq!(kinds_under(&plan, Model::PORTABLE), [FaultKind::Batch]);
    assert_eq!(kinds_under(&plan, Model::ALL[1]), []);
}

/// All ranks in one gang, and then once more with a step of rank 0 that comes in between.
#[test]
fn a_gang_of_many_ranks() {
    let ranks = 20_000;
    for torn in [false, true] {
        let mut plan = Plan::new("gang");
        let a = plan.value("a");
        for r in 0..ranks {
            let (before, after) = ((r > 0).then(|| Comm::recv(a, r - 1)), Comm::send(a, r + 1));
            let items: Vec<Comm> = before.into_iter().chain((r + 1 < ranks).then_some(after)).collect();
            plan.begin_rank();
            if torn && r == 0 {
                plan.single(Comm::recv(a, ranks - 1));
            }
            if torn && r == ranks - 1 {
                plan.batch(&[items, vec![Comm::send(a, 0)]].concat(), NONE);
            } else {
                plan.batch(&items, NONE);
            }
        }
        let expected: &[FaultKind] = if torn { &[FaultKind::Deadlock] } else { &[] };
        for model in Model::ALL.into_iter().filter(|m| m.batch() == counterpart_core::BatchRule::Gang) {
            assert_eq!(kinds_under(&plan, model), expected, "{model}");
        }
    }
}

#[test]
fn every_value_too_soon_or_twice() {
    let mut plan = Plan::new("values");
    let (x, f) = (plan.family("x", 1), plan.family("f", 1));
    plan.begin_rank();
    for k in 0..MANY {
        let uses = [
            (Role::Read, value(x, k)),
            (Role::After, value(f, k + 1)),
            (Role::After, value(f, k + 2 * MANY)),
        ];
        plan.compute(value(f, k), &uses, NONE);
    }
    for k in 0..MANY {
        plan.compute(value(f, k + MANY), &[(Role::Write, value(x, k))], NONE);
    }
    plan.begin_rank();
    for k in 0..MANY {
        plan.compute(value(f, k + 3 * MANY), &[(Role::Write, value(x, k))], NONE);
    }
    assert_eq!(kinds_under(&plan, Model::PORTABLE), [FaultKind::Dataflow]);
}

#[test]
fn many_domains_and_a_vast_one() {
    let mut plan = Plan::new("domains");
    plan.declare("vast", &[0..1 << 24, 0..1 << 24, 0..1 << 24, 0..1 << 24]);
    plan.begin_rank();
    for k in 0..20_000 {
        let name = format!("f{k}");
        let label = plan.value(&name);
        plan.declare(&name, &[]);
        for _ in 0..k % 3 {
            plan.compute(label, &[], NONE);
        }
    }
    let verdict = judge(&plan, Model::PORTABLE);
    assert!(verdict.faults.iter().all(|fault| fault.kind == FaultKind::Coverage));
    // The vast one, those that never run, and those that run twice.
    assert_eq!(verdict.faults.len() + verdict.more, 1 + 6_667 + 6_666);
}
