//! The cycle of waits in a run that stopped: rank, step, and what it waits for.

use super::findings::{Detail, Finding, Findings, Hop};
use super::progress::{BEGUN, ENDED, Machine, WAITING};
use crate::model::Channel;
use crate::tape::NONE;

/// Follows waits from the first step that has not ended until one comes up twice, and reports the cycle.
///
/// Under a non-blocking channel two steps of one rank can have begun that belong to one gang; no wait leads on from
/// there, and the pair itself is the fault.
pub(super) const fn report(m: &mut Machine<'_, '_>, bad_gang: Option<(u32, u32)>, out: &mut Findings) {
    let mut at = 0;
    while m.state[at as usize] == ENDED {
        at += 1;
    }
    // `ready` is empty by now and `passed` is not read any more: both serve as notes of the walk.
    let mut i = 0;
    while i < m.ready.len() {
        m.ready[i] = 0;
        i += 1;
    }
    let mut len = 0;
    while m.ready[at as usize] == 0 {
        m.passed[len] = at;
        len += 1;
        m.ready[at as usize] = len as u32;
        match wait(m, at) {
            Some(hop) => at = hop.on,
            None => {
                if let Some((first, second)) = bad_gang {
                    out.hop(Hop { step: first, item: NONE, on: second });
                    out.push(Finding::new(Detail::Cycle, first, NONE).against(second, NONE));
                }
                return;
            }
        }
    }
    // Start at a step that waits for a peer: that reads best, and every cycle has one.
    let (from, mut begin) = (m.ready[at as usize] as usize - 1, 0);
    let size = len - from;
    while begin < size && m.state[m.passed[from + begin] as usize] != BEGUN {
        begin += 1;
    }
    let mut n = 0;
    while n < size {
        let step = m.passed[from + (begin + n) % size];
        if let Some(hop) = wait(m, step) {
            if n == 0 {
                let partner = if hop.item == NONE { 0 } else { m.matching.partner[hop.item as usize] };
                let other = if partner == 0 { NONE } else { partner - 1 };
                out.push(Finding::new(Detail::Cycle, step, hop.item).against(hop.on, other));
            }
            out.hop(hop);
        }
        n += 1;
    }
}

/// What a step that has not ended waits for.
const fn wait(m: &mut Machine<'_, '_>, s: u32) -> Option<Hop> {
    if m.state[s as usize] == WAITING {
        return Some(Hop { step: s, item: NONE, on: before(m, s) });
    }
    let step = m.tape.steps[s as usize];
    let mut i = step.first;
    while i < step.first + step.len {
        let partner = m.matching.partner[i as usize];
        // Under eager a send waits for nothing.
        let waits = !(matches!(m.channel, Channel::Eager) && m.tape.items[i as usize].send);
        if waits && partner != 0 {
            let on = m.tape.items[partner as usize - 1].step;
            if m.state[on as usize] == WAITING {
                return Some(Hop { step: s, item: i, on });
            }
        }
        i += 1;
    }
    let Some(gangs) = &mut m.gangs else { return None };
    // All direct partners are there; one further on in the gang is not. All members name the same one, so that the walk
    // searches each gang only once.
    let root = gangs.root(s);
    let mut member = root;
    loop {
        if m.state[member as usize] == WAITING {
            return Some(Hop { step: s, item: NONE, on: member });
        }
        member = gangs.after(member);
        if member == root {
            return None;
        }
    }
}

/// The step of the same rank that `s` cannot pass.
const fn before(m: &Machine<'_, '_>, s: u32) -> u32 {
    if matches!(m.channel, Channel::Blocking) {
        let mut front = s;
        while m.state[front as usize] == WAITING {
            front -= 1;
        }
        return front;
    }
    let (mut k, end) = (m.order.starts[s as usize], m.order.starts[s as usize + 1]);
    while k < end && m.state[m.order.steps[k as usize] as usize] == ENDED {
        k += 1;
    }
    m.order.steps[k as usize]
}
