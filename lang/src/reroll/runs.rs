//! Where a list repeats itself.

use super::profile::Profile;

/// The longest body that is looked for.
const LONGEST_BODY: usize = 256;
/// The longest body of a loop of two turns. Any two stretches of the same shapes are such a loop, so there may be many.
const LONGEST_PAIR: usize = 64;

/// A stretch of a list that repeats itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The length of the body.
    pub period: usize,
    /// The first node.
    pub from: usize,
    /// The end, exclusive; any `period` nodes of the stretch are a body.
    pub to: usize,
    /// The fewest turns to fold. With 3, the indices move by a constant and any number of turns may fold; with 2, they
    /// do not, and two turns fold, since two always move by a constant.
    pub turns: usize,
}

/// All runs of a list, each as long as can be: those of three turns and more, and those that only hold pairs.
///
/// A run in which a shorter body repeats itself is left out: it would be the same with a longer body.
/// Irregular stretches cost about `len · ln(LONGEST_BODY)` comparisons.
pub(super) fn find(profile: &Profile) -> (Vec<Run>, Vec<Run>) {
    let Profile { shapes, prints, .. } = profile;
    let (mut steady, mut pairs) = (Vec::new(), Vec::new());
    let mut known = vec![0; shapes.len()];
    for period in 1..=LONGEST_BODY.min(shapes.len() / 2) {
        let same = |i: usize| shapes[i] == shapes[i + period];
        let moves_evenly = |i: usize| {
            let (first, next, last) = (prints[i], prints[i + period], prints[i + 2 * period]);
            next.wrapping_sub(first) == last.wrapping_sub(next)
        };
        let found = steady.len();
        search(period, 3, &known, |i| same(i) && same(i + period) && moves_evenly(i), &mut steady);
        for run in &steady[found..] {
            known[run.from..run.to].iter_mut().for_each(|reach| *reach = run.to.max(*reach));
        }
        if period <= LONGEST_PAIR {
            search(period, 2, &known, same, &mut pairs);
        }
    }
    (steady, pairs)
}

/// Adds the runs of one period: stretches of `period` nodes and more of which each `fits` the nodes of the next turns.
///
/// `known` says for each node how far the runs reach that hold it already. In each such stretch lies one of every
/// `period` nodes, so those alone are looked at.
fn search(period: usize, turns: usize, known: &[usize], fits: impl Fn(usize) -> bool, runs: &mut Vec<Run>) {
    let is_known = |i: usize| known[i] >= i + 2 * period;
    let end = (known.len() + period).saturating_sub(turns * period);
    let (mut at, mut floor) = (0, 0);
    while at < end {
        if is_known(at) {
            at = known[at] - 2 * period + 1;
            floor = at;
            continue;
        }
        if !fits(at) {
            at += period;
            continue;
        }
        let mut from = at;
        while from > floor && fits(from - 1) {
            from -= 1;
        }
        at += 1;
        while at < end && !is_known(at) && fits(at) {
            at += 1;
        }
        if at - from >= period {
            runs.push(Run { period, from, to: at + (turns - 1) * period, turns });
        }
        floor = at;
    }
}
