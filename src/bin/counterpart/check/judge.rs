//! Asks the verifier, under one model or several.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use counterpart::core::live::Limit;
use counterpart::core::{Fault, Model, Plan, Wait};
use serde::Serialize;

use crate::input::{Bound, Subject};

/// Steps below which it is not worth to use more than one core.
const LARGE: usize = 20_000;

/// What is said of a schedule under a model.
pub struct Judged {
    /// The model.
    pub model: Model,
    /// What is wrong, the most helpful first.
    pub found: Vec<Found>,
    /// How many further faults were counted but not kept.
    pub more: usize,
}

/// A fault, or a bound on memory that is broken. The fields are those of [`Fault`], in the order of the report.
#[derive(Clone, Serialize)]
pub struct Found {
    pub kind: &'static str,
    pub rank: Option<usize>,
    pub step: Option<usize>,
    pub item: Option<usize>,
    pub peer_rank: Option<usize>,
    pub peer_step: Option<usize>,
    pub peer_item: Option<usize>,
    pub message: String,
    pub help: Option<String>,
    pub waits: Vec<Wait>,
    #[serde(skip)]
    /// Line and column of what is at fault where that is no step: a bound, or the domain of a compute step.
    pub place: Option<(usize, usize)>,
}

impl Judged {
    /// Nothing wrong?
    pub fn is_safe(&self) -> bool {
        self.found.is_empty()
    }
}

impl Found {
    fn of(fault: Fault, subject: &Subject) -> Found {
        let Fault { kind, rank, step, item, peer_rank, peer_step, peer_item, message, help, element, waits } =
            fault;
        let place = element.and_then(|element| subject.declaration(element));
        let kind = kind.name();
        Found { kind, rank, step, item, peer_rank, peer_step, peer_item, message, help, waits, place }
    }
}

/// Judges a schedule under each of the models, in their order.
pub fn all(subject: &Subject, models: &[Model]) -> Vec<Judged> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get).min(models.len());
    if subject.plan.len() < LARGE || cores < 2 {
        return models.iter().map(|&model| one(subject, model)).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut judged = Vec::new();
        while let Some(&model) = models.get(next.fetch_add(1, Ordering::Relaxed)) {
            judged.push(one(subject, model));
        }
        judged
    };
    let mut judged: Vec<Judged> = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("the verifier does not panic")).collect()
    });
    judged.sort_by_key(|judged| models.iter().position(|&model| model == judged.model));
    judged
}

fn one(subject: &Subject, model: Model) -> Judged {
    if let Some(fault) = &subject.fault {
        return Judged { model, found: vec![Found::of((**fault).clone(), subject)], more: 0 };
    }
    let verdict = subject.plan.verify(model);
    let mut found: Vec<Found> = verdict.faults.into_iter().map(|fault| Found::of(fault, subject)).collect();
    if found.is_empty() {
        found = bounds(&subject.plan, &subject.bounds);
    }
    Judged { model, found, more: verdict.more }
}

/// The bounds on what is kept that a safe schedule breaks.
pub fn bounds(plan: &Plan, bounds: &[Bound]) -> Vec<Found> {
    let names = plan.names();
    let limits: Vec<Limit> = bounds.iter().map(|bound| bound.limit).collect();
    let broken = plan.over(&limits).into_iter().map(|(at, peak)| {
        let Limit { rank, family, until, most } = limits[at];
        let name = names[family as usize].text;
        let (message, help) = match until {
            None => (
                format!("rank {rank} has {peak} buffers of `{name}` live at once, more than the bound of {most}"),
                "use or send values sooner, or raise the bound".to_owned(),
            ),
            Some(until) => {
                let until = names[until as usize].text;
                (
                    format!("rank {rank} keeps {peak} `{name}` at once until their `{until}`, more than the bound of {most}"),
                    format!("run `{until}` sooner, or raise the bound"),
                )
            }
        };
        Found {
            kind: "memory",
            rank: Some(rank),
            step: None,
            item: None,
            peer_rank: None,
            peer_step: None,
            peer_item: None,
            message,
            help: Some(help),
            waits: Vec::new(),
            place: Some(bounds[at].place),
        }
    });
    broken.collect()
}
