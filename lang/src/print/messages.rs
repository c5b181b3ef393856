//! Values get families of one payload each, which is what the language has.

use std::collections::{HashMap, HashSet};

use counterpart_core::tape::{Item, Role};
use counterpart_core::value::Name;
use counterpart_core::{Payload, Plan, Value};

use super::names::Names;
use super::{Family, Index, Original, PrintError};

/// A family of the printed schedule.
pub struct Message {
    /// What it is called.
    pub name: String,
    /// What the plan calls it.
    pub original: String,
    /// Its number of indices.
    pub arity: usize,
    /// What its values are.
    pub payload: Payload,
    /// Does the payload only stand in for one that the plan does not declare?
    pub stand_in: bool,
    /// What its indices are called.
    pub indices: Vec<String>,
}

/// All families, and which values belong to them.
pub struct Messages {
    pub list: Vec<Message>,
    numbers: HashMap<(u32, Payload), u32>,
    /// The payload of each value that has one.
    known: HashMap<Value, Payload>,
    /// For values without one, by family of the plan.
    common: HashMap<u32, Payload>,
    stand_in: Payload,
}

impl Messages {
    /// The family of a value that a compute step uses.
    pub fn of_value(&self, value: Value) -> u32 {
        let family = value.family();
        let known = self.known.get(&value).or_else(|| self.common.get(&family));
        self.numbers[&(family, known.copied().unwrap_or(self.stand_in))]
    }

    /// The family of a value that is sent or received.
    pub fn of_item(&self, item: &Item) -> u32 {
        match item.payload.is_known() {
            true => self.numbers[&(item.value.family(), item.payload)],
            false => self.of_value(item.value),
        }
    }

    /// What they are called, and how the plan calls them.
    pub fn families(&self) -> impl Iterator<Item = Family> {
        self.list.iter().map(|message| Family {
            name: message.name.clone(),
            arity: message.arity,
            compute: false,
            originals: vec![Original {
                name: message.original.clone(),
                indices: (0..message.arity).map(Index::Written).collect(),
            }],
        })
    }
}

/// Finds the families of a plan's values.
pub fn collect(plan: &Plan, stand_in: Payload, names: &mut Names) -> Result<Messages, PrintError> {
    let known = payloads(plan)?;
    let mut common: HashMap<u32, Payload> = HashMap::new();
    let texts = plan.names();
    for family in 0..texts.len() as u32 {
        if plan.family_payload(family).is_known() {
            common.insert(family, plan.family_payload(family));
        }
    }
    each_item(plan, |_, _, item| {
        if item.payload.is_known() {
            common.entry(item.value.family()).or_insert(item.payload);
        }
    });
    let mut messages = Messages { list: Vec::new(), numbers: HashMap::new(), known, common, stand_in };
    // Every family with its payloads, in order of first use.
    let mut found: Vec<(u32, Vec<(Payload, bool)>)> = Vec::new();
    let mut places: HashMap<u32, usize> = HashMap::new();
    let mut noted: HashSet<(u32, Payload)> = HashSet::new();
    let mut note = |family: u32, payload: Payload, declared: bool| {
        if !noted.insert((family, payload)) {
            return;
        }
        let place = *places.entry(family).or_insert(found.len());
        if place == found.len() {
            found.push((family, Vec::new()));
        }
        found[place].1.push((payload, declared));
    };
    for rank in 0..plan.ranks() {
        for step in plan.steps(rank) {
            for used in plan.uses(step).iter().filter(|used| matches!(used.role, Role::Read | Role::Write)) {
                let (payload, declared) = messages.payload(used.value);
                note(used.value.family(), payload, declared);
            }
            for item in plan.items(step) {
                let (payload, declared) = match item.payload.is_known() {
                    true => (item.payload, true),
                    false => messages.payload(item.value),
                };
                note(item.value.family(), payload, declared);
            }
        }
    }
    for (family, payloads) in found {
        for &(payload, declared) in &payloads {
            messages.add(family, texts[family as usize], payload, declared, payloads.len() > 1, names);
        }
    }
    Ok(messages)
}

impl Messages {
    fn payload(&self, value: Value) -> (Payload, bool) {
        let known = self.known.get(&value).or_else(|| self.common.get(&value.family()));
        (known.copied().unwrap_or(self.stand_in), known.is_some())
    }

    fn add(
        &mut self,
        family: u32,
        text: Name<'_>,
        payload: Payload,
        declared: bool,
        several: bool,
        names: &mut Names,
    ) {
        let dtype = payload.dtype().map_or("", |dtype| dtype.name());
        let wanted = match several {
            true => format!("{}_{dtype}_{}", text.text, payload.count()),
            false => text.text.to_owned(),
        };
        self.numbers.insert((family, payload), self.list.len() as u32);
        self.list.push(Message {
            name: names.give(&wanted, "Message"),
            original: text.text.to_owned(),
            arity: text.arity,
            payload,
            stand_in: !declared,
            indices: names.indices(0, text.arity, &[]),
        });
    }
}

/// The payload of each value that has one.
///
/// A value with two payloads is two values to the language. That is the same only where nothing is known of values but
/// what sends and receives say.
fn payloads(plan: &Plan) -> Result<HashMap<Value, Payload>, PrintError> {
    let mut known: HashMap<Value, Payload> = HashMap::new();
    let mut several: HashMap<Value, (usize, usize)> = HashMap::new();
    let mut error = None;
    let mut writes = false;
    for rank in 0..plan.ranks() {
        for (number, step) in plan.steps(rank).iter().enumerate() {
            writes |= plan.uses(step).iter().any(|used| used.role == Role::Write);
            if plan.uses(step).iter().any(|used| used.value == Value::ANY) {
                return Err(any(rank, number));
            }
        }
    }
    each_item(plan, |rank, step, item| {
        if item.value == Value::ANY {
            error.get_or_insert_with(|| any(rank, step));
        }
        if item.payload.is_known() && *known.entry(item.value).or_insert(item.payload) != item.payload {
            several.entry(item.value).or_insert((rank, step));
        }
    });
    if !several.is_empty() {
        let mut silent: HashMap<Value, bool> = HashMap::new();
        each_item(plan, |_, _, item| *silent.entry(item.value).or_default() |= !item.payload.is_known());
        let wrong = several.iter().filter(|(value, _)| writes || silent[value]);
        if let Some((value, &(rank, step))) = wrong.min_by_key(|&(_, &place)| place) {
            let label = plan.label(*value);
            let message = format!(
                "`{label}` has another element type or count than elsewhere, and in the language a value has one; \
                 give it another label"
            );
            error.get_or_insert_with(|| PrintError::at(rank, step, message));
        }
    }
    error.map_or(Ok(known), Err)
}

fn any(rank: usize, step: usize) -> PrintError {
    let message =
        "the label `_` stands for any value, which the language cannot say; give the value its label";
    PrintError::at(rank, step, message)
}

fn each_item(plan: &Plan, mut f: impl FnMut(usize, usize, &Item)) {
    for rank in 0..plan.ranks() {
        for (number, step) in plan.steps(rank).iter().enumerate() {
            plan.items(step).iter().for_each(|item| f(rank, number, item));
        }
    }
}
