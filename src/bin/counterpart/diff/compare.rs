//! Steps in words, compared one by one.

use counterpart::core::tape::{Role, Step, StepKind, Use};
use counterpart::core::{Model, Payload, Plan};

use crate::input::Subject;

/// Where two plans differ.
pub(super) struct Difference {
    /// The rank; `None` for what belongs to no rank.
    pub rank: Option<usize>,
    /// The first step that differs.
    pub step: Option<usize>,
    /// What the first plan says.
    pub ours: String,
    /// What the second one says.
    pub theirs: String,
}

/// What one of two schedules asks for and the other does not: its model, its bounds on memory.
pub(super) fn demands(ours: &Subject, theirs: &Subject) -> Option<Difference> {
    let (a, b) = (demanded(ours), demanded(theirs));
    let only = |list: &[String], other: &[String]| match list.iter().filter(|word| !other.contains(word)) {
        words if words.clone().next().is_none() => "nothing more".to_owned(),
        words => words.cloned().collect::<Vec<_>>().join("; "),
    };
    let (ours, theirs) = (only(&a, &b), only(&b, &a));
    (ours != theirs).then_some(Difference { rank: None, step: None, ours, theirs })
}

/// The model and each bound, in words.
fn demanded(subject: &Subject) -> Vec<String> {
    let names = subject.plan.names();
    let name = |family: u32| names[family as usize].text;
    let bounds = subject.bounds.iter().map(|bound| {
        let limit = bound.limit;
        let until = limit.until.map_or_else(String::new, |until| format!(" until {}", name(until)));
        format!("rank {}: memory <= {} {}{until}", limit.rank, limit.most, name(limit.family))
    });
    let model = format!("model {}", subject.model.unwrap_or(Model::PORTABLE));
    std::iter::once(model).chain(bounds).collect()
}

/// The first difference of each rank, and before these what differs in domains.
pub(super) fn differences(ours: &Plan, theirs: &Plan, payloads: bool) -> Vec<Difference> {
    let mut found = Vec::new();
    let (a, b) = (domains(ours), domains(theirs));
    if a != b {
        found.push(Difference { rank: None, step: None, ours: a, theirs: b });
    }
    for rank in 0..ours.ranks().max(theirs.ranks()) {
        let steps = |plan: &Plan| if rank < plan.ranks() { plan.steps(rank).len() } else { 0 };
        let say = |plan: &Plan, step: usize| match rank < plan.ranks() {
            false => "no such rank".to_owned(),
            true => plan
                .steps(rank)
                .get(step)
                .map_or_else(|| "no such step".to_owned(), |at| words(plan, at, payloads)),
        };
        let has_both = rank < ours.ranks() && rank < theirs.ranks();
        let longest = steps(ours).max(steps(theirs));
        let key = |plan: &Plan, step: usize| plan.steps(rank).get(step).map(|at| key(plan, at, payloads));
        let differs = |&step: &usize| key(ours, step) != key(theirs, step);
        let step = if has_both { (0..longest).find(differs) } else { Some(0) };
        if let Some(step) = step {
            let (ours, theirs) = (say(ours, step), say(theirs, step));
            found.push(Difference { rank: Some(rank), step: Some(step), ours, theirs });
        }
    }
    found
}

/// A step: its kind, its items, and its uses.
type Key = (u8, Vec<(bool, String, i32, Payload)>, Vec<(u8, String, Payload)>);

/// What a step is, so that two steps are equal exactly when their keys are: no two labels run together.
fn key(plan: &Plan, step: &Step, payloads: bool) -> Key {
    let known = |payload: Payload| if payloads { payload } else { Payload::UNKNOWN };
    let items = plan.items(step).iter();
    let items =
        items.map(|item| (item.send, plan.label(item.value), item.peer, known(item.payload))).collect();
    let mut uses: Vec<(u8, String, Payload)> = plan
        .uses(step)
        .iter()
        .map(|used| {
            let payload = match used.role {
                Role::Read | Role::Write => known(plan.family_payload(used.value.family())),
                Role::Name | Role::After => Payload::UNKNOWN,
            };
            (used.role as u8, plan.label(used.value), payload)
        })
        .collect();
    // The order counts within a role, but for `after`.
    let last = Role::After as u8;
    uses.sort_by_key(|used| used.0);
    let from = uses.partition_point(|used| used.0 < last);
    uses[from..].sort_unstable_by(|a, b| a.1.cmp(&b.1));
    (step.kind as u8, items, uses)
}

/// All that a step says.
fn words(plan: &Plan, step: &Step, payloads: bool) -> String {
    let mut text = String::new();
    for item in plan.items(step) {
        text.push_str(&plan.comm_words(item.send, item.value, item.peer));
        if let Some(dtype) = item.payload.dtype().filter(|_| payloads) {
            text.push_str(&format!(" ({} of {dtype})", item.payload.count()));
        }
        text.push_str("; ");
    }
    for (role, word) in
        [(Role::Name, ""), (Role::Read, "reads "), (Role::Write, "writes "), (Role::After, "after ")]
    {
        let mut labels: Vec<String> = plan
            .uses(step)
            .iter()
            .filter(|used| used.role == role)
            .map(|used| plan.label(used.value) + &carried(plan, used, payloads))
            .collect();
        if role == Role::After {
            labels.sort_unstable();
        }
        if !labels.is_empty() {
            text.push_str(&format!("{word}{}; ", labels.join(" ")));
        }
    }
    let text = text.trim_end_matches("; ");
    match step.kind {
        StepKind::Batch => format!("batch {{ {text} }}"),
        _ => text.to_owned(),
    }
}

/// The payload of a value that is read or written, where it is known and counts.
fn carried(plan: &Plan, used: &Use, payloads: bool) -> String {
    let is_value = matches!(used.role, Role::Read | Role::Write);
    let payload = plan.family_payload(used.value.family());
    match payload.dtype().filter(|_| payloads && is_value) {
        Some(dtype) => format!(" ({} of {dtype})", payload.count()),
        None => String::new(),
    }
}

fn domains(plan: &Plan) -> String {
    let all = plan.domain_words();
    if all.is_empty() { "no domains".to_owned() } else { format!("domains {}", all.join(" ")) }
}
