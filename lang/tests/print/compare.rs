//! A plan beside what comes of it when it is printed and read again.

use std::collections::HashMap;

use counterpart_core::tape::{Role, Step, StepKind};
use counterpart_core::{FaultKind, Model, Payload, Plan};
use counterpart_lang::print::{self, Family, Options, PrintError, Printed};
use counterpart_lang::{Errors, elaborate, parse, resolve};

/// Prints a plan, reads it again and compares all there is: steps, items, peers, values, payloads, uses, domains and
/// verdicts.
pub fn check(plan: &Plan) -> Printed {
    try_check(plan).unwrap_or_else(|error| panic!("{error}"))
}

/// The same where the language may lack the words.
pub fn try_check(plan: &Plan) -> Result<Printed, PrintError> {
    let printed = print::schedule(plan, &Options::default())?;
    let again = read(&printed.body);
    let families: HashMap<(String, usize, bool), &Family> =
        printed.families.iter().map(|f| ((f.name.clone(), f.arity, f.compute), f)).collect();
    let labels = |plan: &Plan, label: &str, compute: bool| -> Vec<String> {
        let (name, indices) = split(label);
        let family = families.get(&(name.to_owned(), indices.len(), compute)).unwrap_or_else(|| {
            panic!("`{label}` is not among the families of {}\n{}", plan.name, printed.body)
        });
        family.labels(&indices)
    };
    assert_eq!(plan.ranks(), again.ranks(), "{}", printed.body);
    for rank in 0..plan.ranks() {
        let written: Vec<&Step> =
            plan.steps(rank).iter().filter(|step| step.kind != StepKind::Batch || step.len > 0).collect();
        let found = again.steps(rank);
        assert_eq!(written.len(), found.len(), "rank {rank}\n{}", printed.body);
        for (one, other) in written.into_iter().zip(found) {
            let at = || format!("{:?}\n{}", plan.describe(rank, one.number as usize), printed.body);
            assert_eq!(one.kind, other.kind, "{}", at());
            assert_eq!(plan.items(one).len(), plan.items(other).len(), "{}", at());
            for (a, b) in plan.items(one).iter().zip(again.items(other)) {
                assert_eq!((a.send, a.peer), (b.send, b.peer), "{}", at());
                assert_eq!(labels(&again, &again.label(b.value), false), [plan.label(a.value)], "{}", at());
                assert!(a.payload.agrees(b.payload) && b.payload.is_known(), "{}", at());
            }
            compare_uses(plan, one, &again, other, &labels, &at);
        }
    }
    compare_domains(plan, &again, &printed);
    let plain = plan_without(plan, &printed.dropped_domains);
    for model in Model::ALL {
        let kinds = |plan: &Plan| {
            let mut kinds: Vec<FaultKind> =
                plan.verify(model).faults.iter().map(|fault| fault.kind).collect();
            kinds.sort();
            kinds.dedup();
            kinds
        };
        assert_eq!(kinds(&plain), kinds(&again), "under {model}\n{}", printed.body);
    }
    Ok(printed)
}

fn compare_uses(
    plan: &Plan,
    one: &Step,
    again: &Plan,
    other: &Step,
    labels: &impl Fn(&Plan, &str, bool) -> Vec<String>,
    at: &impl Fn() -> String,
) {
    let names: Vec<String> = plan.compute_names(one).map(|name| plan.label(name)).collect();
    let found: Vec<String> =
        again.compute_names(other).flat_map(|name| labels(again, &again.label(name), true)).collect();
    assert_eq!(names, found, "{}", at());
    let uses: Vec<_> = plan.uses(one).iter().filter(|used| used.role != Role::Name).collect();
    let found: Vec<_> = again.uses(other).iter().filter(|used| used.role != Role::Name).collect();
    assert_eq!(uses.len(), found.len(), "{}", at());
    for (a, b) in uses.into_iter().zip(found) {
        assert_eq!(a.role, b.role, "{}", at());
        // Whoever runs after a step of several names runs after all of them.
        let found = labels(again, &again.label(b.value), a.role == Role::After);
        assert!(found.contains(&plan.label(a.value)), "{found:?} {}", at());
    }
}

/// The elements of all domains, by name; a huge domain by its size alone.
fn compare_domains(plan: &Plan, again: &Plan, printed: &Printed) {
    for domain in plan.domains() {
        let name = plan.names()[domain.family as usize];
        if printed.dropped_domains.iter().any(|dropped| dropped == name.text) {
            continue;
        }
        let parts: Vec<_> = printed
            .families
            .iter()
            .filter(|f| f.compute && matches!(&f.originals[..], [one] if one.name == name.text && one.indices.len() == name.arity))
            .collect();
        let declared = |f: &Family| {
            again
                .domains()
                .iter()
                .find(|d| again.names()[d.family as usize].text == f.name)
                .unwrap_or_else(|| panic!("`{}` has no domain\n{}", f.name, printed.body))
        };
        if let [part] = parts[..] {
            let found = declared(part);
            let range = |d: &counterpart_core::tape::Domain, j: usize| {
                if d.from[j] < d.to[j] { d.from[j]..d.to[j] } else { 0..0 }
            };
            assert!((0..name.arity).all(|j| range(domain, j) == range(found, j)), "{}", printed.body);
        } else {
            assert!(parts.iter().all(|part| declared(part).arity as usize == part.arity));
        }
    }
}

/// Reads the inside of a block.
pub fn read(body: &str) -> Plan {
    let mut errors = Errors::new();
    let tokens = body.parse().unwrap_or_else(|error| panic!("{error}\n{body}"));
    let schedule = parse::parse(tokens, &mut errors);
    let complain = |errors: &Errors| {
        let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}\n{body}", texts.join("\n"));
    };
    let Some(schedule) = schedule.filter(|_| errors.is_empty()) else { complain(&errors) };
    counterpart_lang::expand::check(&schedule, &mut errors);
    let resolved = resolve::resolve(&schedule, &mut errors);
    if !errors.is_empty() {
        complain(&errors);
    }
    match elaborate::elaborate(&resolved, &[], "printed.rs", &mut errors) {
        Some(instance) => instance.plan,
        None => complain(&errors),
    }
}

fn split(label: &str) -> (&str, Vec<u64>) {
    match label.split_once('[') {
        None => (label, Vec::new()),
        Some((name, rest)) => {
            (name, rest.trim_end_matches(']').split(',').map(|index| index.parse().unwrap()).collect())
        }
    }
}

fn plan_without(plan: &Plan, domains: &[String]) -> Plan {
    let mut plain = Plan::new(plan.name.clone());
    for rank in 0..plan.ranks() {
        plain.begin_rank();
        for step in plan.steps(rank) {
            let at = step.number as usize;
            match step.kind {
                StepKind::Compute => {
                    let uses: Vec<_> =
                        plan.uses(step).iter().map(|u| (u.role, plain.value(&plan.label(u.value)))).collect();
                    plain.compute(uses[0].1, &uses[1..], 0);
                }
                kind => {
                    let comms: Vec<_> = (0..step.len as usize)
                        .map(|item| {
                            let comm = plan.comm(rank, at, item);
                            counterpart_core::plan::Comm {
                                value: plain.value(&plan.label(comm.value)),
                                ..comm
                            }
                        })
                        .collect();
                    if kind == StepKind::Single { plain.single(comms[0]) } else { plain.batch(&comms, 0) }
                }
            }
        }
    }
    for domain in plan.domains() {
        let name = plan.names()[domain.family as usize];
        if !domains.iter().any(|dropped| dropped == name.text) {
            let ranges: Vec<_> = (0..name.arity).map(|j| domain.from[j]..domain.to[j]).collect();
            plain.declare(name.text, &ranges);
        }
    }
    plain
}

/// A payload for tests.
pub fn floats(count: u64) -> Payload {
    Payload::new(counterpart_core::DType::F32, count)
}
