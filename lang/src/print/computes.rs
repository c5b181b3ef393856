//! Compute steps get families of at most four indices.

use std::collections::HashMap;

use counterpart_core::tape::{Domain, Role, Step};
use counterpart_core::value::{MAX_ARITY, Name};
use counterpart_core::{Plan, Value};

use super::messages::Messages;
use super::names::Names;
use super::{Index, Original};

/// Compute steps that are called alike.
pub struct Group {
    /// What the plan calls them: one name, or several where steps overlap.
    pub originals: Vec<Original>,
    /// What the printed steps are called, where one declaration is enough.
    pub name: String,
    /// What their indices are called.
    pub indices: Vec<String>,
    /// Every element of this must occur once.
    pub domain: Option<Vec<(u64, u64)>>,
}

/// One compute step of the plan.
pub struct Occurrence {
    /// The rank that takes it.
    pub rank: usize,
    /// Its number there.
    pub step: usize,
    /// Its family.
    pub group: usize,
    /// Its indices in that family.
    pub index: [u64; MAX_ARITY],
    /// What it does with values and which steps it runs after, in order.
    pub uses: Vec<(Role, Used)>,
}

/// What a compute step uses.
#[derive(Clone, Copy)]
pub enum Used {
    /// A value of this message family.
    Value(u32, Value),
    /// Another compute step of the plan.
    Step(usize),
    /// A compute step that no rank takes, by family and indices.
    Nowhere(usize, [u64; MAX_ARITY]),
}

/// All compute steps.
pub struct Computes {
    pub groups: Vec<Group>,
    /// In the order of the plan.
    pub occurrences: Vec<Occurrence>,
    /// For each rank, where its occurrences begin, and their end.
    pub starts: Vec<usize>,
    /// Families whose domain is lost, since some of their elements overlap with others.
    pub dropped_domains: Vec<String>,
}

/// Finds the families of a plan's compute steps.
pub fn collect(plan: &Plan, messages: &Messages, names: &mut Names) -> Computes {
    let grouping = Grouping::new(plan);
    let mut collector = Collector {
        plan,
        texts: plan.names(),
        names,
        numbers: HashMap::new(),
        out: Computes {
            groups: Vec::new(),
            occurrences: Vec::new(),
            starts: Vec::new(),
            dropped_domains: Vec::new(),
        },
    };
    for rank in 0..plan.ranks() {
        collector.out.starts.push(collector.out.occurrences.len());
        for step in plan.steps(rank).iter().filter(|step| !plan.uses(step).is_empty()) {
            collector.step(&grouping, step);
        }
    }
    collector.out.starts.push(collector.out.occurrences.len());
    collector.uses(messages);
    collector.domains();
    collector.out
}

/// Which indices of the names of a step are told by those of its family.
struct Grouping {
    /// By families of the names.
    layouts: HashMap<Vec<u32>, Vec<Slot>>,
}

/// Of steps of several names: the indices of the first, which of them vary, and classes of those that are always equal.
type Seen = (Vec<u64>, Vec<bool>, Vec<usize>);

/// One index of one of the names.
#[derive(Clone, Copy)]
enum Slot {
    /// Index of the family.
    Free(usize),
    /// The family is for one value of it.
    Fixed,
}

fn all_indices(plan: &Plan, texts: &[Name<'_>], step: &Step) -> (Vec<u32>, Vec<u64>) {
    let (mut families, mut indices) = (Vec::new(), Vec::new());
    for name in plan.compute_names(step) {
        families.push(name.family());
        indices.extend((0..texts[name.family() as usize].arity).map(|j| name.index(j)));
    }
    (families, indices)
}

impl Grouping {
    fn new(plan: &Plan) -> Grouping {
        let texts = plan.names();
        let mut seen: HashMap<Vec<u32>, Seen> = HashMap::new();
        for rank in 0..plan.ranks() {
            for step in plan.steps(rank).iter().filter(|step| plan.compute_names(step).nth(1).is_some()) {
                let (families, indices) = all_indices(plan, &texts, step);
                let (first, varies, classes) = seen
                    .entry(families)
                    .or_insert_with(|| (indices.clone(), vec![false; indices.len()], vec![0; indices.len()]));
                let mut finer = HashMap::new();
                for (p, &index) in indices.iter().enumerate() {
                    varies[p] |= index != first[p];
                    classes[p] = *finer.entry((classes[p], index)).or_insert(p);
                }
            }
        }
        let layouts = seen.into_iter().map(|(families, (_, varies, twins))| {
            // A class is called by its first index.
            let own: Vec<usize> = (0..twins.len()).filter(|&p| twins[p] == p).collect();
            let free: Vec<usize> = match own.len() <= MAX_ARITY {
                true => own,
                false => own.into_iter().filter(|&p| varies[p]).take(MAX_ARITY).collect(),
            };
            let slot = |p: usize| match free.iter().position(|&f| f == twins[p]) {
                Some(j) => Slot::Free(j),
                None => Slot::Fixed,
            };
            let slots = (0..twins.len()).map(slot).collect();
            (families, slots)
        });
        Grouping { layouts: layouts.collect() }
    }
}

struct Collector<'a, 'n> {
    plan: &'a Plan,
    texts: Vec<Name<'a>>,
    names: &'n mut Names,
    /// Groups by the families of their names and the indices that are fixed.
    numbers: HashMap<(Vec<u32>, Vec<u64>), usize>,
    out: Computes,
}

impl Collector<'_, '_> {
    fn step(&mut self, grouping: &Grouping, step: &Step) {
        let (families, indices) = all_indices(self.plan, &self.texts, step);
        let mut index = [0; MAX_ARITY];
        let mut fixed = Vec::new();
        let slots = match grouping.layouts.get(&families) {
            Some(slots) => slots.clone(),
            None => (0..indices.len()).map(Slot::Free).collect(),
        };
        for (slot, &value) in slots.iter().zip(&indices) {
            match *slot {
                Slot::Free(j) => index[j] = value,
                Slot::Fixed => fixed.push(value),
            }
        }
        let group = self.group(families, &slots, fixed);
        let (rank, step) = (step.rank as usize, step.number as usize);
        self.out.occurrences.push(Occurrence { rank, step, group, index, uses: Vec::new() });
    }

    fn group(&mut self, families: Vec<u32>, slots: &[Slot], fixed: Vec<u64>) -> usize {
        if let Some(&group) = self.numbers.get(&(families.clone(), fixed.clone())) {
            return group;
        }
        let mut constants = fixed.iter().copied();
        let mut slots = slots.iter().map(|slot| match *slot {
            Slot::Free(j) => Index::Written(j),
            Slot::Fixed => Index::Constant(constants.next().expect("a constant for every fixed index")),
        });
        let mut originals = Vec::new();
        let mut indices: Vec<String> = Vec::new();
        for (nth, &family) in families.iter().enumerate() {
            let Name { text, arity } = self.texts[family as usize];
            let own: Vec<Index> = slots.by_ref().take(arity).collect();
            let fresh = own.iter().filter(|&&i| matches!(i, Index::Written(j) if j >= indices.len())).count();
            let named = self.names.indices(nth, arity, &indices);
            indices.extend(named.into_iter().take(fresh));
            originals.push(Original { name: text.to_owned(), indices: own });
        }
        let wanted = match &originals[..] {
            [one] => one.name.clone(),
            several => {
                let names: Vec<String> = several.iter().map(|one| one.name.to_lowercase()).collect();
                names.join("_")
            }
        };
        let name = self.names.give(&wanted, "step");
        let group = self.out.groups.len();
        self.out.groups.push(Group { originals, name, indices, domain: None });
        self.numbers.insert((families, fixed), group);
        group
    }

    /// The family of steps that have this one name.
    fn single(&mut self, family: u32) -> usize {
        let arity = self.texts[family as usize].arity;
        let slots: Vec<Slot> = (0..arity).map(Slot::Free).collect();
        self.group(vec![family], &slots, Vec::new())
    }

    /// What each step uses. `after` names a step of the same rank, best one that came before.
    fn uses(&mut self, messages: &Messages) {
        let plan = self.plan;
        let mut everywhere: HashMap<Value, usize> = HashMap::new();
        for (number, at) in self.out.occurrences.iter().enumerate() {
            for name in plan.compute_names(&plan.steps(at.rank)[at.step]) {
                everywhere.entry(name).or_insert(number);
            }
        }
        for rank in 0..plan.ranks() {
            let here = self.out.starts[rank]..self.out.starts[rank + 1];
            let mut later: HashMap<Value, usize> = HashMap::new();
            for number in here.clone().rev() {
                for name in plan.compute_names(&plan.steps(rank)[self.out.occurrences[number].step]) {
                    later.insert(name, number);
                }
            }
            let mut before: HashMap<Value, usize> = HashMap::new();
            for number in here {
                let step = &plan.steps(rank)[self.out.occurrences[number].step];
                let mut uses = Vec::new();
                for used in plan.uses(step) {
                    let value = used.value;
                    let what = match used.role {
                        Role::Name => continue,
                        Role::Read | Role::Write => Used::Value(messages.of_value(value), value),
                        Role::After => {
                            let found = before.get(&value).or_else(|| later.get(&value));
                            match found.or_else(|| everywhere.get(&value)) {
                                Some(&step) => Used::Step(step),
                                None => self.nowhere(value),
                            }
                        }
                    };
                    uses.push((used.role, what));
                }
                self.out.occurrences[number].uses = uses;
                before.extend(plan.compute_names(step).map(|name| (name, number)));
            }
        }
    }

    fn nowhere(&mut self, name: Value) -> Used {
        let index = core::array::from_fn(|j| name.index(j));
        Used::Nowhere(self.single(name.family()), index)
    }

    fn domains(&mut self) {
        let several = self.out.groups.iter().filter(|group| group.originals.len() > 1);
        let overlapped: Vec<(String, usize)> =
            several.flat_map(|g| g.originals.iter().map(|o| (o.name.clone(), o.indices.len()))).collect();
        for domain in self.plan.domains() {
            let Domain { family, arity, from, to } = *domain;
            let text = self.texts[family as usize].text;
            if overlapped.iter().any(|(name, indices)| name == text && *indices == arity as usize) {
                self.out.dropped_domains.push(text.to_owned());
                continue;
            }
            let group = self.single(family);
            let ranges = (0..arity as usize).map(|j| (from[j], to[j])).collect();
            let group = &mut self.out.groups[group];
            group.domain = Some(ranges);
            if arity == 0 {
                // A domain is said with indices: the step gets one, which is always 0.
                group.domain = Some(vec![(0, 1)]);
                group.indices = self.names.indices(0, 1, &[]);
            }
        }
    }
}

impl Group {
    /// Its number of indices.
    pub fn arity(&self) -> usize {
        self.indices.len()
    }
}
