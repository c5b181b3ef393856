//! What a family of compute steps uses, as a rule on their indices.

use std::collections::{BTreeMap, HashMap};

use counterpart_core::tape::Role;
use counterpart_core::value::MAX_ARITY;

use super::condition;
use super::linear::Linear;

/// Uses that one compute step may declare.
pub const MAX_USES: usize = 32;

/// One use of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Use {
    /// 0 for a read, 1 for a write, 2 for an `after`.
    pub role: u8,
    /// The number of the message, or of the compute declaration.
    pub target: usize,
    /// Its number of indices.
    pub arity: usize,
    /// Its indices.
    pub index: [u64; MAX_ARITY],
}

/// A step: its indices and uses.
pub struct Sample<'a> {
    /// Its indices.
    pub index: &'a [u64],
    /// Its uses, in order.
    pub uses: Vec<Use>,
}

/// One use as it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// As in [`Use`].
    pub role: u8,
    /// As in [`Use`].
    pub target: usize,
    /// What its indices are.
    pub index: Vec<Linear>,
    /// When it is there.
    pub condition: Option<String>,
}

/// The number of a role for [`Use`].
pub fn role(role: Role) -> u8 {
    match role {
        Role::Read | Role::Name => 0,
        Role::Write => 1,
        Role::After => 2,
    }
}

/// Uses that may be one declared use.
type Key = (u8, usize, Vec<i64>);

/// How uses of different steps are told to be one declared use.
#[derive(Clone, Copy)]
enum Alike {
    /// The k-th of its role and family is the same in all steps.
    InOrder,
    /// The distance to the indices of the step is the same.
    Distance,
    /// The distance to the sum or difference of two indices of the step is the same.
    Pair(i64),
}

/// A rule for all these steps, where there is a plain one. `names` are those of the indices.
pub fn fit(samples: &[Sample<'_>], names: &[String]) -> Option<Vec<Declared>> {
    let mut ways = vec![Alike::InOrder, Alike::Distance];
    if names.len() >= 2 {
        ways.extend([Alike::Pair(-1), Alike::Pair(1)]);
    }
    ways.into_iter().find_map(|alike| fit_alike(samples, names, alike))
}

fn fit_alike(samples: &[Sample<'_>], names: &[String], alike: Alike) -> Option<Vec<Declared>> {
    let keys: Vec<Vec<Key>> = samples.iter().map(|sample| keys(sample, alike)).collect();
    let mut numbers: HashMap<&Key, usize> = HashMap::new();
    // For each declared use, the steps that have it and which of theirs it is.
    let mut members: Vec<Vec<(usize, usize)>> = Vec::new();
    for (at, of_step) in keys.iter().enumerate() {
        for (nth, key) in of_step.iter().enumerate() {
            let number = *numbers.entry(key).or_insert(members.len());
            if number == members.len() {
                if number == MAX_USES {
                    return None;
                }
                members.push(Vec::new());
            }
            members[number].push((at, nth));
        }
    }
    let numbered: Vec<Vec<usize>> =
        keys.iter().map(|of_step| of_step.iter().map(|key| numbers[key]).collect()).collect();
    let order = order(&numbered, members.len())?;
    order.into_iter().map(|number| declare(samples, &members[number], names)).collect()
}

fn keys(sample: &Sample<'_>, alike: Alike) -> Vec<Key> {
    let mut counts: HashMap<Key, i64> = HashMap::new();
    let own = |j: usize| sample.index.get(j).map_or(0, |&i| i as i64);
    let key = |used: &Use| {
        let index = |j: usize| used.index[j] as i64;
        let distance = match alike {
            Alike::InOrder => Vec::new(),
            Alike::Distance => (0..used.arity).map(|j| index(j) - own(j)).collect(),
            Alike::Pair(sign) => (0..used.arity).map(|j| index(j) - own(0) - sign * own(1)).collect(),
        };
        let (role, target, mut distance) = (used.role, used.target, distance);
        let count = counts.entry((role, target, distance.clone())).or_insert(0);
        distance.push(*count);
        *count += 1;
        (role, target, distance)
    };
    sample.uses.iter().map(key).collect()
}

/// An order of all declared uses in which those of every step are in order.
fn order(steps: &[Vec<usize>], count: usize) -> Option<Vec<usize>> {
    let mut follows = vec![vec![false; count]; count];
    for step in steps {
        step.windows(2).for_each(|pair| follows[pair[0]][pair[1]] = true);
    }
    let mut order = Vec::new();
    let mut left: Vec<usize> = (0..count).collect();
    while !left.is_empty() {
        let at = left.iter().position(|&next| !left.iter().any(|&before| follows[before][next]))?;
        order.push(left.remove(at));
    }
    Some(order)
}

fn declare(samples: &[Sample<'_>], members: &[(usize, usize)], names: &[String]) -> Option<Declared> {
    let Use { role, target, arity, .. } = samples[members[0].0].uses[members[0].1];
    let values = |j: usize| members.iter().map(move |&(at, nth)| samples[at].uses[nth].index[j] as i64);
    let index: Option<Vec<Linear>> = (0..arity)
        .map(|j| {
            let own = |a: usize| members.iter().map(move |&(at, _)| samples[at].index[a] as i64);
            term(j, values(j).collect(), names, |a| own(a).collect())
        })
        .collect();
    let mut has = vec![false; samples.len()];
    members.iter().for_each(|&(at, _)| has[at] = true);
    let of = |wanted: bool| -> Vec<&[u64]> {
        let steps = samples.iter().zip(&has).filter(|(_, has)| **has == wanted);
        steps.map(|(sample, _)| sample.index).collect()
    };
    let condition = condition::find(&of(true), &of(false), names)?;
    Some(Declared { role, target, index: index?, condition })
}

/// Index `j` of a used value as a rule on the indices of the step.
fn term(j: usize, values: Vec<i64>, names: &[String], own: impl Fn(usize) -> Vec<i64>) -> Option<Linear> {
    let offset = |with: &dyn Fn(usize) -> i64| {
        let first = values[0] - with(0);
        values.iter().enumerate().all(|(at, value)| value - with(at) == first).then_some(first)
    };
    let constant = offset(&|_| 0);
    let columns: Vec<Vec<i64>> = (0..names.len()).map(own).collect();
    let one = |a: usize, factor: i64| {
        let found = offset(&|at| factor * columns[a][at])?;
        Some(Linear::number(found).plus(factor, &names[a]))
    };
    let near = |linear: &Linear| linear.constant.abs() <= 1;
    // The index of the same place first: `Act[s, m]` is what `forward(s, m)` reads.
    let places = || (j..names.len()).chain(0..j.min(names.len()));
    let same = (j < names.len()).then(|| one(j, 1)).flatten();
    let found = same.clone().filter(near);
    let found = found.or_else(|| places().find_map(|a| one(a, 1).filter(|linear| linear.constant == 0)));
    let found = found.or_else(|| constant.map(Linear::number)).or(same);
    let found = found.or_else(|| places().find_map(|a| one(a, 1)));
    let found = found.or_else(|| places().find_map(|a| one(a, -1)));
    let pairs =
        || (0..names.len()).flat_map(|a| (0..names.len()).map(move |b| (a, b))).filter(|(a, b)| a != b);
    found.or_else(|| {
        pairs().flat_map(|(a, b)| [(a, b, 1), (a, b, -1)]).find_map(|(a, b, sign)| {
            let found = offset(&|at| columns[a][at] + sign * columns[b][at])?;
            Some(Linear::number(found).plus(1, &names[a]).plus(sign, &names[b]))
        })
    })
}

/// Steps of one rule that are told apart: by families first, and where that is not enough by distances.
pub fn divide(samples: &[Sample<'_>], names: &[String]) -> Vec<Vec<usize>> {
    let families =
        |at: usize| samples[at].uses.iter().map(|used| (used.role, used.target)).collect::<Vec<_>>();
    let mut out = Vec::new();
    for part in classes((0..samples.len()).collect(), families) {
        if fit(&select(samples, &part), names).is_some() {
            out.push(part);
        } else {
            out.extend(classes(part, |at| keys(&samples[at], Alike::Distance)));
        }
    }
    out
}

/// Some of the steps.
pub fn select<'a>(samples: &[Sample<'a>], which: &[usize]) -> Vec<Sample<'a>> {
    which.iter().map(|&at| Sample { index: samples[at].index, uses: samples[at].uses.clone() }).collect()
}

/// Classes of equal keys, in order of their first members.
fn classes<K: Ord>(which: Vec<usize>, key: impl Fn(usize) -> K) -> Vec<Vec<usize>> {
    let mut numbers: BTreeMap<K, usize> = BTreeMap::new();
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for at in which {
        let number = *numbers.entry(key(at)).or_insert(classes.len());
        if number == classes.len() {
            classes.push(Vec::new());
        }
        classes[number].push(at);
    }
    classes
}
