//! Coverage: a compute step declared over a domain occurs exactly once for every element.

use super::findings::{Detail, Finding, Findings};
use super::table;
use crate::fault::FaultKind;
use crate::tape::{Domain, NONE, Role, StepKind, Tape};
use crate::value::Value;

/// Words of memory that [`run`] needs.
pub(super) const fn memory(tape: &Tape<'_>) -> usize {
    match tape.domains.len() {
        0 => 0,
        domains => table::slots(names(tape)) + table::slots(domains) + domains,
    }
}

/// Names of compute steps in the tape.
const fn names(tape: &Tape<'_>) -> usize {
    let mut names = 0;
    let mut u = 0;
    while u < tape.uses.len() {
        names += matches!(tape.uses[u].role, Role::Name) as usize;
        u += 1;
    }
    names
}

/// Judges every declared domain in zeroed memory. Of two domains of one family the first counts.
pub(super) const fn run(tape: &Tape<'_>, memory: &mut [u32], out: &mut Findings) {
    if tape.domains.is_empty() {
        return;
    }
    let (runs, memory) = memory.split_at_mut(table::slots(names(tape)));
    let (families, found) = memory.split_at_mut(table::slots(tape.domains.len()));
    let mut d = 0;
    while d < tape.domains.len() {
        let slot = domain_slot(tape, families, tape.domains[d].family);
        if families[slot] == 0 {
            families[slot] = d as u32 + 1;
        }
        d += 1;
    }
    let mut s = 0;
    while s < tape.steps.len() {
        if matches!(tape.steps[s].kind, StepKind::Compute) {
            let mut u = tape.steps[s].first;
            while u < tape.steps[s].first + tape.steps[s].len {
                if matches!(tape.uses[u as usize].role, Role::Name) {
                    count(tape, s as u32, u, families, runs, found, out);
                }
                u += 1;
            }
        }
        s += 1;
    }
    d = 0;
    while d < tape.domains.len() {
        let domain = &tape.domains[d];
        if families[domain_slot(tape, families, domain.family)] == d as u32 + 1 {
            missing(tape, runs, domain, found[d] as u64, out);
        }
        d += 1;
    }
}

/// Notes that step `s` runs what use `u` names.
const fn count(
    tape: &Tape<'_>,
    s: u32,
    u: u32,
    families: &[u32],
    runs: &mut [u32],
    found: &mut [u32],
    out: &mut Findings,
) {
    let name = tape.uses[u as usize].value;
    let declared = families[domain_slot(tape, families, name.family())] as usize;
    if declared == 0 {
        return;
    }
    let slot = table::slot_of_use(tape, runs, name);
    if !contains(&tape.domains[declared - 1], name) {
        out.push(Finding::new(Detail::OutsideDomain, s, u));
    } else if runs[slot] != 0 {
        let has_room = out.has_room(FaultKind::Coverage);
        let before = if has_room { table::step_of_use(tape, runs[slot] - 1) } else { NONE };
        out.push(Finding::new(Detail::Repeated, s, u).against(before, NONE));
    } else {
        runs[slot] = u + 1;
        found[declared - 1] += 1;
    }
}

/// Reports the first element of a domain that does not occur, and how many do not.
const fn missing(tape: &Tape<'_>, runs: &[u32], domain: &Domain, found: u64, out: &mut Findings) {
    let volume = volume(domain);
    if found >= volume {
        return;
    }
    let mut element = first(domain);
    while runs[table::slot_of_use(tape, runs, element)] != 0 {
        element = next(domain, element);
    }
    let short = volume - found;
    let number = if short > u32::MAX as u64 { u32::MAX } else { short as u32 };
    out.push(Finding { element: element.0, number, ..Finding::new(Detail::Missing, NONE, NONE) });
}

/// The place of a family in the table of domains.
const fn domain_slot(tape: &Tape<'_>, families: &[u32], family: u32) -> usize {
    let mut slot = table::home(family as u64, families.len());
    while families[slot] != 0 && tape.domains[families[slot] as usize - 1].family != family {
        slot = (slot + 1) & (families.len() - 1);
    }
    slot
}

const fn contains(domain: &Domain, name: Value) -> bool {
    let mut j = 0;
    while j < domain.arity as usize {
        let index = name.index(j);
        if index < domain.from[j] || index >= domain.to[j] {
            return false;
        }
        j += 1;
    }
    true
}

const fn volume(domain: &Domain) -> u64 {
    let mut volume: u64 = 1;
    let mut j = 0;
    while j < domain.arity as usize {
        volume = volume.saturating_mul(domain.to[j].saturating_sub(domain.from[j]));
        j += 1;
    }
    volume
}

const fn first(domain: &Domain) -> Value {
    let mut word = (domain.family as u128) << 96;
    let mut j = 0;
    while j < domain.arity as usize {
        word |= (domain.from[j] as u128) << Value::shift(j);
        j += 1;
    }
    Value(word)
}

/// The element after `element`, the last index running fastest.
const fn next(domain: &Domain, element: Value) -> Value {
    let mut word = element.0;
    let mut j = domain.arity as usize;
    while j > 0 {
        j -= 1;
        if Value(word).index(j) + 1 < domain.to[j] {
            return Value(word + (1 << Value::shift(j)));
        }
        word -= ((domain.to[j] - 1 - domain.from[j]) as u128) << Value::shift(j);
    }
    Value(word)
}
