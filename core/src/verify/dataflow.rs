//! Dataflow: each rank's program in order, value by value.
//!
//! A value is there once it was written by a compute step of the rank or received, in an earlier step. One small table
//! serves each rank after the other; another one over all ranks knows who wrote a value.

use super::findings::{Detail, Finding, Findings};
use super::table;
use crate::fault::FaultKind;
use crate::tape::{NONE, Role, StepKind, Tape};
use crate::value::Value;

/// Words per value of a rank: where its label stands, the step since when it is there, its last use.
const VALUE_WORDS: usize = 3;
const THERE: usize = 1;
const USED: usize = 2;

/// What has to fit into the tables.
struct Size {
    /// Items of the rank that has most of them.
    items: usize,
    /// Items and uses of the rank that has most of them.
    values: usize,
    /// Writes of all ranks; of a plan without any only the order of compute steps is judged.
    writes: usize,
    /// Uses of the kind `after`, of all ranks.
    afters: usize,
}

const fn size(tape: &Tape<'_>) -> Size {
    let mut size = Size { items: 0, values: 0, writes: 0, afters: 0 };
    let mut u = 0;
    while u < tape.uses.len() {
        size.writes += matches!(tape.uses[u].role, Role::Write) as usize;
        size.afters += matches!(tape.uses[u].role, Role::After) as usize;
        u += 1;
    }
    let mut rank = 0;
    while rank < tape.ranks() as usize {
        let (items, uses) = super::rank_size(tape, rank);
        size.items = if items > size.items { items } else { size.items };
        size.values = if items + uses > size.values { items + uses } else { size.values };
        rank += 1;
    }
    size
}

/// Words of memory that [`run`] needs.
pub(super) const fn memory(tape: &Tape<'_>) -> usize {
    match size(tape) {
        Size { writes: 0, afters: 0, .. } => 0,
        Size { items, values, writes, .. } => {
            items + VALUE_WORDS * table::slots(values) + table::slots(writes)
        }
    }
}

/// Judges every rank in zeroed memory. A plan that declares neither writes nor `after` needs none, and is not judged.
pub(super) const fn run(tape: &Tape<'_>, memory: &mut [u32], out: &mut Findings) {
    if memory.is_empty() {
        return;
    }
    let Size { items, values, writes, .. } = size(tape);
    let (received, memory) = memory.split_at_mut(items);
    let (table, writers) = memory.split_at_mut(VALUE_WORDS * table::slots(values));
    let mut flow = Flow { table, slots: 1, received, received_len: 0, writers, has_writes: writes > 0 };
    let mut rank = 0;
    while rank < tape.ranks() as usize {
        flow.rank(tape, rank, out);
        rank += 1;
    }
}

/// What is known of the values of one rank.
struct Flow<'a> {
    /// [`VALUE_WORDS`] words per slot; entries are place + 1.
    table: &'a mut [u32],
    /// How many slots of the table this rank uses.
    slots: usize,
    /// Where the received items of the rank stand in the table, in their order.
    received: &'a mut [u32],
    received_len: usize,
    /// The uses that write, of all ranks.
    writers: &'a mut [u32],
    /// Is there any, so that values are followed at all?
    has_writes: bool,
}

impl Flow<'_> {
    const fn rank(&mut self, tape: &Tape<'_>, rank: usize, out: &mut Findings) {
        let (items, uses) = super::rank_size(tape, rank);
        self.slots = table::slots(items + uses);
        self.received_len = 0;
        let mut slot = 0;
        while slot < self.slots {
            self.table[slot * VALUE_WORDS] = 0;
            slot += 1;
        }
        let (first, end) = (tape.starts[rank] as usize, tape.starts[rank + 1] as usize);
        let mut s = first;
        while s < end {
            match tape.steps[s].kind {
                StepKind::Compute => self.compute(tape, s, out),
                _ if self.has_writes => self.communicate(tape, s, out),
                _ => {}
            }
            s += 1;
        }
        if self.has_writes {
            self.unused(tape, first, end, out);
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
                if self.is_there(at, s) {
                    self.table[at + USED] = s as u32 + 1;
                } else {
                    let later = later(tape, s, item.value, out);
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
                self.received[self.received_len] = at as u32;
                self.received_len += 1;
                let since = self.table[at + THERE];
                if since != 0 {
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
        let mut u = first + 1;
        while u < end {
            let value = tape.uses[u].value;
            // The label `_` agrees with what is there, whatever it is.
            if value.0 != 0 {
                let at = self.entry(tape, value, Key::Use(u));
                match tape.uses[u].role {
                    Role::Name => {}
                    Role::After => {
                        if !self.is_there(at, s) {
                            let later = later_compute(tape, s, value, out);
                            let finding = Finding::new(Detail::AfterMissing, s as u32, u as u32);
                            out.push(finding.against(later, NONE));
                        }
                    }
                    Role::Read => {
                        if !self.has_writes || self.is_there(at, s) {
                            self.table[at + USED] = s as u32 + 1;
                        } else {
                            let later = later(tape, s, value, out);
                            let finding = Finding::new(Detail::ReadTooSoon, s as u32, u as u32);
                            out.push(finding.against(later, NONE));
                        }
                    }
                    Role::Write => {
                        let writer = table::slot_of_use(tape, self.writers, value);
                        if self.writers[writer] != 0 || self.table[at + THERE] != 0 {
                            let finding = Finding::new(Detail::WrittenTwice, s as u32, u as u32);
                            let before = self.bringer(tape, self.writers[writer], at, out);
                            out.push(finding.against(before, NONE));
                        }
                        self.writers[writer] = u as u32 + 1;
                        self.table[at + THERE] = s as u32 + 1;
                    }
                }
            }
            u += 1;
        }
        // Last, since a step does not run before itself.
        u = first;
        while u < end {
            if matches!(tape.uses[u].role, Role::Name) {
                let name = self.entry(tape, tape.uses[u].value, Key::Use(u));
                self.table[name + THERE] = s as u32 + 1;
            }
            u += 1;
        }
    }

    /// Received values of the rank's steps `first..end` that no later step used.
    const fn unused(&self, tape: &Tape<'_>, first: usize, end: usize, out: &mut Findings) {
        let mut n = 0;
        let mut s = first;
        while s < end {
            let step = tape.steps[s];
            let items = if matches!(step.kind, StepKind::Compute) { 0 } else { step.len as usize };
            let mut i = step.first as usize;
            while i < step.first as usize + items {
                let item = tape.items[i];
                if !item.send && item.value.0 != 0 {
                    let at = self.received[n] as usize;
                    n += 1;
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

    /// Was the value there before step `s`?
    const fn is_there(&self, at: usize, s: usize) -> bool {
        let since = self.table[at + THERE] as usize;
        since != 0 && since <= s
    }

    /// The first word of the entry of a value, a new one where it has none.
    const fn entry(&mut self, tape: &Tape<'_>, value: Value, key: Key) -> usize {
        let (code, name) = match key {
            Key::Item(i) => (2 * i as u32 + 1, false),
            Key::Use(u) => (2 * u as u32 + 2, matches!(tape.uses[u].role, Role::Name | Role::After)),
        };
        let mut slot = table::home(table::fold(value) ^ name as u64, self.slots);
        loop {
            let at = slot * VALUE_WORDS;
            let found = self.table[at];
            if found == 0 {
                self.table[at] = code;
                self.table[at + THERE] = 0;
                self.table[at + USED] = 0;
                return at;
            }
            if same(tape, found, value, name) {
                return at;
            }
            slot = (slot + 1) & (self.slots - 1);
        }
    }

    /// The step that wrote a value with use `writer` (place + 1), or else received it, for the message.
    const fn bringer(&self, tape: &Tape<'_>, writer: u32, at: usize, out: &Findings) -> u32 {
        match writer {
            0 => self.table[at + THERE] - 1,
            _ if !out.has_room(FaultKind::Dataflow) => NONE,
            writer => table::step_of_use(tape, writer - 1),
        }
    }
}

/// The first step of the rank, from `s` on, that brings the value, for the message; [`NONE`] when none does, or when
/// the message will not be kept.
const fn later(tape: &Tape<'_>, s: usize, value: Value, out: &Findings) -> u32 {
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
const fn later_compute(tape: &Tape<'_>, s: usize, name: Value, out: &Findings) -> u32 {
    if !out.has_room(FaultKind::Dataflow) {
        return NONE;
    }
    let mut t = 0;
    while t < tape.steps.len() {
        let step = tape.steps[t];
        if matches!(step.kind, StepKind::Compute) && t != s {
            let mut u = step.first as usize;
            while u < (step.first + step.len) as usize {
                if matches!(tape.uses[u].role, Role::Name) && tape.uses[u].value.0 == name.0 {
                    return t as u32;
                }
                u += 1;
            }
        }
        t += 1;
    }
    NONE
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
