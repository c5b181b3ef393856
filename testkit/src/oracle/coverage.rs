//! Coverage: every element of a declared domain occurs exactly once.

use crate::world::{Domain, Step, World};

/// Has the schedule a coverage fault?
pub(super) fn is_wrong(world: &World) -> bool {
    let names: Vec<&str> = world.programs.iter().flatten().flat_map(Step::names).collect();
    world.domains.iter().any(|domain| {
        let elements = elements(domain);
        let once = |element: &String| names.iter().filter(|name| *name == element).count() == 1;
        let stray = |name: &&&str| {
            indices(name, &domain.name).is_some_and(|n| n == domain.ranges.len())
                && !elements.iter().any(|element| element == *name)
        };
        !elements.iter().all(once) || names.iter().find(stray).is_some()
    })
}

/// The labels of all elements.
fn elements(domain: &Domain) -> Vec<String> {
    let mut tuples = vec![Vec::new()];
    for range in &domain.ranges {
        let longer = |tuple: &Vec<String>| {
            range.clone().map(|i| [&tuple[..], &[i.to_string()]].concat()).collect::<Vec<_>>()
        };
        tuples = tuples.iter().flat_map(longer).collect();
    }
    if domain.ranges.is_empty() {
        return vec![domain.name.clone()];
    }
    tuples.into_iter().map(|tuple| format!("{}[{}]", domain.name, tuple.join(","))).collect()
}

/// How many indices follow `family` in the label; `None` where it is of another family.
fn indices(label: &str, family: &str) -> Option<usize> {
    let rest = label.strip_prefix(family)?;
    if rest.is_empty() {
        return Some(0);
    }
    let inside = rest.strip_prefix('[')?.strip_suffix(']')?;
    let is_index = |part: &str| part.parse::<u32>().is_ok_and(|i| i < 1 << 24 && i.to_string() == part);
    inside.split(',').all(is_index).then(|| inside.split(',').count())
}
