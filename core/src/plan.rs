//! A plan: a concrete schedule as data.

use std::collections::HashMap;
use std::sync::Arc;

use crate::dtype::Payload;
use crate::tape::{Domain, Item, NONE, Role, Step, StepKind, Tape, Use};
use crate::value::{Name, Names, Value};

/// Ranks that a plan may have.
pub const MAX_RANKS: usize = 65_535;

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// The file, as the compiler or the command line names it.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// A send or receive to be added to a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comm {
    /// A send, or else a receive.
    pub send: bool,
    /// What travels.
    pub value: Value,
    /// The rank at the other end.
    pub peer: i32,
    /// Element type and count, where declared.
    pub payload: Payload,
    /// The number that [`Plan::add_source`] gave, or [`NONE`].
    pub source: u32,
}

impl Comm {
    /// A send of `value` to `peer`.
    pub const fn send(value: Value, peer: i32) -> Comm {
        Comm { send: true, value, peer, payload: Payload::UNKNOWN, source: NONE }
    }

    /// A receive of `value` from `peer`.
    pub const fn recv(value: Value, peer: i32) -> Comm {
        Comm { send: false, value, peer, payload: Payload::UNKNOWN, source: NONE }
    }

    /// The same with a declared payload.
    pub const fn with(self, payload: Payload) -> Comm {
        Comm { payload, ..self }
    }

    /// The same with its place in the source.
    pub const fn at(self, source: u32) -> Comm {
        Comm { source, ..self }
    }
}

/// A concrete schedule as data: printed, saved, loaded, checked, simulated, drawn, executed.
///
/// ```
/// use counterpart_core::{Model, Plan, plan::Comm};
///
/// let mut plan = Plan::new("hello");
/// let act = plan.value("Act[1,0]");
/// plan.begin_rank();
/// plan.single(Comm::send(act, 1));
/// plan.begin_rank();
/// plan.single(Comm::recv(act, 0));
/// assert!(plan.verify(Model::PORTABLE).is_safe());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The name of the schedule.
    pub name: String,
    names: Names,
    starts: Vec<u32>,
    steps: Vec<Step>,
    items: Vec<Item>,
    uses: Vec<Use>,
    domains: Vec<Domain>,
    /// The place in `domains` of each declared family.
    declared: HashMap<u32, usize>,
    payloads: HashMap<u32, Payload>,
    sources: Vec<Source>,
    step_sources: Vec<u32>,
    item_sources: Vec<u32>,
}

impl Plan {
    /// A plan with no ranks yet.
    pub fn new(name: impl Into<String>) -> Plan {
        Plan { name: name.into(), ..Plan::default() }
    }

    /// The number of the family called `name` with `arity` indices.
    pub fn family(&mut self, name: &str, arity: usize) -> u32 {
        self.names.family(name, arity)
    }

    /// The value that a label such as `Act[1,0]` names.
    pub fn value(&mut self, label: &str) -> Value {
        self.names.value(label)
    }

    /// The label of a value of this plan.
    pub fn label(&self, value: Value) -> String {
        self.names.label(value)
    }

    /// Family names, by number.
    pub fn names(&self) -> Vec<Name<'_>> {
        self.names.as_list()
    }

    /// Declares what the messages of a family are, for values that only compute steps use. An unknown payload changes
    /// nothing.
    pub fn set_payload(&mut self, family: u32, payload: Payload) {
        if payload.is_known() {
            self.payloads.insert(family, payload);
        }
    }

    /// What [`Plan::set_payload`] declared for a family.
    pub fn family_payload(&self, family: u32) -> Payload {
        self.payloads.get(&family).copied().unwrap_or_default()
    }

    /// Notes a place in the source, to be given to steps and items.
    pub fn add_source(&mut self, source: Source) -> u32 {
        self.sources.push(source);
        self.sources.len() as u32 - 1
    }

    /// Begins the program of the next rank and returns its number.
    ///
    /// # Panics
    /// When there are [`MAX_RANKS`] already.
    pub fn begin_rank(&mut self) -> usize {
        assert!(self.starts.len() < MAX_RANKS, "a plan has at most {MAX_RANKS} ranks");
        self.starts.push(self.steps.len() as u32);
        self.starts.len() - 1
    }

    fn begin_step(&mut self, kind: StepKind, first: usize, len: usize, source: u32) {
        let rank = self.starts.len().checked_sub(1).expect("`begin_rank` comes before the first step");
        let number = self.steps.len() as u32 - self.starts[rank];
        self.steps.push(Step { rank: rank as u32, number, first: first as u32, len: len as u32, kind });
        self.step_sources.push(source);
    }

    fn push_item(&mut self, comm: Comm, step: u32) {
        let Comm { send, value, peer, payload, source } = comm;
        self.items.push(Item { value, payload, step, peer, send });
        self.item_sources.push(source);
    }

    /// Adds one send or receive to the rank begun last.
    ///
    /// # Panics
    /// When no rank has been begun.
    pub fn single(&mut self, comm: Comm) {
        self.begin_step(StepKind::Single, self.items.len(), 1, comm.source);
        self.push_item(comm, self.steps.len() as u32 - 1);
    }

    /// Adds a batch to the rank begun last.
    ///
    /// # Panics
    /// When no rank has been begun.
    pub fn batch(&mut self, comms: &[Comm], source: u32) {
        self.begin_step(StepKind::Batch, self.items.len(), comms.len(), source);
        for &comm in comms {
            self.push_item(comm, self.steps.len() as u32 - 1);
        }
    }

    /// Adds a compute step to the rank begun last: what it is called, and its reads, writes and `after`s. Where `uses` has
    /// further names, the step is all of these at once: a forward and a backward that overlap, say.
    ///
    /// # Panics
    /// When no rank has been begun.
    pub fn compute(&mut self, name: Value, uses: &[(Role, Value)], source: u32) {
        self.begin_step(StepKind::Compute, self.uses.len(), uses.len() + 1, source);
        self.uses.push(Use { role: Role::Name, value: name });
        self.uses.extend(uses.iter().map(|&(role, value)| Use { role, value }));
    }

    /// Declares that a compute step occurs exactly once for every element of `ranges`; a later declaration of the same
    /// name and number of ranges takes the place of an earlier one.
    ///
    /// # Panics
    /// With more than four ranges.
    pub fn declare(&mut self, name: &str, ranges: &[core::ops::Range<u64>]) {
        let family = self.family(name, ranges.len());
        let mut domain = Domain { family, arity: ranges.len() as u32, from: [0; 4], to: [0; 4] };
        for (j, range) in ranges.iter().enumerate() {
            (domain.from[j], domain.to[j]) = (range.start, range.end);
        }
        let next = self.domains.len();
        match *self.declared.entry(family).or_insert(next) {
            at if at == next => self.domains.push(domain),
            at => self.domains[at] = domain,
        }
    }

    /// A plan of the same name, families, payloads, domains and places in the source, with no ranks yet: the beginning
    /// of an edited copy.
    pub fn emptied(&self) -> Plan {
        Plan {
            name: self.name.clone(),
            names: self.names.clone(),
            domains: self.domains.clone(),
            declared: self.declared.clone(),
            payloads: self.payloads.clone(),
            sources: self.sources.clone(),
            ..Plan::default()
        }
    }

    /// Adds a copy of step `step` of rank `rank` of `from` to the rank begun last. This plan must be a copy of `from`
    /// that [`Plan::emptied`] began.
    ///
    /// # Panics
    /// When no rank has been begun, or `from` has no such step.
    pub fn copy(&mut self, from: &Plan, rank: usize, step: usize) {
        let at = &from.steps(rank)[step];
        let source = from.source_number(rank, step, None);
        match at.kind {
            StepKind::Single => self.single(from.comm(rank, step, 0)),
            StepKind::Batch => {
                let comms: Vec<Comm> = (0..at.len as usize).map(|item| from.comm(rank, step, item)).collect();
                self.batch(&comms, source);
            }
            StepKind::Compute => {
                let uses: Vec<(Role, Value)> = from.uses(at).iter().map(|u| (u.role, u.value)).collect();
                self.compute(uses[0].1, &uses[1..], source);
            }
        }
    }

    /// Item `item` of a communication step, as it was added.
    ///
    /// # Panics
    /// When there is no such item.
    pub fn comm(&self, rank: usize, step: usize, item: usize) -> Comm {
        let Item { value, payload, peer, send, .. } = self.items(&self.steps(rank)[step])[item];
        Comm { send, value, peer, payload, source: self.source_number(rank, step, Some(item)) }
    }

    /// The number of ranks.
    pub fn ranks(&self) -> usize {
        self.starts.len()
    }

    /// The steps of one rank, in order.
    ///
    /// # Panics
    /// When there is no such rank.
    pub fn steps(&self, rank: usize) -> &[Step] {
        let end = self.starts.get(rank + 1).map_or(self.steps.len(), |&s| s as usize);
        &self.steps[self.starts[rank] as usize..end]
    }

    /// The number of steps of all ranks together.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Has the plan no step at all?
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The sends and receives of a communication step; none for a compute step.
    pub fn items(&self, step: &Step) -> &[Item] {
        match step.kind {
            StepKind::Compute => &[],
            _ => &self.items[step.first as usize..(step.first + step.len) as usize],
        }
    }

    /// The uses of a compute step, its name first; none for a communication step.
    pub fn uses(&self, step: &Step) -> &[Use] {
        match step.kind {
            StepKind::Compute => &self.uses[step.first as usize..(step.first + step.len) as usize],
            _ => &[],
        }
    }

    /// What a compute step is called: one name, or several where it is an overlapped pair; none for a communication
    /// step.
    pub fn compute_names(&self, step: &Step) -> impl Iterator<Item = Value> {
        self.uses(step).iter().filter(|used| used.role == Role::Name).map(|used| used.value)
    }

    /// The names of a compute step as one label: `F[0,1] + B[7,3]` for an overlapped pair.
    pub fn compute_label(&self, step: &Step) -> String {
        let names: Vec<String> = self.compute_names(step).map(|name| self.label(name)).collect();
        names.join(" + ")
    }

    /// A send or receive in words, such as `recv Act[1,0] from 0`.
    pub fn comm_words(&self, send: bool, value: Value, peer: i32) -> String {
        let (word, toward) = if send { ("send", "to") } else { ("recv", "from") };
        format!("{word} {} {toward} {peer}", self.label(value))
    }

    /// What a step does, in words; `None` where there is no such step.
    pub fn words(&self, rank: usize, step: usize) -> Option<String> {
        let found = (rank < self.ranks()).then(|| self.steps(rank).get(step)).flatten()?;
        let items = self.items(found).iter().map(|item| self.comm_words(item.send, item.value, item.peer));
        Some(match found.kind {
            StepKind::Compute => self.compute_label(found),
            StepKind::Single => items.collect(),
            StepKind::Batch => format!("batch {{ {} }}", items.collect::<Vec<_>>().join("; ")),
        })
    }

    /// A step in words, with its place, such as ``rank 1, step 3: `recv Act[1,0] from 0` ``; `None` where there is no
    /// such step.
    pub fn describe(&self, rank: usize, step: usize) -> Option<String> {
        Some(format!("rank {rank}, step {step}: `{}`", self.words(rank, step)?))
    }

    /// The declared domains in words, such as `forward[0..4, 0..8]`, sorted.
    pub fn domain_words(&self) -> Vec<String> {
        let names = self.names();
        let words = |domain: &Domain| {
            let ranges = domain.from.iter().zip(domain.to).take(domain.arity as usize);
            let ranges: Vec<String> = ranges.map(|(from, to)| format!("{from}..{to}")).collect();
            format!("{}[{}]", names[domain.family as usize].text, ranges.join(", "))
        };
        let mut all: Vec<String> = self.domains.iter().map(words).collect();
        all.sort_unstable();
        all
    }

    /// The declared domains.
    pub fn domains(&self) -> &[Domain] {
        &self.domains
    }

    /// Where a step stands in the source, where that is known.
    pub fn step_source(&self, rank: usize, step: usize) -> Option<&Source> {
        let at = *self.starts.get(rank)? as usize + step;
        self.sources.get(*self.step_sources.get(at)? as usize)
    }

    /// The source number of a step or of one of its items, as it was given to the builder; [`NONE`] where unknown.
    pub fn source_number(&self, rank: usize, step: usize, item: Option<usize>) -> u32 {
        let at = self.starts[rank] as usize + step;
        match item {
            Some(i) if self.steps[at].kind != StepKind::Compute => {
                self.item_sources[self.steps[at].first as usize + i]
            }
            _ => self.step_sources[at],
        }
    }

    /// The place of a source number.
    pub fn source(&self, number: u32) -> Option<&Source> {
        self.sources.get(number as usize)
    }

    /// Calls `f` with the flat form that the verifier reads.
    pub(crate) fn with_tape<R>(&self, f: impl FnOnce(&Tape<'_>) -> R) -> R {
        let names = self.names.as_list();
        let mut starts = self.starts.clone();
        starts.push(self.steps.len() as u32);
        f(&Tape {
            starts: &starts,
            steps: &self.steps,
            items: &self.items,
            uses: &self.uses,
            domains: &self.domains,
            names: &names,
        })
    }
}
