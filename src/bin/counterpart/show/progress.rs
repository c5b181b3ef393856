//! How far a plan gets that cannot run to its end.

use counterpart::core::tape::StepKind;
use counterpart::core::{Channel, Model, Plan};

use super::pairs::Pairs;

/// How many steps each rank takes before it waits for ever. Every step waits for the one before it; an item waits until
/// its counterpart has been reached, but a send does not where the channel is `eager`.
pub fn run(plan: &Plan, pairs: &Pairs, model: Model) -> Vec<usize> {
    let eager = model.channel() == Channel::Eager;
    let mut done = vec![0; plan.ranks()];
    let mut waiting: Vec<usize> = (0..plan.ranks()).rev().collect();
    while let Some(rank) = waiting.pop() {
        while let Some(step) = plan.steps(rank).get(done[rank]) {
            let items = pairs.of_step(rank, done[rank]).zip(plan.items(step));
            let mut ready = true;
            for (item, comm) in items {
                ready &= match pairs.partner(item).map(|partner| pairs.place(partner)) {
                    Some((peer, its_step)) => {
                        // Whoever waits for this step may go on now.
                        if done[peer] == its_step {
                            waiting.push(peer);
                        }
                        done[peer] >= its_step || eager && comm.send
                    }
                    None => eager && comm.send,
                };
            }
            if !ready && step.kind != StepKind::Compute {
                break;
            }
            done[rank] += 1;
        }
    }
    done
}
