//! What does not depend on a rank's program: `let`s, shapes, domains, which ranks there are, bounds.

use super::run::{Run, Stop};
use super::{Bound, Shape};
use crate::error::{Error, Key, catalogue};
use crate::resolve::resolved::{Counted, Message, Range, Rank, Ranks};
use crate::syntax::Place;
use counterpart_core::simulate::Costs;
use counterpart_core::value::INDEX_LIMIT;
use counterpart_core::{Payload, Source};
use std::sync::Arc;

pub use counterpart_core::plan::MAX_RANKS;

/// Costs may be so large: the sum over a whole schedule stays within 64 bits.
pub const MOST_TICKS: u64 = 1 << 40;

impl<'a> Run<'a> {
    /// Gives the plan all places of the source, so that source numbers are the same in both.
    pub fn sources(&mut self, file: &str) {
        let file: Arc<str> = file.into();
        for place in &self.schedule.places {
            let (line, column) = (place.line(), place.column());
            self.plan.add_source(Source { file: Arc::clone(&file), line, column });
        }
    }

    /// `let`s outside of ranks.
    pub fn constants(&mut self) -> Option<()> {
        for &value in &self.schedule.constants {
            // Blocks in the expression may have `let`s of their own.
            let outer = self.machine.enter(self.schedule.constant_slots, &[]);
            let value = self.eval(value);
            self.machine.leave(outer);
            let value = self.outside(value)?;
            self.machine.globals.push(value);
        }
        Some(())
    }

    /// What the sizes have to satisfy. `None` where they do not.
    pub fn requires(&mut self) -> Option<()> {
        let before = self.errors.total();
        for require in &self.schedule.requires {
            let holds = self.alone(self.schedule.constant_slots, &[], |run| run.eval(require.condition))?;
            if holds == 0 {
                let sizes = &self.machine.globals[..self.schedule.params];
                let asked = self.schedule.instances.iter().find(|(asked, _)| asked == sizes);
                let place = asked.map_or(require.place, |(_, place)| *place);
                self.errors.at(place, catalogue::requirement(&require.message, &self.instance));
            }
        }
        (self.errors.total() == before).then_some(())
    }

    /// How long things take.
    pub fn costs(&mut self) -> Costs {
        let mut costs = Costs::new();
        for cost in &self.schedule.costs {
            let ticks = self.alone(self.schedule.constant_slots, &[], |run| run.eval(cost.ticks));
            let Some(ticks) = ticks else { continue };
            match (u64::try_from(ticks).ok().filter(|&ticks| ticks <= MOST_TICKS), cost.compute) {
                (Some(ticks), None) => costs = costs.transfer(ticks),
                (Some(ticks), Some(compute)) => {
                    let family = self.families[self.schedule.messages.len() + compute as usize];
                    costs = costs.compute(family, ticks);
                }
                (None, _) => self.errors.at(cost.place, catalogue::cost_outside(ticks, &self.instance)),
            }
        }
        costs
    }

    /// Outside of ranks there is no loop that a stop could be passed on to.
    fn outside<T>(&mut self, outcome: Result<T, Stop>) -> Option<T> {
        match outcome {
            Ok(value) => Some(value),
            Err(Stop::Reported) => None,
            Err(Stop::Work(blame)) => {
                self.endless(blame, self.schedule.place);
                None
            }
        }
    }

    /// Evaluates something with the given first local variable.
    pub fn alone<T>(
        &mut self,
        slots: usize,
        first: &[i64],
        f: impl FnOnce(&mut Run<'a>) -> Result<T, Stop>,
    ) -> Option<T> {
        let outer = self.machine.enter(slots, first);
        let outcome = f(self);
        self.machine.leave(outer);
        self.outside(outcome)
    }

    /// The message families, which get the first family numbers of the plan.
    pub fn messages(&mut self) -> Vec<Shape> {
        let schedule = self.schedule;
        let shapes: Vec<Shape> = schedule.messages.iter().map(|message| self.shape(message)).collect();
        self.families.extend(shapes.iter().map(|shape| shape.family));
        self.payloads.extend(shapes.iter().map(|shape| shape.payload));
        shapes
    }

    fn shape(&mut self, message: &Message) -> Shape {
        let family = self.plan.family(&message.name, message.indices.len());
        if message.dims.is_empty() {
            return Shape { family, dims: None, payload: Payload::UNKNOWN };
        }
        let dims = self.dims(message);
        let count = dims.as_ref().map(|dims| dims.iter().try_fold(1u64, |n, &dim| n.checked_mul(dim)));
        let payload = match count {
            None => Payload::UNKNOWN,
            Some(Some(count)) if count <= Payload::MAX_COUNT => Payload::new(message.dtype, count),
            Some(_) => {
                let place = message.dims[0].1;
                self.errors.at(place, catalogue::too_many_elements(&message.name, &self.instance));
                Payload::UNKNOWN
            }
        };
        self.plan.set_payload(family, payload);
        Shape { family, dims, payload }
    }

    fn dims(&mut self, message: &Message) -> Option<Vec<u64>> {
        let mut dims = Vec::new();
        for &(dim, place) in &message.dims {
            let dim = dim?;
            let value = self.alone(self.schedule.constant_slots, &[], |run| run.eval(dim))?;
            match u64::try_from(value) {
                Ok(value) => dims.push(value),
                Err(_) => {
                    self.errors.at(place, catalogue::dimension(value, &self.instance));
                    return None;
                }
            }
        }
        Some(dims)
    }

    /// The compute steps, which get the family numbers after the messages, and their domains.
    pub fn computes(&mut self) -> Vec<u32> {
        let first = self.families.len();
        for compute in &self.schedule.computes {
            let family = self.plan.family(&compute.name, compute.indices.len());
            self.families.push(family);
            let Some(domain) = &compute.domain else { continue };
            let ranges: Option<Vec<_>> =
                domain.iter().map(|range| self.domain(&compute.name, range)).collect();
            if let Some(ranges) = ranges {
                self.plan.declare(&compute.name, &ranges);
            }
        }
        self.families[first..].to_vec()
    }

    fn domain(&mut self, compute: &str, range: &Range) -> Option<core::ops::Range<u64>> {
        let (first, last) = self.alone(self.schedule.constant_slots, &[], |run| run.range(range))?;
        if first > last {
            return Some(0..0);
        }
        if first < 0 || last >= INDEX_LIMIT as i64 {
            let message = catalogue::domain(compute, first, last.saturating_add(1), &self.instance);
            self.errors.at(range.place, message);
            return None;
        }
        Some(first as u64..last as u64 + 1)
    }

    /// Which program each rank has.
    pub fn ranks(&mut self) -> Vec<&'a Rank> {
        let before = self.errors.total();
        let mut programs: Vec<Option<&'a Rank>> = Vec::new();
        for rank in &self.schedule.ranks {
            let bounds = self.alone(self.schedule.constant_slots, &[], |run| match &rank.ranks {
                Ranks::One(one) => run.eval(*one).map(|one| (one, one)),
                Ranks::Each(range) => run.range(range),
            });
            let Some((first, last)) = bounds else { continue };
            if first > last {
                continue;
            }
            if let Some(wrong) = [first, last].into_iter().find(|r| !(0..MAX_RANKS as i64).contains(r)) {
                self.errors.at(rank.place, catalogue::rank_number(wrong, &self.instance));
                continue;
            }
            self.assign(&mut programs, first as usize..last as usize + 1, rank);
        }
        let count = programs.len();
        if count == 0 && self.errors.total() == before {
            self.fold("no rank", 0, self.schedule.place, catalogue::no_rank_at_all);
        }
        for rank in (0..count).filter(|&rank| programs[rank].is_none()) {
            let place = self.schedule.ranks[0].place;
            self.fold("rank missing", 0, place, |instance| catalogue::rank_missing(rank, count, instance));
        }
        programs.into_iter().flatten().collect()
    }

    fn assign(
        &mut self,
        programs: &mut Vec<Option<&'a Rank>>,
        ranks: core::ops::Range<usize>,
        program: &'a Rank,
    ) {
        if programs.len() < ranks.end {
            programs.resize(ranks.end, None);
        }
        for rank in ranks {
            match programs[rank] {
                None => programs[rank] = Some(program),
                Some(first) => {
                    let line = first.place.line();
                    self.fold("rank twice", program.place.line() as u32, program.place, |instance| {
                        catalogue::rank_twice(rank, line, instance)
                    });
                }
            }
        }
    }

    /// Bounds on live buffers.
    pub fn memory(&mut self, ranks: usize) -> Vec<Bound> {
        let mut bounds = Vec::new();
        for memory in &self.schedule.memory {
            for rank in 0..ranks {
                let bound = self.alone(memory.slots, &[rank as i64], |run| run.eval(memory.bound));
                let Some(bound) = bound else { continue };
                let first = self.schedule.messages.len();
                let compute = |number: u32| self.families[first + number as usize];
                let (family, until) = match memory.counted {
                    Counted::Message(message) => (self.families[message as usize], None),
                    Counted::Kept { from, until } => (compute(from), Some(compute(until))),
                };
                let place = memory.place;
                match u64::try_from(bound) {
                    Ok(limit) => bounds.push(Bound { rank, family, until, limit, place }),
                    Err(_) => {
                        let name = match memory.counted {
                            Counted::Message(message) => &self.schedule.messages[message as usize].name,
                            Counted::Kept { from, .. } => &self.schedule.computes[from as usize].name,
                        };
                        self.fold("negative bound", memory.bound.start, place, |instance| {
                            catalogue::negative_bound(name, rank, bound, instance)
                        });
                    }
                }
            }
        }
        bounds
    }

    fn fold(
        &mut self,
        kind: &'static str,
        at: u32,
        place: Place,
        message: impl FnOnce(&str) -> crate::error::Message,
    ) {
        let instance = &self.instance;
        self.errors.fold(Key { kind, at, other: 0 }, || Error::new(place, message(instance)));
    }
}
