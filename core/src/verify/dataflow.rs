//! Dataflow: each rank's program in order, value by value.
//!
//! A value is there once it was written by a compute step of the rank or received, in an earlier step. One table over
//! all values serves all ranks: what it says of a rank holds while the steps it names belong to that rank.

use super::findings::{Detail, Finding, Findings};
use super::table;
use crate::fault::FaultKind;
use crate::tape::{NONE, Role, StepKind, Tape};
use crate::value::Value;

/// Words per value: where its label stands, its writer, the step since when it is there, its last use.
pub(super) const VALUE_WORDS: usize = 4;
const WRITER: usize = 1;
const THERE: usize = 2;
const USED: usize = 3;

/// Is the plan judged for dataflow? One that declares no writes at all is not.
pub(super) const fn is_judged(tape: &Tape<'_>) -> bool {
    let mut u = 0;
    while u < tape.uses.len() {
        if matches!(tape.uses[u].role, Role::Write) {
            return true;
        }
        u += 1;
    }
    false
}

/// The table of values, with the place of every received item in it.
pub(super) struct Flow<'a> {
    /// [`VALUE_WORDS`] words per slot, zeroed; entries are place + 1.
    pub table: &'a mut [u32],
    /// Slot of each item.
    pub slots: &'a mut [u32],
}

impl Flow<'_> {
    /// Judges every rank.
    pub(super) const fn run(&mut self, tape: &Tape<'_>, out: &mut Findings) {
        let mut rank = 0;
        while rank < tape.ranks() as usize {
            let (first, end) = (tape.starts[rank] as usize, tape.starts[rank + 1] as usize);
            let mut s = first;
            while s < end {
                match tape.steps[s].kind {
                    StepKind::Compute => self.compute(tape, s, out),
                    _ => self.communicate(tape, s, out),
                }
                s += 1;
            }
            self.unused(tape, first, end, out);
            rank += 1;
        }
    }

    const fn communicate(&mut self, tape: &Tape<'_>, s: usize, out: &mut Findings) {
        let end = (tape.steps[s].first + tape.steps[s].len) as usize;
        // Sends first: what a batch receives is not there for its own sends.
        let mut i = tape.steps[s].first as usize;
        while i < end {
            let item = tape.items[i];
            if item.send && item.value.0 != 0 {
                let at = self.entry(tape, item.value, Key::Item(i));
                if self.is_there(tape, at, s) {
                    self.table[at + USED] = s as u32 + 1;
                } else {
                    let later = self.later(tape, s, item.value, out);
                    out.push(Finding::new(Detail::SentTooSoon, s as u32, i as u32).against(later, NONE));
                }
            }
            i += 1;
        }
        i = tape.steps[s].first as usize;
        while i < end {
            let item = tape.items[i];
            if !item.send && item.value.0 != 0 {
                let at = self.entry(tape, item.value, Key::Item(i));
                self.slots[i] = at as u32;
                let since = self.table[at + THERE];
                if since != 0 && tape.steps[since as usize - 1].rank == tape.steps[s].rank {
                    let finding = Finding::new(Detail::ReceivedTwice, s as u32, i as u32);
                    out.push(finding.against(since - 1, NONE));
                }
                self.table[at + THERE] = s as u32 + 1;
                self.table[at + USED] = 0;
            }
            i += 1;
        }
    }

    const fn compute(&mut self, tape: &Tape<'_>, s: usize, out: &mut Findings) {
        let first = tape.steps[s].first as usize;
        let end = first + tape.steps[s].len as usize;
        let mut u = first;
        while u < end {
            let value = tape.uses[u].value;
            let role = tape.uses[u].role;
            // The label `_` agrees with what is there, whatever it is.
            if value.0 == 0 {
                u += 1;
                continue;
            }
            let at = self.entry(tape, value, Key::Use(u));
            match role {
                // Noted below: the step does not run before itself.
                Role::Name => {}
                Role::After => {
                    if !self.is_there(tape, at, s) {
                        let later = self.later_compute(tape, s, value, out);
                        out.push(Finding::new(Detail::AfterMissing, s as u32, u as u32).against(later, NONE));
                    }
                }
                Role::Read => {
                    if self.is_there(tape, at, s) {
                        self.table[at + USED] = s as u32 + 1;
                    } else {
                        let later = self.later(tape, s, value, out);
                        out.push(Finding::new(Detail::ReadTooSoon, s as u32, u as u32).against(later, NONE));
                    }
                }
                Role::Write => {
                    let there = if self.is_there(tape, at, s) { self.table[at + THERE] } else { 0 };
                    let before = if self.table[at + WRITER] != 0 { self.table[at + WRITER] } else { there };
                    if before != 0 {
                        let finding = Finding::new(Detail::WrittenTwice, s as u32, u as u32);
                        out.push(finding.against(before - 1, NONE));
                    }
                    self.table[at + WRITER] = s as u32 + 1;
                    self.table[at + THERE] = s as u32 + 1;
                }
            }
            u += 1;
        }
        let name = self.entry(tape, tape.uses[first].value, Key::Use(first));
        self.table[name + THERE] = s as u32 + 1;
    }

    /// Received values of the rank's steps `first..end` that no later step used.
    const fn unused(&self, tape: &Tape<'_>, first: usize, end: usize, out: &mut Findings) {
        let mut s = first;
        while s < end {
            let step = tape.steps[s];
            let items = if matches!(step.kind, StepKind::Compute) { 0 } else { step.len as usize };
            let mut i = step.first as usize;
            while i < step.first as usize + items {
                let item = tape.items[i];
                if !item.send && item.value.0 != 0 {
                    let at = self.slots[i] as usize;
                    // Zero also when a later receive of the same value took over: that is reported as such.
                    if self.table[at + USED] == 0 && self.table[at + THERE] == s as u32 + 1 {
                        out.push(Finding::new(Detail::Unused, s as u32, i as u32));
                    }
                }
                i += 1;
            }
            s += 1;
        }
    }

    const fn is_there(&self, tape: &Tape<'_>, at: usize, s: usize) -> bool {
        let since = self.table[at + THERE] as usize;
        since != 0 && since - 1 < s && tape.steps[since - 1].rank == tape.steps[s].rank
    }

    /// The first word of the entry of a value, a new one where it has none.
    const fn entry(&mut self, tape: &Tape<'_>, value: Value, key: Key) -> usize {
        let (code, name) = match key {
            Key::Item(i) => (2 * i as u32 + 1, false),
            Key::Use(u) => (2 * u as u32 + 2, matches!(tape.uses[u].role, Role::Name | Role::After)),
        };
        let slots = self.table.len() / VALUE_WORDS;
        let mut slot = table::home(table::fold(value) ^ name as u64, slots);
        loop {
            let at = slot * VALUE_WORDS;
            let found = self.table[at];
            if found == 0 {
                self.table[at] = code;
                return at;
            }
            if same(tape, found, value, name) {
                return at;
            }
            slot = (slot + 1) & (slots - 1);
        }
    }

    /// The first step of the rank, from `s` on, that brings the value, for the message; [`NONE`] when none does, or when
    /// the message will not be kept.
    const fn later(&self, tape: &Tape<'_>, s: usize, value: Value, out: &Findings) -> u32 {
        if !out.has_room(FaultKind::Dataflow) {
            return NONE;
        }
        let rank = tape.steps[s].rank as usize;
        let mut t = s;
        while t < tape.starts[rank + 1] as usize {
            let step = tape.steps[t];
            let mut k = step.first as usize;
            while k < (step.first + step.len) as usize {
                let brings = match step.kind {
                    StepKind::Compute => {
                        matches!(tape.uses[k].role, Role::Write) && tape.uses[k].value.0 == value.0
                    }
                    _ => !tape.items[k].send && tape.items[k].value.0 == value.0,
                };
                if brings {
                    return t as u32;
                }
                k += 1;
            }
            t += 1;
        }
        NONE
    }

    /// The step that runs compute step `name`, on any rank, for the message; [`NONE`] as in `later`.
    const fn later_compute(&self, tape: &Tape<'_>, s: usize, name: Value, out: &Findings) -> u32 {
        if !out.has_room(FaultKind::Dataflow) {
            return NONE;
        }
        let mut t = 0;
        while t < tape.steps.len() {
            let step = tape.steps[t];
            let runs = matches!(step.kind, StepKind::Compute) && t != s;
            if runs && tape.uses[step.first as usize].value.0 == name.0 {
                return t as u32;
            }
            t += 1;
        }
        NONE
    }
}

/// Where a value's label stands: in an item or in a use.
enum Key {
    Item(usize),
    Use(usize),
}

/// Does the entry with this code belong to the value? Names of compute steps are apart from values.
const fn same(tape: &Tape<'_>, code: u32, value: Value, name: bool) -> bool {
    let at = (code as usize - 1) / 2;
    if code % 2 == 1 {
        return !name && tape.items[at].value.0 == value.0;
    }
    let is_name = matches!(tape.uses[at].role, Role::Name | Role::After);
    is_name == name && tape.uses[at].value.0 == value.0
}
