//! The schedules of the field at small sizes: safe under every model, for verifier and oracle alike.

use counterpart_core::Plan;
use counterpart_testkit::{World, agreement, mutants, schedules};

fn small() -> Vec<Plan> {
    let mut plans = Vec::new();
    for p in 1..=5 {
        for m in 1..=6 {
            plans.extend([schedules::one_f1b(p, m), schedules::gpipe(p, m)]);
        }
        for v in 1..=3 {
            plans.extend([schedules::interleaved(p, v, p), schedules::interleaved(p, v, 2 * p)]);
        }
    }
    plans.extend((2..=6).map(schedules::ring));
    plans
}

#[test]
fn all_are_safe_under_every_model() {
    for plan in small() {
        let safe = agreement::check(&World::from_plan(&plan));
        assert_eq!(safe, Ok([true; 9]), "{}", plan.name);
    }
}

#[test]
fn mutants_are_judged_alike() {
    for plan in [schedules::one_f1b(3, 3), schedules::gpipe(2, 2), schedules::ring(3)] {
        mutants::each(&World::from_plan(&plan), &mut |edit, mutant| {
            agreement::check(mutant).unwrap_or_else(|why| panic!("{}, {edit}: {why}", plan.name));
        });
    }
}

#[test]
fn the_size_of_the_benchmark() {
    let steps = schedules::one_f1b(64, 772).len();
    assert!((200_000..201_000).contains(&steps), "{steps}");
}
