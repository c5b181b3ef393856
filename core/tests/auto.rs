//! Communication that is chosen: safe under all nine models, and as fast as what is known or faster.

use counterpart_core::comms::{self, Goal, Rule};
use counterpart_core::simulate::Costs;
use counterpart_core::{BatchRule, Channel, FaultKind, Model, Plan};
use counterpart_testkit::tables::{self, Order};
use counterpart_testkit::{World, random};

/// Forward 1, both halves of the backward 1 each, a transfer `quarters` quarters of that.
fn costs(plan: &mut Plan, quarters: u64) -> Costs {
    let [f, b, i, w] = ["F", "B", "I", "W"].map(|kind| plan.family(kind, 2));
    Costs::new().compute(f, 4).compute(b, 8).compute(i, 4).compute(w, 4).transfer(quarters)
}

fn queue() -> Model {
    Model::new(Channel::Queue, BatchRule::Gang).expect("there is such a model")
}

/// Makespans in quarters: rule *paired*, rule *timed*, what is chosen, and the ideal.
fn makespans(order: &Order, quarters: u64) -> ([u64; 4], String) {
    let mut plan = order.plan();
    let costs = costs(&mut plan, quarters);
    let goal = Goal { costs: costs.clone(), ..Goal::default() };
    let inserted = comms::auto(&plan, &goal).expect("it can run");
    let span = |plan: &Plan| plan.simulate(queue(), &costs).expect("it runs").makespan;
    let alone = [comms::paired(&plan).unwrap(), comms::timed(&plan, &costs).unwrap()].map(|plan| span(&plan));
    assert_eq!(span(&inserted.plan), inserted.choice.best().makespan);
    (
        [alone[0], alone[1], inserted.choice.best().makespan, inserted.choice.ideal],
        inserted.choice.to_string(),
    )
}

/// What is published of eight schedules on one in-order queue, in quarters: at no transfer time *paired*, *timed* and the
/// ideal, and the same with a quarter.
fn known() -> Vec<(Order, [u64; 3], [u64; 3])> {
    vec![
        (tables::one_f1b(8, 32), [468, 468, 468], [542, 590, 536]),
        (tables::interleaved(8, 2, 16), [672, 468, 468], [782, 558, 498]),
        (tables::interleaved(8, 4, 32), [2208, 1620, 1620], [2478, 1934, 1682]),
        (tables::interleaved_zero_bubble(8, 2, 16), [604, 412, 412], [707, 508, 448]),
        (tables::looped_bfs(8, 4, 32), [3924, 1620, 1620], [5022, 1900, 1634]),
        (tables::zbv(8, 32), [844, 796, 796], [897, 914, 815]),
        (tables::dual_pipe_v(8, 32), [1188, 824, 824], [1394, 1048, 892]),
        (tables::dual_pipe(8, 32), [448, 408, 408], [540, 518, 445]),
    ]
}

#[test]
fn on_one_queue_the_choice_is_at_least_as_fast_as_what_is_known() {
    for (order, without, with) in known() {
        for (quarters, [paired, timed, _]) in [(0, without), (1, with)] {
            let ([our_paired, our_timed, chosen, ideal], words) = makespans(&order, quarters);
            let name = format!("{}, transfer {quarters}/4: {words}", order.name);
            assert_eq!(our_paired, paired, "{name}");
            assert!(our_timed <= timed && chosen <= paired.min(timed) && ideal <= chosen, "{name}");
            assert!(quarters > 0 || chosen == ideal, "{name}");
        }
    }
}

#[test]
fn what_is_chosen_is_safe_under_all_models() {
    let orders = tables::all(&[1, 2, 3, 4, 6, 8], &[2, 3], &[4, 8, 12, 16]);
    for order in &orders {
        for quarters in [0, 1, 4] {
            let mut plan = order.plan();
            let costs = costs(&mut plan, quarters);
            for rule in [None, Some(Rule::Paired), Some(Rule::Timed), Some(Rule::Urgent)] {
                let goal = Goal { costs: costs.clone(), rule, ..Goal::default() };
                let inserted = comms::auto(&plan, &goal).expect("it can run");
                let name = format!("{}, transfer {quarters}/4, {rule:?}", order.name);
                for model in Model::ALL {
                    let verdict = inserted.plan.verify(model);
                    assert!(verdict.is_safe(), "{name} under {model}: {verdict}");
                }
                assert!(rule.is_none_or(|rule| inserted.choice.best().rule == rule), "{name}");
            }
        }
    }
}

#[test]
fn a_batch_is_made_where_it_pays_and_nowhere_else() {
    let mut plan = tables::one_f1b(4, 8).plan();
    for (quarters, fast) in [(0, queue()), (4, queue()), (4, Model::PORTABLE)] {
        let costs = costs(&mut plan, quarters);
        let goal = Goal { costs: costs.clone(), fast, ..Goal::default() };
        let inserted = comms::auto(&plan, &goal).expect("it can run");
        let best = inserted.choice.tried.iter().map(|one| one.makespan).min().expect("something was tried");
        assert_eq!(inserted.choice.best().makespan, best, "{}", inserted.choice);
        let first = inserted.choice.tried.iter().position(|one| one.makespan == best);
        assert_eq!(Some(inserted.choice.chosen), first, "{}", inserted.choice);
    }
}

#[test]
fn what_cannot_run_is_a_circle_of_waits_by_every_rule() {
    let mut plan = Plan::new("circle");
    let [f, g, a, b] = ["f", "g", "a", "b"].map(|label| plan.value(label));
    use counterpart_core::tape::{NONE, Role::*};
    plan.begin_rank();
    plan.compute(f, &[(Read, b), (Write, a)], NONE);
    plan.begin_rank();
    plan.compute(g, &[(Read, a), (Write, b)], NONE);
    let paired = comms::paired(&plan).expect_err("it cannot run");
    assert_eq!(comms::timed(&plan, &Costs::new()).expect_err("it cannot run"), paired);
    assert_eq!(comms::auto(&plan, &Goal::default()).expect_err("it cannot run"), paired);
}

/// A random world without its communication.
fn compute_only(world: &World) -> World {
    let mut world = world.clone();
    world.programs.iter_mut().for_each(|program| program.retain(|step| step.as_compute().is_some()));
    world
}

/// Values that several ranks read, steps that write several values or overlap, orders that are not regular: what is inserted is
/// safe wherever the order can run, and each value travels once to each rank that reads it.
#[test]
fn for_any_order_it_is_safe_under_all_models_and_sends_each_value_once_to_each_reader() {
    let (mut run, mut stuck, mut batches) = (0, 0, 0);
    for seed in 0..600 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut world = compute_only(&random::safe(seed, 3 + seed as usize % 40));
        for program in world.programs.iter_mut().filter(|program| program.len() > 1) {
            for _ in 0..rng.usize(0..2) {
                let at = rng.usize(1..program.len());
                program.swap(at - 1, at);
            }
        }
        let mut plan = world.to_plan();
        let work = plan.family("work", 1);
        let costs = Costs::new().compute(work, rng.u64(0..4)).transfer(rng.u64(0..3));
        let fast = Model::ALL[rng.usize(0..Model::ALL.len())];
        for rule in [None, Some(Rule::Paired), Some(Rule::Timed), Some(Rule::Urgent)] {
            let goal = Goal { costs: costs.clone(), fast, rule, ..Goal::default() };
            let Ok(inserted) = comms::auto(&plan, &goal) else {
                assert!(comms::paired(&plan).is_err(), "only {rule:?} cannot run\n{world}");
                stuck += 1;
                continue;
            };
            // Other faults, such as what runs too late after something, are those of the order.
            let paired = comms::paired(&plan).expect("it can run");
            let progress = |plan: &Plan, model: Model| {
                let faults = plan.verify(model).faults;
                faults.into_iter().filter(|fault| fault.kind != FaultKind::Dataflow).collect::<Vec<_>>()
            };
            for model in Model::ALL {
                assert_eq!(progress(&inserted.plan, model), [], "{rule:?} under {model}\n{world}");
            }
            assert_eq!(transfers(&inserted.plan), transfers(&paired), "{rule:?}\n{world}");
            let timeline = inserted.plan.simulate(fast, &costs).expect("it runs");
            assert_eq!(timeline.makespan, inserted.choice.best().makespan);
            let best = inserted.choice.tried.iter().map(|one| one.makespan).min();
            assert!(!inserted.plan.verify(Model::PORTABLE).is_safe() || Some(timeline.makespan) == best);
            run += 1;
            batches += inserted.choice.best().batches;
        }
    }
    assert!(run > 300 && stuck > 50 && batches > 100, "{run} ran, {stuck} did not, {batches} batches");
}

/// What is sent from where to where, sorted.
fn transfers(plan: &Plan) -> Vec<(usize, i32, String)> {
    let mut all = Vec::new();
    for rank in 0..plan.ranks() {
        for item in plan.steps(rank).iter().flat_map(|step| plan.items(step)).filter(|item| item.send) {
            all.push((rank, item.peer, plan.label(item.value)));
        }
    }
    all.sort_unstable();
    all
}
