//! Deadlocks, seen at the moment at which they arise.
//!
//! A posted step waits for all its entries. An entry whose peer has posted a step without its counterpart waits for
//! that step to end (a *wait*); two entries that are mates (under the gang rule, while the gang is not complete) hold
//! their steps together in both directions. A circle of these with at least one wait in it can never move again.
//! Where nobody can move, every gang has a wait, so there is such a circle; and a circle arises with the step that is
//! posted last in it, so it goes through that step.

use std::mem::take;

use super::state::{Phase, State};
use crate::error::Wait;

const UNSEEN: Step = Step { node: usize::MAX, entry: usize::MAX };

/// Came from this node by this entry. Node `2 r` is rank `r` reached without a wait on the way, `2 r + 1` with one.
#[derive(Clone, Copy)]
struct Step {
    node: usize,
    entry: usize,
}

/// What a search needs, kept so that a step allocates nothing.
#[derive(Default)]
pub(super) struct Search {
    came: Vec<Step>,
    open: Vec<usize>,
}

impl State {
    /// A circle of waits through `rank`, which has just posted its step.
    pub(super) fn circle(&mut self, rank: usize) -> Option<Vec<Wait>> {
        if !self.has_blocked_peer(rank) {
            return None;
        }
        let mut search = take(&mut self.search);
        let waits = self.search(rank, &mut search);
        self.search = search;
        waits
    }

    fn search(&self, rank: usize, Search { came, open }: &mut Search) -> Option<Vec<Wait>> {
        let (start, goal) = (2 * rank, 2 * rank + 1);
        came.clear();
        came.resize(2 * self.slots.len(), UNSEEN);
        came[start].node = start;
        open.clear();
        open.push(start);
        while let Some(node) = open.pop() {
            for (i, entry) in self.slots[node / 2].entries.iter().enumerate() {
                if entry.phase != Phase::Waiting || self.slots[entry.peer].waiting == 0 {
                    continue;
                }
                let waited = node % 2 == 1 || entry.mate.is_none();
                let next = 2 * entry.peer + usize::from(waited);
                if came[next].node == UNSEEN.node {
                    came[next] = Step { node, entry: i };
                    open.push(next);
                }
                if next == goal {
                    return Some(self.waits(came, start, goal));
                }
            }
        }
        None
    }

    fn has_blocked_peer(&self, rank: usize) -> bool {
        let entries = &self.slots[rank].entries;
        entries.iter().any(|e| e.phase == Phase::Waiting && self.slots[e.peer].waiting > 0)
    }

    /// The circle from `start` to `goal`, in the order of the waits.
    fn waits(&self, came: &[Step], start: usize, goal: usize) -> Vec<Wait> {
        let mut waits = Vec::new();
        let mut at = goal;
        while at != start {
            let Step { node, entry } = came[at];
            let slot = &self.slots[node / 2];
            let (send, peer) = (slot.entries[entry].is_send(), slot.entries[entry].peer);
            let peer_step = self.slots[peer].step;
            waits.push(Wait { rank: node / 2, step: slot.step, send, peer, peer_step });
            at = node;
        }
        waits.reverse();
        waits
    }
}
