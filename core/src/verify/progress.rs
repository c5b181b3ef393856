//! Progress: runs the event graph of a plan under a channel model until nothing moves.
//!
//! Programs are deterministic and have no wildcard receive, so the order in which steps are tried does not matter: a
//! plan can run to its end exactly when this does. Every step begins once, every item is looked at once from each
//! side, and every wait inside a rank is looked at once.

use super::findings::Findings;
use super::gangs::Gangs;
use super::matching::Matching;
use super::order::Order;
use crate::model::Channel;
use crate::tape::{StepKind, Tape};

/// A step has not begun.
pub(super) const WAITING: u32 = 0;
/// It has begun, and some of its items have not met their partners.
pub(super) const BEGUN: u32 = 1;
/// It has ended.
pub(super) const ENDED: u32 = 2;

/// One run over the event graph.
pub(super) struct Machine<'a, 't> {
    pub tape: &'a Tape<'t>,
    pub channel: Channel,
    pub matching: &'a Matching<'a>,
    /// Present under the gang rule.
    pub gangs: Option<Gangs<'a>>,
    /// Empty under `blocking`.
    pub order: Order<'a>,
    /// State of each step.
    pub state: &'a mut [u32],
    /// What each step still waits for: items that have met; at the root of a gang, members that have begun.
    pub met: &'a mut [u32],
    /// Steps that may begin, as a stack.
    pub ready: &'a mut [u32],
    pub ready_len: usize,
    /// Per step: the waits inside the rank that are over.
    pub passed: &'a mut [u32],
    /// Steps that wait for a step, as lists through `next_waiter`; place + 1.
    pub waiters: &'a mut [u32],
    pub next_waiter: &'a mut [u32],
}

impl Machine<'_, '_> {
    /// Runs until nothing moves, and returns whether every step has ended.
    pub(super) const fn run(&mut self, bad_gang: Option<(u32, u32)>) -> bool {
        if let (Some(gangs), Some((step, _))) = (&mut self.gangs, bad_gang) {
            // One member more than there is never comes: the gang cannot run.
            let root = gangs.root(step);
            self.met[root as usize] = u32::MAX / 2;
        }
        let mut s = 0;
        while s < self.tape.steps.len() {
            if !matches!(self.channel, Channel::Blocking) {
                self.await_next(s as u32);
            } else if s == 0 || self.tape.steps[s].rank != self.tape.steps[s - 1].rank {
                self.push(s as u32);
            }
            s += 1;
        }
        let mut ended = 0;
        while self.ready_len > 0 {
            self.ready_len -= 1;
            ended += self.begin(self.ready[self.ready_len]);
        }
        ended == self.tape.steps.len()
    }

    const fn push(&mut self, s: u32) {
        self.ready[self.ready_len] = s;
        self.ready_len += 1;
    }

    /// Begins a step and returns how many steps ended by it.
    const fn begin(&mut self, s: u32) -> usize {
        self.state[s as usize] = BEGUN;
        let step = self.tape.steps[s as usize];
        if matches!(step.kind, StepKind::Compute) || step.len == 0 {
            self.end(s);
            return 1;
        }
        if let Some(gangs) = &mut self.gangs
            && gangs.has_others(s)
        {
            let root = gangs.root(s);
            self.met[root as usize] += 1;
            let size = gangs.size(root);
            return if self.met[root as usize] == size { self.end_gang(s, size) } else { 0 };
        }
        self.begin_items(s)
    }

    const fn end_gang(&mut self, s: u32, size: u32) -> usize {
        let mut member = s;
        let mut n = 0;
        while n < size {
            let after = match &self.gangs {
                Some(gangs) => gangs.after(member),
                None => member,
            };
            self.end(member);
            member = after;
            n += 1;
        }
        size as usize
    }

    /// Each item meets its partner if that has begun; the last to meet ends its step.
    const fn begin_items(&mut self, s: u32) -> usize {
        let step = self.tape.steps[s as usize];
        let eager = matches!(self.channel, Channel::Eager);
        let mut ended = 0;
        let mut i = step.first as usize;
        let end = i + step.len as usize;
        while i < end {
            let partner = self.matching.partner[i];
            if partner != 0 {
                let other = self.tape.items[partner as usize - 1].step as usize;
                let there = self.state[other] != WAITING;
                let send = self.tape.items[i].send;
                if there || (eager && send) {
                    self.met[s as usize] += 1;
                }
                // Under eager a send has gone before its receive begins, and waits for nothing.
                if there && (send || !eager) {
                    self.met[other] += 1;
                    if self.met[other] == self.tape.steps[other].len && self.state[other] == BEGUN {
                        self.end(other as u32);
                        ended += 1;
                    }
                }
            }
            i += 1;
        }
        if self.met[s as usize] == step.len && self.state[s as usize] == BEGUN {
            self.end(s);
            ended += 1;
        }
        ended
    }

    const fn end(&mut self, s: u32) {
        self.state[s as usize] = ENDED;
        if matches!(self.channel, Channel::Blocking) {
            let next = s as usize + 1;
            if next < self.tape.steps.len() && self.tape.steps[next].rank == self.tape.steps[s as usize].rank
            {
                self.push(next as u32);
            }
            return;
        }
        let mut waiter = self.waiters[s as usize];
        while waiter != 0 {
            let next = self.next_waiter[waiter as usize - 1];
            self.await_next(waiter - 1);
            waiter = next;
        }
    }

    /// Lets a step wait for the first of its waits that is not over, or begin when all are.
    const fn await_next(&mut self, s: u32) {
        let at = s as usize;
        let waits = self.order.starts[at + 1] - self.order.starts[at];
        while self.passed[at] < waits {
            let before = self.order.steps[(self.order.starts[at] + self.passed[at]) as usize] as usize;
            if self.state[before] != ENDED {
                self.next_waiter[at] = self.waiters[before];
                self.waiters[before] = s + 1;
                return;
            }
            self.passed[at] += 1;
        }
        self.push(s);
    }

    /// Reports the cycle of waits of a run that stopped early.
    pub(super) const fn explain(&mut self, bad_gang: Option<(u32, u32)>, out: &mut Findings) {
        super::cycle::report(self, bad_gang, out);
    }
}
