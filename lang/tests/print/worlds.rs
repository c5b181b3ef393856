//! Random schedules and what single edits make of them, unsafe ones too.

use counterpart_testkit::{Step, World, mutants, random};

use super::compare::{check, try_check};

/// A random schedule that only uses what the language has words for.
fn sayable(seed: u64, rounds: usize) -> World {
    let mut world = random::safe(seed, rounds);
    let mut programs = std::mem::take(&mut world.programs);
    for (rank, program) in programs.iter_mut().enumerate() {
        for comm in program.iter_mut().flat_map(|step| step.comms_mut()).filter(|comm| comm.label == "_") {
            comm.label = format!("Any[{rank},{}]", comm.peer);
            comm.payload = None;
        }
    }
    world.programs = programs;
    world
}

#[test]
fn random_schedules() {
    for seed in 0..100 {
        check(&sayable(seed, 12).to_plan());
    }
    for seed in 0..3 {
        check(&sayable(seed, 120).to_plan());
    }
}

#[test]
fn mutants_of_random_schedules() {
    let (mut printed, mut refused) = (0, 0);
    for seed in 0..4 {
        mutants::each(&sayable(seed, 6), &mut |what, mutant| match try_check(&mutant.to_plan()) {
            Ok(_) => printed += 1,
            Err(error) => {
                refused += 1;
                assert!(error.rank.is_some() && error.step.is_some(), "{what}: {error}");
                let reason = says_any(mutant) || error.message.contains("another element type or count");
                assert!(reason, "{what}: {error}");
            }
        });
    }
    assert!(printed > 10 * refused / 3 && refused > 0, "{printed} printed, {refused} refused");
}

fn says_any(world: &World) -> bool {
    let labels = |step: &Step| {
        let mut labels: Vec<String> = step.comms().iter().map(|comm| comm.label.clone()).collect();
        if let Some(compute) = step.as_compute() {
            labels.extend([&compute.reads[..], &compute.writes, &compute.after].concat());
        }
        labels
    };
    world.programs.iter().flatten().flat_map(labels).any(|label| label == "_")
}
