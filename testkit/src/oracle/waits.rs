//! What a step waits for inside its own rank.

use counterpart_core::Channel;

use crate::world::{Comm, Step};

/// The earlier steps of the program whose end step `at` waits for, whether or not others among them imply it.
pub(super) fn within(program: &[Step], at: usize, channel: Channel) -> Vec<usize> {
    (0..at).filter(|&before| channel == Channel::Blocking || waits(program, at, before, channel)).collect()
}

fn waits(program: &[Step], at: usize, before: usize, channel: Channel) -> bool {
    let (step, earlier) = (&program[at], &program[before]);
    let both_communicate = step.as_compute().is_none() && earlier.as_compute().is_none();
    let one_queue = both_communicate
        && step
            .comms()
            .iter()
            .any(|a| earlier.comms().iter().any(|b| queue(channel, a) == queue(channel, b)));
    let compute_first = earlier.as_compute().is_some();
    let brings = brought(step).into_iter().any(|label| last_receive(program, at, label) == Some(before));
    one_queue || compute_first || brings
}

/// What a communication step queues behind: peer and direction, as far as the channel tells them apart.
fn queue(channel: Channel, comm: &Comm) -> (Option<i32>, Option<bool>) {
    match channel {
        Channel::Blocking | Channel::Queue => (None, None),
        Channel::Pair => (Some(comm.peer), None),
        Channel::Edge | Channel::Eager => (Some(comm.peer), Some(comm.send)),
    }
}

/// The values that have to be there for a step: those that it reads, or sends.
fn brought(step: &Step) -> Vec<&str> {
    let mut labels: Vec<&str> = match step {
        Step::Compute(compute) => compute.reads.iter().map(String::as_str).collect(),
        _ => step.comms().iter().filter(|c| c.send).map(|c| c.label.as_str()).collect(),
    };
    labels.retain(|&label| label != "_");
    labels
}

/// The latest step before `at` that receives the value.
fn last_receive(program: &[Step], at: usize, label: &str) -> Option<usize> {
    (0..at).rev().find(|&k| program[k].comms().iter().any(|c| !c.send && c.label == label))
}
