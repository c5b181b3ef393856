//! Judges an instance: faults of the verifier and broken bounds become errors, each with a place on both ends.

use crate::elaborate::{Bound, Elaborated};
use crate::error::{Error, Errors, Key, catalogue};
use crate::syntax::Place;
use counterpart_core::live::Limit;
use counterpart_core::tape::NONE;
use counterpart_core::{Fault, FaultKind, Wait};

/// Waits of a deadlock that get an error of their own.
const MAX_WAITS: usize = 4;

/// Judges an instance under the model of its schedule, and its bounds on live buffers.
///
/// Faults of the same kind at the same places, such as those of a wrong loop, become one error.
pub fn check(instance: &Elaborated, errors: &mut Errors) {
    let check = Check { instance };
    if let Some(fault) = &instance.fault {
        return match fault.kind {
            FaultKind::Deadlock => check.deadlock(fault, errors),
            _ => check.fault(fault, errors),
        };
    }
    let verdict = instance.plan.verify(instance.model);
    let is_unbalanced = verdict.faults.iter().any(|fault| fault.kind == FaultKind::Batch);
    for fault in &verdict.faults {
        match fault.kind {
            // A batch that does not balance holds its own partners up, which would only say the same once more.
            FaultKind::Deadlock if is_unbalanced => {}
            FaultKind::Deadlock => check.deadlock(fault, errors),
            _ => check.fault(fault, errors),
        }
    }
    errors.add_more(verdict.more);
    if verdict.is_safe() {
        check.memory(errors);
    }
}

struct Check<'a> {
    instance: &'a Elaborated,
}

/// A step or item of the plan, and the number of its source.
#[derive(Clone, Copy)]
struct Spot {
    rank: usize,
    step: usize,
    source: u32,
}

impl Check<'_> {
    fn spot(&self, rank: Option<usize>, step: Option<usize>, item: Option<usize>) -> Option<Spot> {
        let (rank, step) = (rank?, step?);
        Some(Spot { rank, step, source: self.instance.plan.source_number(rank, step, item) })
    }

    fn place(&self, spot: Spot) -> Place {
        self.instance.places[spot.source as usize]
    }

    /// `src/main.rs:12`
    fn line(&self, spot: Spot) -> String {
        match self.instance.plan.source(spot.source) {
            Some(source) => format!("{}:{}", source.file, source.line),
            None => "?".to_owned(),
        }
    }

    /// An error where the fault shows, and a short one at its counterpart, if that is another place.
    fn fault(&self, fault: &Fault, errors: &mut Errors) {
        let spot = self.spot(fault.rank, fault.step, fault.item);
        let other = self.spot(fault.peer_rank, fault.peer_step, fault.peer_item);
        let other = other.filter(|other| spot.is_none_or(|spot| spot.source != other.source));
        let compute = self.declared(fault);
        let key = Key {
            kind: fault.kind.name(),
            at: spot.map_or(compute as u32, |spot| spot.source),
            other: other.map_or(NONE, |other| other.source),
        };
        let place = spot.map_or_else(|| self.instance.compute_places[compute], |spot| self.place(spot));
        let line = other.map(|other| self.line(other));
        let is_new = errors
            .fold(key, || Error::new(place, catalogue::fault(fault, line.as_deref(), &self.instance.name)));
        if let (true, Some(spot), Some(other)) = (is_new, spot, other) {
            let message =
                catalogue::counterpart((other.rank, other.step), (spot.rank, spot.step), &self.line(spot));
            errors.at(self.place(other), message);
        }
    }

    /// The compute step that a fault without any place names: an element of its domain occurs nowhere.
    fn declared(&self, fault: &Fault) -> usize {
        let family = fault.element.map(|element| element.family());
        self.instance.computes.iter().position(|&compute| Some(compute) == family).unwrap_or_default()
    }

    /// One error for each rank on the cycle whose wait stands at a place of its own, the first with the whole chain.
    fn deadlock(&self, fault: &Fault, errors: &mut Errors) {
        let mut spots: Vec<(Spot, &Wait)> = Vec::new();
        let between_ranks = fault.waits.iter().any(|wait| wait.rank != wait.on_rank);
        for wait in fault.waits.iter().filter(|wait| !between_ranks || wait.rank != wait.on_rank) {
            let Some(spot) = self.spot(Some(wait.rank), Some(wait.step), wait.item) else { continue };
            let is_known =
                |known: &Spot| known.source == spot.source || between_ranks && known.rank == spot.rank;
            if spots.len() < MAX_WAITS && !spots.iter().any(|(known, _)| is_known(known)) {
                spots.push((spot, wait));
            }
        }
        let Some((&(first, _), others)) = spots.split_first() else { return self.fault(fault, errors) };
        let key = Key { kind: fault.kind.name(), at: first.source, other: NONE };
        let lines: Vec<String> = others.iter().map(|(spot, _)| self.line(*spot)).collect();
        let lines = (!lines.is_empty()).then(|| lines.join(", "));
        let is_new = errors.fold(key, || {
            let message = catalogue::fault(fault, lines.as_deref(), &self.instance.name);
            Error::new(self.place(first), message)
        });
        if is_new {
            for (spot, wait) in others {
                errors.at(self.place(*spot), catalogue::wait(&wait.message, &self.line(first)));
            }
        }
    }

    fn memory(&self, errors: &mut Errors) {
        let names = self.instance.plan.names();
        let limit = |bound: &Bound| {
            let &Bound { rank, family, until, limit, .. } = bound;
            Limit { rank, family, until, most: limit }
        };
        let limits: Vec<Limit> = self.instance.memory.iter().map(limit).collect();
        for (at, peak) in self.instance.plan.over(&limits) {
            let bound = &self.instance.memory[at];
            let key = Key { kind: "memory", at: bound.place.line() as u32, other: bound.family };
            errors.fold(key, || {
                let name = |family: u32| names[family as usize].text;
                let (what, of) = (name(bound.family), &self.instance.name);
                let message = match bound.until {
                    None => catalogue::memory_exceeded(what, bound.rank, peak, bound.limit, of),
                    Some(until) => {
                        catalogue::kept_exceeded((what, name(until)), bound.rank, peak, bound.limit, of)
                    }
                };
                Error::new(bound.place, message)
            });
        }
    }
}
