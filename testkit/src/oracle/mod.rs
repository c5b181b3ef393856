//! A slow judge, written straight from the definitions and sharing no code with the verifier.
//!
//! Where the verifier plays a schedule forward, the oracle writes down the whole graph of events with all its edges,
//! the redundant ones too, and looks for a cycle. Where the verifier keeps tables, the oracle searches.

mod coverage;
mod dataflow;
mod events;
mod pairing;
mod time;
mod waits;

use std::collections::BTreeSet;

use counterpart_core::{BatchRule, Channel, FaultKind, Model};

use crate::world::World;
use events::Events;
use pairing::Pairing;

pub use time::times;

/// A step: rank and number.
pub type Place = (usize, usize);
/// An item of a step: rank, step and item.
pub type ItemPlace = (usize, usize, usize);

/// What is known of a schedule before a model is chosen.
pub struct Oracle<'w> {
    world: &'w World,
    pairing: Pairing,
    /// Kinds of faults that the schedule has under every model.
    always: BTreeSet<FaultKind>,
}

impl<'w> Oracle<'w> {
    /// Pairs sends with receives and judges what no model changes.
    pub fn new(world: &'w World) -> Oracle<'w> {
        let pairing = pairing::pair(world);
        let mut always = pairing.kinds.clone();
        if dataflow::is_wrong(world) {
            always.insert(FaultKind::Dataflow);
        }
        if coverage::is_wrong(world) {
            always.insert(FaultKind::Coverage);
        }
        Oracle { world, pairing, always }
    }

    /// Can the steps be put into a graph: has everything a partner?
    pub fn is_paired(&self) -> bool {
        !self.always.contains(&FaultKind::Peer) && !self.always.contains(&FaultKind::Unmatched)
    }

    /// The kinds of faults that the schedule has under a model; none when it is safe.
    pub fn kinds(&self, model: Model) -> BTreeSet<FaultKind> {
        let mut kinds = self.always.clone();
        if model.batch() == BatchRule::Gang && self.has_bad_batch() {
            kinds.insert(FaultKind::Batch);
        }
        if self.is_paired() && Events::of(self.world, &self.pairing, model).is_stuck() {
            kinds.insert(FaultKind::Deadlock);
        }
        kinds
    }

    /// May a report say that `step` waits for `on`, in one hop, under a model?
    pub fn waits_for(&self, model: Model, step: Place, on: Place) -> bool {
        let together = || Events::of(self.world, &self.pairing, model).run_as_one(step, on);
        if step.0 == on.0 {
            let before = waits::within(&self.world.programs[step.0], step.1, model.channel());
            return before.contains(&on.1) || (on.1 > step.1 && together());
        }
        let items = self.world.programs[step.0][step.1].comms();
        let direct = items.iter().enumerate().any(|(i, comm)| {
            let partner = self.pairing.partner.get(&(step.0, step.1, i));
            let waits = model.channel() != Channel::Eager || !comm.send;
            waits && partner.is_some_and(|&(rank, number, _)| (rank, number) == on)
        });
        direct || together()
    }

    /// Has a batch two blocks in one direction for one peer, or does it, where all edges agree, meet two steps of one
    /// peer?
    fn has_bad_batch(&self) -> bool {
        let judged = self.is_paired() && !self.always.contains(&FaultKind::Mismatch);
        self.world.programs.iter().enumerate().any(|(rank, program)| {
            program.iter().enumerate().any(|(number, step)| {
                let comms = step.comms();
                (0..comms.len()).any(|i| {
                    (0..i).any(|j| {
                        let partner = |k| self.pairing.partner.get(&(rank, number, k)).map(|p| (p.0, p.1));
                        let valid = pairing::peer(self.world, rank, &comms[i]).is_some();
                        let same_peer = valid && comms[i].peer == comms[j].peer;
                        let doubled = same_peer && comms[i].send == comms[j].send;
                        let torn = judged && same_peer && partner(i) != partner(j);
                        doubled || torn
                    })
                })
            })
        })
    }
}
