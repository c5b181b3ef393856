//! Dataflow, rank by rank: where a value comes from and where it goes.

use crate::world::{Step, World};

/// Has the schedule a dataflow fault? Of one that writes nothing only what runs after what is judged.
pub(super) fn is_wrong(world: &World) -> bool {
    let steps = || world.programs.iter().flatten();
    let writes = |step: &Step, label: &str| {
        step.as_compute().map_or(0, |c| c.writes.iter().filter(|w| *w == label).count())
    };
    let mut written: Vec<&String> = steps().filter_map(Step::as_compute).flat_map(|c| &c.writes).collect();
    let has_writes = !written.is_empty();
    written.retain(|label| *label != "_");
    let written_twice = written.iter().any(|w| steps().map(|step| writes(step, w)).sum::<usize>() > 1);

    let receives =
        |step: &Step, label: &str| step.comms().iter().filter(|c| !c.send && c.label == label).count();
    let arrives = |step: &Step, label: &str| writes(step, label) + receives(step, label);
    let rank_is_wrong = |program: &Vec<Step>| {
        program.iter().enumerate().any(|(at, step)| {
            let (before, later) = (&program[..at], &program[at + 1..]);
            let absent = |label: &str| !before.iter().any(|s| arrives(s, label) > 0);
            let uses_too_soon = used(step).any(absent);
            let arrived_twice = brought(step)
                .any(|label| arrives(step, label) > 1 || before.iter().any(|s| arrives(s, label) > 0));
            let received = step.comms().iter().filter(|c| !c.send && c.label != "_");
            let unused = received.clone().any(|c| !later.iter().any(|s| used(s).any(|u| u == c.label)));
            let runs = |name: &str| before.iter().flat_map(Step::names).any(|n| n == name);
            let after = step.as_compute().map_or(&[][..], |c| &c.after);
            let too_early = after.iter().any(|name| name != "_" && !runs(name));
            too_early || has_writes && (uses_too_soon || arrived_twice || unused)
        })
    };
    written_twice || world.programs.iter().any(rank_is_wrong)
}

/// The values that a step sends or reads.
fn used(step: &Step) -> impl Iterator<Item = &str> {
    let reads = step.as_compute().map_or(&[][..], |c| &c.reads).iter().map(String::as_str);
    let sends = step.comms().iter().filter(|c| c.send).map(|c| c.label.as_str());
    reads.chain(sends).filter(|label| *label != "_")
}

/// The values that a step writes or receives.
fn brought(step: &Step) -> impl Iterator<Item = &str> {
    let writes = step.as_compute().map_or(&[][..], |c| &c.writes).iter().map(String::as_str);
    let receives = step.comms().iter().filter(|c| !c.send).map(|c| c.label.as_str());
    writes.chain(receives).filter(|label| *label != "_")
}
