//! `order search;`: compute steps as their domains say, in an order that is looked for.

use std::collections::HashMap;

use super::Bound;
use super::compute::Args;
use super::run::{Run, Stop};
use super::sizes::MAX_RANKS;
use crate::error::{Error, Key, catalogue};
use crate::resolve::resolved::Range;
use counterpart_core::search::{Goal, Kept, search};
use counterpart_core::simulate::Costs;
use counterpart_core::{Plan, Value};

/// The compute steps of each rank.
pub type Placed = Vec<Vec<(u32, Args)>>;

impl Run<'_> {
    /// Every element of every domain, on the rank that it is placed on.
    pub fn everything(&mut self) -> Option<Placed> {
        let mut placed = Placed::new();
        for (number, compute) in (0..).zip(&self.schedule.computes) {
            let ranges: Vec<&Range> = compute.domain.iter().flatten().collect();
            let bounds: Option<Vec<(i64, i64)>> = ranges
                .iter()
                .map(|range| self.alone(self.schedule.constant_slots, &[], |run| run.range(range)))
                .collect();
            let bounds = bounds?;
            if bounds.iter().any(|(first, last)| first > last) {
                continue;
            }
            let mut indices: Vec<i64> = bounds.iter().map(|(first, _)| *first).collect();
            loop {
                let args = Args::of(&indices);
                let rank = self.alone(0, &[], |run| {
                    run.spend()?;
                    run.placed_on(number, &args)
                })?;
                let rank = rank.unwrap_or_default();
                if !(0..MAX_RANKS as i64).contains(&rank) {
                    let message = catalogue::rank_number(rank, &self.instance);
                    self.errors.at(compute.place, message);
                    return None;
                }
                let rank = rank as usize;
                if placed.len() <= rank {
                    placed.resize(rank + 1, Vec::new());
                }
                placed[rank].push((number, args));
                if !next(&mut indices, &bounds) {
                    break;
                }
            }
        }
        if placed.is_empty() {
            self.errors.at(self.schedule.place, catalogue::no_rank_at_all(&self.instance));
            return None;
        }
        Some(placed)
    }

    /// Lists the steps of every rank, and puts them into the order that is found.
    pub fn searched(&mut self, placed: Placed, source: u32, costs: &Costs, bounds: &[Bound]) {
        for (rank, steps) in placed.iter().enumerate() {
            self.begin_rank(rank);
            for &(compute, args) in steps {
                match self.step(&[(compute, args, source)], source) {
                    Ok(()) | Err(Stop::Reported) => {}
                    Err(Stop::Work(blame)) => return self.endless(blame, self.schedule.place),
                }
            }
        }
        let place = self.schedule.places[source as usize];
        let goal = Goal { costs: costs.clone(), kept: kept(bounds, placed.len()) };
        match search(&self.plan, &goal) {
            Ok(found) => {
                for rank in 0..placed.len() {
                    let names = |plan: &Plan| -> Vec<Value> {
                        plan.steps(rank).iter().filter_map(|step| plan.compute_names(step).next()).collect()
                    };
                    let masks: HashMap<Value, u32> =
                        names(&self.plan).into_iter().zip(self.present[rank].iter().copied()).collect();
                    self.present[rank] = names(&found.plan).iter().map(|name| masks[name]).collect();
                }
                self.plan = found.plan;
            }
            Err(error) => {
                let message = catalogue::not_found(&error.to_string(), &self.instance);
                self.errors.fold(Key { kind: "search", at: 0, other: 0 }, || Error::new(place, message));
            }
        }
    }
}

/// The element after `indices`, the last index running fastest; `false` after the last.
fn next(indices: &mut [i64], bounds: &[(i64, i64)]) -> bool {
    for (index, (first, last)) in indices.iter_mut().zip(bounds).rev() {
        if *index < *last {
            *index += 1;
            return true;
        }
        *index = *first;
    }
    false
}

/// The bounds on compute steps, those of all ranks together.
fn kept(bounds: &[Bound], ranks: usize) -> Vec<Kept> {
    let mut kept: Vec<Kept> = Vec::new();
    for bound in bounds {
        let Some(until) = bound.until else { continue };
        let at = kept.iter().position(|one| (one.from, one.until) == (bound.family, until));
        let at = at.unwrap_or_else(|| {
            kept.push(Kept { from: bound.family, until, most: vec![u64::MAX; ranks] });
            kept.len() - 1
        });
        let most = &mut kept[at].most[bound.rank];
        *most = bound.limit.min(*most);
    }
    kept
}
