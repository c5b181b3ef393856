//! Random safe schedules are judged safe, and every schedule one edit away is judged as the oracle judges it.

use counterpart_testkit::{agreement, mutants, random};

#[test]
fn safe_schedules_are_safe_under_every_model() {
    for seed in 0..2_000 {
        let world = random::safe(seed, 4 + seed as usize % 40);
        let safe = agreement::check(&world).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        assert_eq!(safe, [true; 9], "seed {seed}:\n{world}");
    }
}

#[test]
fn mutants_are_judged_alike() {
    let (mut all, mut portable, mut never) = (0, 0, 0);
    for seed in 0..40 {
        let world = random::safe(seed, 4 + seed as usize % 12);
        mutants::each(&world, &mut |edit, mutant| {
            let safe = agreement::check(mutant).unwrap_or_else(|why| panic!("seed {seed}, {edit}: {why}"));
            all += 1;
            portable += usize::from(safe[0]);
            never += usize::from(!safe.contains(&true));
        });
    }
    // Many of each: mutants that nothing saves, and mutants that are as good as the original.
    assert!(all > 25_000 && portable > 5_000 && never > 10_000, "{all} {portable} {never}");
}
