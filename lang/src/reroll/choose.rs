//! Which repetitions to fold.

use super::profile::{LOOP_WEIGHT, Profile};
use super::runs::Run;

/// `count` repetitions of `period` nodes, from node `at` on, to be folded into a loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fold {
    /// The first node.
    pub at: usize,
    /// The length of the body.
    pub period: usize,
    /// How often it is repeated.
    pub count: usize,
}

/// The lightest way to write the list from its beginning to some node.
#[derive(Clone, Copy)]
struct Best {
    weight: usize,
    /// The fold that it ends with; else it ends with a node as it is.
    fold: Option<Fold>,
}

/// A run under way: for each place modulo its period, the lightest way to end there with a fold of this run, as its
/// weight and the turns of that fold.
struct Active<'a> {
    run: &'a Run,
    ends: Vec<(usize, usize)>,
}

/// The folds, from left to right and apart from each other, that make the list lightest. Of equally light ones those
/// that begin first are taken.
///
/// One pass from left to right that knows the lightest way to every place. Its time is the length of the list plus
/// that of all runs.
pub(super) fn choose(profile: &Profile, runs: &[Run]) -> Vec<Fold> {
    if runs.is_empty() {
        return Vec::new();
    }
    let mut coming: Vec<&Run> = runs.iter().collect();
    coming.sort_by_key(|run| (first_end(run), run.period));
    let mut coming = coming.into_iter().peekable();
    let mut active: Vec<Active> = Vec::new();
    let mut best = vec![Best { weight: 0, fold: None }];
    for end in 1..=profile.len() {
        active.retain(|a| a.run.to >= end);
        while let Some(run) = coming.next_if(|run| first_end(run) <= end) {
            active.push(Active { run, ends: vec![(usize::MAX, 0); run.period] });
        }
        let mut here = Best { weight: best[end - 1].weight + profile.weight(end - 1, end), fold: None };
        for a in &mut active {
            let (weight, count) = a.end_at(end, profile, &best);
            if weight < here.weight {
                let period = a.run.period;
                here = Best { weight, fold: Some(Fold { at: end - count * period, period, count }) };
            }
        }
        best.push(here);
    }
    trace(&best)
}

/// Where the first fold of a run can end.
fn first_end(run: &Run) -> usize {
    run.from + run.turns * run.period
}

impl Active<'_> {
    /// The lightest way to end at `end` with a fold of this run: its weight, and the repetitions of the fold.
    fn end_at(&mut self, end: usize, profile: &Profile, best: &[Best]) -> (usize, usize) {
        let (period, turns) = (self.run.period, self.run.turns);
        let body = profile.weight(end - period, end);
        let mut here = (best[end - turns * period].weight + LOOP_WEIGHT + body, turns);
        if turns == 3 {
            // One more turn of a loop weighs nothing.
            let before = self.ends[end % period];
            if before.0 <= here.0 {
                here = (before.0, before.1 + 1);
            }
            self.ends[end % period] = here;
        }
        here
    }
}

/// The folds of the lightest way to the end.
fn trace(best: &[Best]) -> Vec<Fold> {
    let mut folds = Vec::new();
    let mut end = best.len() - 1;
    while end > 0 {
        match best[end].fold {
            None => end -= 1,
            Some(fold) => {
                end = fold.at;
                folds.push(fold);
            }
        }
    }
    folds.reverse();
    folds
}
