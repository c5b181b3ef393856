//! The clock against the slow one, which is written straight from the definition.

use counterpart_core::comms::{self, Goal, Rule};
use counterpart_core::simulate::Costs;
use counterpart_core::tape::StepKind;
use counterpart_core::{Model, Plan};
use counterpart_testkit::oracle::times;
use counterpart_testkit::{World, mutants, random, tables};

/// Costs that differ by family.
fn costs(plan: &Plan, seed: u64) -> Costs {
    let mut costs = Costs::new().transfer(seed % 3);
    for family in 1..plan.names().len() as u32 {
        costs = costs.compute(family, (u64::from(family) * 7 + seed) % 5);
    }
    costs
}

/// Compares every step under every model, and says under how many models the plan runs.
fn compare(plan: &Plan, costs: &Costs, name: &str) -> usize {
    let mut runs = 0;
    for model in Model::ALL {
        let cost = |rank: usize, step: usize| costs.step(plan, &plan.steps(rank)[step]);
        let transfer =
            |rank: usize, step: usize, item: usize| costs.item(&plan.items(&plan.steps(rank)[step])[item]);
        let slow = times(plan, model, cost, transfer);
        let fast = plan.simulate(model, costs).map(|timeline| -> Vec<Vec<(u64, u64)>> {
            let ranks = timeline.begin.into_iter().zip(timeline.end);
            ranks.map(|(begin, end)| begin.into_iter().zip(end).collect()).collect()
        });
        assert_eq!(fast, slow, "{name} under {model}");
        runs += usize::from(fast.is_some());
    }
    runs
}

#[test]
fn schedules_take_the_same_time_on_both_clocks() {
    for order in tables::all(&[1, 2, 3, 4], &[2], &[4, 8]) {
        let plan = order.plan();
        for seed in 0..3 {
            let costs = costs(&plan, seed);
            for rule in Rule::ALL {
                let goal = Goal { costs: costs.clone(), rule: Some(rule), ..Goal::default() };
                let inserted = comms::auto(&plan, &goal).expect("it can run");
                assert_eq!(compare(&inserted.plan, &costs, &order.name), 9);
            }
        }
    }
}

#[test]
fn random_plans_and_their_mutants_take_the_same_time_on_both_clocks() {
    let (mut runs, mut stops, mut batches) = (0, 0, 0);
    for seed in 0..20 {
        let mut visit = |what: &str, world: &World| {
            let plan = world.to_plan();
            let found = compare(&plan, &costs(&plan, seed), &format!("random plan {seed}, {what}"));
            (runs, stops) = (runs + found, stops + 9 - found);
            let steps = (0..plan.ranks()).flat_map(|rank| plan.steps(rank));
            batches += steps.filter(|step| step.kind == StepKind::Batch && step.len > 1).count();
        };
        let safe = random::safe(seed, 10);
        visit("as it is", &safe);
        mutants::each(&safe, &mut visit);
    }
    println!("{runs} runs, {stops} stops, {batches} batches");
    assert!(runs > 1_000 && stops > 1_000 && batches > 1_000, "{runs} {stops} {batches}");
}
