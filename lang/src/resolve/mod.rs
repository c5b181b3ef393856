//! Tree to numbers: every name is looked up once, whatever sizes are instantiated later, and every mistake that does not
//! depend on sizes is found here.

pub(crate) mod code;
mod expr;
mod names;
pub(crate) mod resolved;
mod statement;

pub use resolved::Resolved;

use crate::error::{Errors, catalogue};
use crate::syntax::{self, Place, Schedule, UseKind};
use code::{Code, Routine, Var};
use counterpart_core::Model;
use names::{Names, Scope, Type};
use proc_macro2::{Ident, TokenStream, TokenTree};
use resolved::{Comms, Compute, Cost, Counted, Memory, Message, Rank, Ranks, Require, Use};

/// Looks up the names of a schedule. What is returned may be used only if no error has been noted.
pub fn resolve(schedule: &Schedule, errors: &mut Errors) -> Resolved {
    let mut resolver = Resolver::new(schedule, core::mem::take(errors));
    let constants = resolver.constants(schedule);
    resolver.functions(schedule);
    let messages = schedule.messages.iter().map(|message| resolver.family(message)).collect();
    let computes = schedule.computes.iter().map(|compute| resolver.compute(compute)).collect();
    let memory = schedule.memory.iter().filter_map(|memory| resolver.memory(memory)).collect();
    let requires = schedule.requires.iter().map(|require| resolver.require(require)).collect();
    let costs = schedule.costs.iter().filter_map(|cost| resolver.cost(cost)).collect();
    let search = resolver.search(schedule);
    let ranks = schedule.ranks.iter().map(|rank| resolver.rank(rank)).collect();
    let instances = resolver.instances(schedule);
    *errors = resolver.errors;
    Resolved {
        name: schedule.name.to_string(),
        place: Place::at(schedule.name.span()),
        params: schedule.params.len(),
        defaults: schedule.defaults.clone(),
        model: schedule.model.unwrap_or(Model::PORTABLE),
        code: resolver.code,
        constants,
        constant_names: texts(schedule.lets.iter().map(|l| &l.name)),
        constant_slots: resolver.constant_slots,
        messages,
        computes,
        requires,
        memory,
        costs,
        comms: schedule.comms.map(|comms| Comms { rule: comms.rule, fast: comms.fast }),
        search,
        ranks,
        instances,
        places: resolver.places,
    }
}

/// What is known while names are looked up.
struct Resolver {
    names: Names,
    scope: Scope,
    code: Code,
    /// Each message and each compute step with the names of its indices.
    messages: Vec<(String, Vec<String>)>,
    computes: Vec<(String, Vec<String>)>,
    /// How many arguments each helper function takes and what it returns.
    signatures: Vec<(usize, Type)>,
    /// So many parameters and `let`s are defined already.
    visible_values: u32,
    /// The variables of the present expression.
    mentioned: Vec<(String, Var)>,
    /// Local variables that an expression outside of programs needs at most.
    constant_slots: usize,
    /// Is communication inserted?
    inserts: bool,
    places: Vec<Place>,
    errors: Errors,
}

/// The first name in the tokens for which this holds.
fn mentions(tokens: TokenStream, holds: &impl Fn(&str) -> bool) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(name) => holds(&name.to_string()).then_some(name),
        TokenTree::Group(group) => mentions(group.stream(), holds),
        _ => None,
    })
}

fn texts<'a>(idents: impl IntoIterator<Item = &'a Ident>) -> Vec<String> {
    idents.into_iter().map(Ident::to_string).collect()
}

impl Resolver {
    fn new(schedule: &Schedule, mut errors: Errors) -> Resolver {
        let kind = |condition| if condition { Type::Condition } else { Type::Integer };
        Resolver {
            names: Names::of(schedule, &mut errors),
            scope: Scope::default(),
            code: Code::default(),
            messages: schedule.messages.iter().map(|m| (m.name.to_string(), texts(&m.indices))).collect(),
            computes: schedule
                .computes
                .iter()
                .map(|c| (c.name.to_string(), texts(c.indices.iter().map(|i| &i.name))))
                .collect(),
            signatures: schedule.functions.iter().map(|f| (f.params.len(), kind(f.condition))).collect(),
            visible_values: 0,
            mentioned: Vec::new(),
            constant_slots: 0,
            inserts: schedule.comms.is_some(),
            places: Vec::new(),
            errors,
        }
    }

    /// `let`s outside of ranks: each sees the parameters and the `let`s above it.
    fn constants(&mut self, schedule: &Schedule) -> Vec<code::Snippet> {
        let mut constants = Vec::new();
        for (number, binding) in (schedule.params.len()..).zip(&schedule.lets) {
            self.visible_values = number as u32;
            let (snippet, kind) = self.snippet(&binding.value, None);
            self.names.value_types[number] = kind;
            self.end_constant();
            constants.push(snippet);
        }
        self.visible_values = self.names.value_types.len() as u32;
        constants
    }

    /// Ends an expression outside of programs.
    fn end_constant(&mut self) {
        self.constant_slots = self.constant_slots.max(self.scope.finish());
    }

    fn functions(&mut self, schedule: &Schedule) {
        for (function, (arity, kind)) in schedule.functions.iter().zip(self.signatures.clone()) {
            self.declare_all(&function.params, "the parameters of a function");
            let entry = self.routine(&function.name, &function.body, kind);
            let slots = self.scope.finish() as u32;
            self.code.routines.push(Routine { entry, arity: arity as u32, slots });
        }
    }

    /// Indices or parameters that must differ.
    fn declare_all<'i>(&mut self, names: impl IntoIterator<Item = &'i Ident>, what: &str) {
        for name in names {
            if self.scope.find(&name.to_string()).is_some() {
                let message = catalogue::duplicate_index(&name.to_string(), what);
                self.errors.at(Place::at(name.span()), message);
            }
            self.scope.declare(name, false, Some(Type::Integer));
        }
    }

    fn family(&mut self, message: &syntax::Message) -> Message {
        self.declare_all(&message.indices, "the indices of a message");
        self.scope.finish();
        let dims = message.dims.iter().map(|dim| (self.dim(dim), dim.place)).collect();
        self.end_constant();
        let (name, indices) = (message.name.to_string(), texts(&message.indices));
        Message { name, indices, dtype: message.dtype, dims }
    }

    /// A dimension may be any constant of Rust, so a name that is unknown here is no error. One that is known here is:
    /// families are types of the user's crate, the same ones for all sizes.
    fn dim(&mut self, dim: &syntax::Dim) -> Option<code::Snippet> {
        let mentioned = mentions(dim.tokens.clone(), &|name| self.names.is_calculated(name));
        if let Some(name) = mentioned {
            let message = catalogue::shape_depends(&name.to_string());
            self.errors.at(Place::at(name.span()), message);
            return None;
        }
        let expr = dim.expr.as_ref()?;
        let start = self.code.next();
        let before = core::mem::take(&mut self.errors);
        let snippet = self.integer(expr);
        let complaints = core::mem::replace(&mut self.errors, before);
        if complaints.is_empty() {
            return Some(snippet);
        }
        self.code.cut(start);
        None
    }

    fn compute(&mut self, compute: &syntax::Compute) -> Compute {
        let ranges = compute.indices.iter().filter_map(|i| i.range.as_ref());
        let domain: Vec<_> = ranges.map(|range| self.range(range)).collect();
        self.end_constant();
        self.declare_all(compute.indices.iter().map(|i| &i.name), "the indices of a compute step");
        let on = compute.on.as_ref().map(|on| self.integer(on));
        let uses = compute.uses.iter().filter_map(|one| self.one_use(one)).collect();
        Compute {
            name: compute.name.to_string(),
            place: Place::at(compute.name.span()),
            indices: texts(compute.indices.iter().map(|i| &i.name)),
            domain: (!domain.is_empty()).then_some(domain),
            on,
            uses,
            slots: self.scope.finish(),
        }
    }

    fn one_use(&mut self, one: &syntax::Use) -> Option<Use> {
        let value = match one.kind {
            UseKind::After => self.earlier_step(&one.value),
            UseKind::Reads | UseKind::Writes => self.message(&one.value),
        };
        let condition = self.optional(&one.condition);
        Some(Use { kind: one.kind, value: value?, condition })
    }

    fn memory(&mut self, memory: &syntax::Memory) -> Option<Memory> {
        self.scope.declare(&memory.rank, false, Some(Type::Integer));
        let bound = self.integer(&memory.bound);
        let slots = self.scope.finish();
        let counted = match &memory.counted {
            syntax::Counted::Message(message) => Counted::Message(self.family_number(message)?),
            syntax::Counted::Kept { from, until } => {
                let (from, until) = (self.compute_step(from), self.compute_step(until));
                Counted::Kept { from: from?, until: until? }
            }
        };
        Some(Memory { counted, bound, place: memory.place, slots })
    }

    fn require(&mut self, require: &syntax::Require) -> Require {
        let condition = self.condition(&require.condition);
        self.end_constant();
        Require { condition, message: require.message.clone(), place: require.condition.place }
    }

    fn cost(&mut self, cost: &syntax::Cost) -> Option<Cost> {
        let ticks = self.integer(&cost.ticks);
        self.end_constant();
        let compute = match cost.name == "transfer" {
            true => None,
            false => Some(self.compute_step(&cost.name)?),
        };
        Some(Cost { compute, ticks, place: cost.ticks.place })
    }

    /// What an order that is searched for needs to be declared.
    fn search(&mut self, schedule: &Schedule) -> Option<u32> {
        let place = schedule.search?;
        if let Some(rank) = schedule.ranks.first() {
            self.errors.at(rank.place, catalogue::rank_and_search());
        }
        if schedule.comms.is_none() {
            self.errors.at(place, catalogue::search_without_comms());
        }
        for compute in &schedule.computes {
            let has_domain = compute.indices.iter().all(|index| index.range.is_some());
            let missing = match (has_domain, &compute.on) {
                (true, Some(_)) => continue,
                (true, None) => "the rank",
                (false, _) => "the ranges",
            };
            let message = catalogue::search_without(&compute.name.to_string(), missing);
            self.errors.at(Place::at(compute.name.span()), message);
        }
        Some(self.source(place))
    }

    fn rank(&mut self, rank: &syntax::Rank) -> Rank {
        let ranks = match &rank.ranks {
            syntax::Ranks::One(one) => Ranks::One(self.integer(one)),
            syntax::Ranks::Each(_, range) => Ranks::Each(self.range(range)),
        };
        self.end_constant();
        if let syntax::Ranks::Each(name, _) = &rank.ranks {
            self.scope.declare(name, false, Some(Type::Integer));
        }
        let body = self.statements(&rank.body);
        Rank { ranks, place: rank.place, body, slots: self.scope.finish() }
    }

    /// The sizes that are asked for. A schedule without parameters has only one size and need not be asked.
    fn instances(&mut self, schedule: &Schedule) -> Vec<(Vec<i64>, Place)> {
        let name = schedule.name.to_string();
        let mut instances: Vec<(Vec<i64>, Place)> = Vec::new();
        for instance in &schedule.instances {
            if instance.name != schedule.name {
                let place = Place::at(instance.name.span());
                self.errors.at(place, catalogue::instance_name(&instance.name.to_string(), &name));
            } else if instance.sizes.len() != schedule.params.len() {
                let message =
                    catalogue::instance_sizes(&name, &texts(&schedule.params), instance.sizes.len());
                self.errors.at(instance.place, message);
            } else if let Some((_, first)) = instances.iter().find(|(sizes, _)| *sizes == instance.sizes) {
                self.errors.at(instance.place, catalogue::duplicate_instance(first.line()));
            } else {
                instances.push((instance.sizes.clone(), instance.place));
            }
        }
        if schedule.instances.is_empty() {
            let place = Place::at(schedule.name.span());
            if schedule.params.is_empty() {
                instances.push((Vec::new(), place));
            } else if self.errors.is_empty() {
                self.errors.at(place, catalogue::no_instance(&name, schedule.params.len()));
            }
        }
        instances
    }
}
