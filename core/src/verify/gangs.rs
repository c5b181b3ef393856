//! The gang rule: a batch and all its partner steps run as one.
//!
//! Steps that a batch ties together are merged in a union-find forest; the members of a gang also form a ring, so
//! that all can be visited. No two steps of one rank may be in one gang.

use super::findings::{Detail, Finding, Findings};
use super::matching::Matching;
use crate::fault::FaultKind;
use crate::tape::{NONE, StepKind, Tape};

/// Gangs of steps. All entries are place + 1, and 0 stands for the step itself.
pub(super) struct Gangs<'a> {
    parent: &'a mut [u32],
    ring: &'a mut [u32],
    /// Members of the gang besides its root, kept at the root.
    others: &'a mut [u32],
}

impl<'a> Gangs<'a> {
    /// Every step is a gang of its own. The three arrays are zeroed and have a word per step.
    pub(super) const fn new(parent: &'a mut [u32], ring: &'a mut [u32], others: &'a mut [u32]) -> Gangs<'a> {
        Gangs { parent, ring, others }
    }

    /// Merges every batch with its partner steps, and reports batches that do not balance. Returns a pair of steps
    /// that one rank has in one gang, where there is one. `seen` has a word per step and `peers` two per rank, zeroed.
    pub(super) const fn form(
        &mut self,
        tape: &Tape<'_>,
        matching: &Matching<'_>,
        seen: &mut [u32],
        peers: &mut [u32],
        out: &mut Findings,
    ) -> Option<(u32, u32)> {
        // An edge that is shifted ties wrong steps together: the shift is the news, not the balance.
        let judged = !out.has(FaultKind::Mismatch);
        let mut merged = false;
        let mut s = 0;
        while s < tape.steps.len() {
            if matches!(tape.steps[s].kind, StepKind::Batch) {
                let mut i = tape.steps[s].first;
                let end = i + tape.steps[s].len;
                while i < end {
                    let partner = matching.partner[i as usize];
                    if partner != 0 {
                        self.merge(s as u32, tape.items[partner as usize - 1].step);
                        merged = true;
                    }
                    i += 1;
                }
                if judged {
                    balance(tape, matching, s, peers, out);
                }
            }
            s += 1;
        }
        if merged { self.twice(tape, seen) } else { None }
    }

    /// The root of the gang of a step.
    pub(super) const fn root(&mut self, step: u32) -> u32 {
        let mut s = step;
        while self.parent[s as usize] != 0 {
            let up = self.parent[s as usize] - 1;
            if self.parent[up as usize] != 0 {
                self.parent[s as usize] = self.parent[up as usize];
            }
            s = up;
        }
        s
    }

    /// Is the step in a gang with others?
    pub(super) const fn has_others(&self, step: u32) -> bool {
        self.ring[step as usize] != 0
    }

    /// The next member of the gang of `step`, in a ring.
    pub(super) const fn after(&self, step: u32) -> u32 {
        match self.ring[step as usize] {
            0 => step,
            next => next - 1,
        }
    }

    /// The number of members of the gang with this root.
    pub(super) const fn size(&self, root: u32) -> u32 {
        self.others[root as usize] + 1
    }

    const fn merge(&mut self, a: u32, b: u32) {
        let (mut a, mut b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        if self.others[a as usize] < self.others[b as usize] {
            (a, b) = (b, a);
        }
        self.parent[b as usize] = a + 1;
        self.others[a as usize] += self.others[b as usize] + 1;
        let (after_a, after_b) = (self.after(a), self.after(b));
        self.ring[a as usize] = after_b + 1;
        self.ring[b as usize] = after_a + 1;
    }

    /// Two steps of one rank in one gang, if there are.
    const fn twice(&mut self, tape: &Tape<'_>, seen: &mut [u32]) -> Option<(u32, u32)> {
        let mut s = 0;
        while s < tape.steps.len() as u32 {
            if self.has_others(s) {
                let root = self.root(s) as usize;
                let before = seen[root];
                if before != 0 && tape.steps[before as usize - 1].rank == tape.steps[s as usize].rank {
                    return Some((before - 1, s));
                }
                seen[root] = s + 1;
            }
            s += 1;
        }
        None
    }
}

/// A batch that meets two steps of one peer does not balance with the batches of that peer. `peers` has two words per
/// rank: the batch that faced it last, and the item.
const fn balance(tape: &Tape<'_>, matching: &Matching<'_>, s: usize, peers: &mut [u32], out: &mut Findings) {
    let step = tape.steps[s];
    let end = (step.first + step.len) as usize;
    let mut i = step.first as usize;
    while i < end {
        let met = partner_step(tape, matching, i);
        if met != NONE {
            let peer = 2 * tape.items[i].peer as usize;
            if peers[peer] == s as u32 + 1 {
                let first = peers[peer + 1];
                let before = partner_step(tape, matching, first as usize);
                if before != met {
                    let finding = Finding::new(Detail::Unbalanced, s as u32, first);
                    let other = matching.partner[first as usize] - 1;
                    out.push(Finding { number: met, ..finding.against(before, other) });
                    return;
                }
            }
            peers[peer] = s as u32 + 1;
            peers[peer + 1] = i as u32;
        }
        i += 1;
    }
}

const fn partner_step(tape: &Tape<'_>, matching: &Matching<'_>, i: usize) -> u32 {
    match matching.partner[i] {
        0 => NONE,
        partner => tape.items[partner as usize - 1].step,
    }
}
