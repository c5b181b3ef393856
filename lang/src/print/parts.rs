//! Families of compute steps become declarations.

use std::collections::{HashMap, HashSet};

use counterpart_core::value::INDEX_LIMIT;

use super::computes::{Computes, Group, Occurrence, Used};
use super::condition::boxes;
use super::fit::{self, Declared, MAX_USES, Sample, Use};
use super::messages::Messages;
use super::names::Names;
use super::{Family, PrintError};

/// Rounds of refinement after which every step gets a declaration of its own.
const MOST_ROUNDS: usize = 8;

/// One `compute` declaration.
pub struct Part {
    /// What it is called.
    pub name: String,
    /// The family that it belongs to.
    pub group: usize,
    /// Its domain, where the family has one.
    pub ranges: Option<Vec<(u64, u64)>>,
    /// What its steps use.
    pub declared: Vec<Declared>,
    /// Its steps.
    members: Vec<usize>,
    /// Its steps are outside of the domain of the family, or occur in another part already.
    wrong: bool,
}

/// All declarations.
pub struct Parts {
    pub list: Vec<Part>,
    /// The declaration of each occurrence.
    pub of: Vec<usize>,
}

impl Parts {
    /// What they are called, and how the plan calls them.
    pub fn families<'a>(&'a self, computes: &'a Computes) -> impl Iterator<Item = Family> + 'a {
        self.list.iter().map(|part| {
            let group = &computes.groups[part.group];
            let (name, originals) = (part.name.clone(), group.originals.clone());
            Family { name, arity: group.arity(), compute: true, originals }
        })
    }
}

/// Finds the declarations.
pub fn divide(computes: &Computes, messages: &Messages, names: &mut Names) -> Result<Parts, PrintError> {
    for Occurrence { rank, step, uses, .. } in &computes.occurrences {
        if uses.len() > MAX_USES {
            let message = format!(
                "a compute step of the language uses at most {MAX_USES} values and steps, and this one {}; make \
                 several of it",
                uses.len()
            );
            return Err(PrintError::at(*rank, *step, message));
        }
    }
    let mut parts = Parts { list: Vec::new(), of: vec![0; computes.occurrences.len()] };
    for group in 0..computes.groups.len() {
        parts.add(group, Vec::new(), false);
    }
    for (at, occurrence) in computes.occurrences.iter().enumerate() {
        parts.of[at] = occurrence.group;
        parts.list[occurrence.group].members.push(at);
    }
    let divider = Divider { computes, messages };
    for round in 0.. {
        let broken = divider.fit(&mut parts);
        if broken.is_empty() {
            break;
        }
        broken.into_iter().for_each(|part| divider.split(&mut parts, part, round >= MOST_ROUNDS));
    }
    domains(computes, &mut parts);
    name(computes, &mut parts, names);
    Ok(parts)
}

impl Parts {
    /// The parts of each family.
    fn by_group(&self, computes: &Computes) -> Vec<Vec<usize>> {
        let mut by_group = vec![Vec::new(); computes.groups.len()];
        self.list.iter().enumerate().for_each(|(part, one)| by_group[one.group].push(part));
        by_group
    }

    fn add(&mut self, group: usize, members: Vec<usize>, wrong: bool) {
        members.iter().for_each(|&at| self.of[at] = self.list.len());
        let (name, ranges, declared) = (String::new(), None, Vec::new());
        self.list.push(Part { name, group, ranges, declared, members, wrong });
    }
}

struct Divider<'a> {
    computes: &'a Computes,
    messages: &'a Messages,
}

impl<'a> Divider<'a> {
    fn samples(&self, parts: &Parts, part: usize) -> Vec<Sample<'a>> {
        let arity = self.group(parts, part).arity();
        let sample = |&at: &usize| {
            let occurrence = &self.computes.occurrences[at];
            let uses = occurrence.uses.iter().map(|&(role, used)| {
                let (target, arity, index) = match used {
                    Used::Value(message, value) => {
                        let arity = self.messages.list[message as usize].arity;
                        (message as usize, arity, core::array::from_fn(|j| value.index(j)))
                    }
                    Used::Step(step) => {
                        let target = parts.of[step];
                        let index = self.computes.occurrences[step].index;
                        (target, self.group(parts, target).arity(), index)
                    }
                    // A family that exists always has the part of its own number.
                    Used::Nowhere(group, index) => (group, self.computes.groups[group].arity(), index),
                };
                Use { role: fit::role(role), target, arity, index }
            });
            Sample { index: &occurrence.index[..arity], uses: uses.collect() }
        };
        parts.list[part].members.iter().map(sample).collect()
    }

    fn group(&self, parts: &Parts, part: usize) -> &'a Group {
        &self.computes.groups[parts.list[part].group]
    }

    /// Finds what each part uses, and returns those for which there is no rule.
    fn fit(&self, parts: &mut Parts) -> Vec<usize> {
        let mut broken = Vec::new();
        for part in 0..parts.list.len() {
            let found = fit::fit(&self.samples(parts, part), &self.group(parts, part).indices);
            match found {
                Some(declared) => parts.list[part].declared = declared,
                None => broken.push(part),
            }
        }
        broken
    }

    /// Replaces a part by finer ones, the first of which takes its number.
    fn split(&self, parts: &mut Parts, part: usize, singly: bool) {
        let samples = self.samples(parts, part);
        let group = self.group(parts, part);
        let mut finer = fit::divide(&samples, &group.indices);
        if singly || finer.len() < 2 {
            finer = (0..samples.len()).map(|at| vec![at]).collect();
        }
        let members = core::mem::take(&mut parts.list[part].members);
        let wrong = parts.list[part].wrong;
        let mut pieces: Vec<(Vec<usize>, bool)> = Vec::new();
        match &group.domain {
            Some(domain) if !wrong => pieces.extend(within(domain, &samples, finer)),
            _ => pieces.extend(finer.into_iter().map(|piece| (piece, wrong))),
        }
        let number = parts.list[part].group;
        let mut pieces = pieces
            .into_iter()
            .map(|(piece, wrong)| (piece.into_iter().map(|at| members[at]).collect::<Vec<usize>>(), wrong));
        let (first, wrong) = pieces.next().expect("there is no rule for it, so it has steps");
        first.iter().for_each(|&at| parts.of[at] = part);
        (parts.list[part].members, parts.list[part].wrong) = (first, wrong);
        pieces.for_each(|(piece, wrong)| parts.add(number, piece, wrong));
    }
}

fn contains(domain: &[(u64, u64)], index: &[u64]) -> bool {
    domain.iter().zip(index).all(|(&(from, to), i)| (from..to).contains(i))
}

/// The pieces of a family with a domain: of each piece the steps of every box, and then those that are outside of the
/// domain or in another piece already.
fn within(domain: &[(u64, u64)], samples: &[Sample<'_>], pieces: Vec<Vec<usize>>) -> Vec<(Vec<usize>, bool)> {
    let mut owner: HashMap<&[u64], usize> = HashMap::new();
    let mut out = Vec::new();
    for (number, piece) in pieces.into_iter().enumerate() {
        let (good, wrong): (Vec<usize>, Vec<usize>) = piece.into_iter().partition(|&at| {
            let index = samples[at].index;
            contains(domain, index) && *owner.entry(index).or_insert(number) == number
        });
        let boxes = boxes(good.iter().map(|&at| samples[at].index.to_vec()).collect());
        let mut home: HashMap<Vec<u64>, usize> = HashMap::new();
        for (number, one) in boxes.iter().enumerate() {
            let mut elements = vec![Vec::new()];
            for range in one {
                let longer = |element: Vec<u64>| range.clone().map(move |i| [&element[..], &[i]].concat());
                elements = elements.into_iter().flat_map(longer).collect();
            }
            home.extend(elements.into_iter().map(|element| (element, number)));
        }
        let mut by_box = vec![Vec::new(); boxes.len()];
        good.into_iter().for_each(|at| by_box[home[samples[at].index]].push(at));
        out.extend(by_box.into_iter().map(|piece| (piece, false)));
        if !wrong.is_empty() {
            out.push((wrong, true));
        }
    }
    out
}

/// Gives the parts of a family with a domain their shares of it.
fn domains(computes: &Computes, parts: &mut Parts) {
    for (number, own) in parts.by_group(computes).into_iter().enumerate() {
        let group = &computes.groups[number];
        let Some(domain) = &group.domain else { continue };
        let index = |at: &usize| &computes.occurrences[*at].index[..group.arity()];
        if own.len() == 1 {
            parts.list[own[0]].ranges = Some(domain.iter().map(|&range| sayable(range)).collect());
            continue;
        }
        let mut there: HashSet<&[u64]> = HashSet::new();
        for &part in &own {
            let part = &mut parts.list[part];
            let range = |j: usize| {
                let all = part.members.iter().map(|at| index(at)[j]);
                (all.clone().min().unwrap_or(0), all.max().map_or(0, |last| last + 1))
            };
            part.ranges = Some(match part.wrong {
                true => vec![(0, 0); group.arity()],
                false => (0..group.arity()).map(range).collect(),
            });
            if !part.wrong {
                there.extend(part.members.iter().map(index));
            }
        }
        if let Some(missing) = missing(domain, &there) {
            let ranges = missing.into_iter().map(|i| sayable((i, i + 1))).collect();
            parts.add(number, Vec::new(), false);
            parts.list.last_mut().expect("it has just been added").ranges = Some(ranges);
        }
    }
}

/// A range with indices that the language has.
fn sayable((from, to): (u64, u64)) -> (u64, u64) {
    if from < to { (from.min(INDEX_LIMIT - 1), to.min(INDEX_LIMIT)) } else { (0, 0) }
}

/// The first element of a domain that is not there.
fn missing(domain: &[(u64, u64)], there: &HashSet<&[u64]>) -> Option<Vec<u64>> {
    let mut element: Vec<u64> = domain.iter().map(|range| range.0).collect();
    if domain.iter().any(|&(from, to)| from >= to) {
        return None;
    }
    while there.contains(&element[..]) {
        let j = (0..domain.len()).rev().find(|&j| element[j] + 1 < domain[j].1)?;
        element[j] += 1;
        (j + 1..domain.len()).for_each(|k| element[k] = domain[k].0);
    }
    Some(element)
}

fn name(computes: &Computes, parts: &mut Parts, names: &mut Names) {
    for (number, own) in parts.by_group(computes).into_iter().enumerate() {
        let group = &computes.groups[number];
        if let [part] = own[..] {
            parts.list[part].name = group.name.clone();
            continue;
        }
        for (nth, part) in own.into_iter().enumerate() {
            let mut distinct: Vec<&[u64]> = parts.list[part]
                .members
                .iter()
                .map(|&at| &computes.occurrences[at].index[..group.arity()])
                .collect();
            distinct.dedup();
            let suffix = match distinct[..] {
                [one] if !one.is_empty() => {
                    format!("at_{}", one.iter().map(u64::to_string).collect::<Vec<_>>().join("_"))
                }
                _ => nth.to_string(),
            };
            parts.list[part].name = names.give(&format!("{}_{suffix}", group.name), "step");
        }
    }
}
