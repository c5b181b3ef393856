//! Plan to text: one step per line, so that two plans can be compared line by line.

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};

use super::{FORMAT, VERSION};
use crate::dtype::Payload;
use crate::plan::Plan;
use crate::tape::{Item, Role, Step, StepKind};
use crate::value::Value;

impl Plan {
    /// The plan as a plan file, which [`Plan::from_json`] reads back. Places in the source are left out.
    pub fn to_json(&self) -> String {
        Written { plan: self, messages: messages(self) }.to_string()
    }
}

/// Labels whose items all have one known payload, in the order of their first items, and then those that never travel.
struct Messages {
    order: Vec<Value>,
    payloads: HashMap<Value, Payload>,
}

fn messages(plan: &Plan) -> Messages {
    let mut messages = Messages { order: Vec::new(), payloads: HashMap::new() };
    for rank in 0..plan.ranks() {
        for item in plan.steps(rank).iter().flat_map(|step| plan.items(step)) {
            match messages.payloads.get_mut(&item.value) {
                None => {
                    messages.order.push(item.value);
                    messages.payloads.insert(item.value, item.payload);
                }
                Some(payload) if *payload != item.payload => *payload = Payload::UNKNOWN,
                Some(_) => {}
            }
        }
    }
    for rank in 0..plan.ranks() {
        for used in plan.steps(rank).iter().flat_map(|step| plan.uses(step)) {
            let is_value = matches!(used.role, Role::Read | Role::Write) && used.value != Value::ANY;
            if is_value && !messages.payloads.contains_key(&used.value) {
                messages.order.push(used.value);
                messages.payloads.insert(used.value, plan.family_payload(used.value.family()));
            }
        }
    }
    messages.payloads.retain(|_, payload| payload.is_known());
    messages.order.retain(|value| messages.payloads.contains_key(value));
    messages
}

struct Written<'p> {
    plan: &'p Plan,
    messages: Messages,
}

impl Display for Written<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = quoted(&self.plan.name);
        write!(f, "{{\"format\": \"{FORMAT}\", \"version\": {VERSION}, \"name\": {name}")?;
        if !self.messages.order.is_empty() {
            write!(f, ",\n \"messages\": ")?;
            list(f, ['{', '}'], ",\n  ", &self.messages.order, |f, value| {
                write!(f, "{}: {{", self.label(*value))?;
                payload(f, self.messages.payloads[value])?;
                write!(f, "}}")
            })?;
        }
        if !self.plan.domains().is_empty() {
            let names = self.plan.names();
            write!(f, ",\n \"domains\": ")?;
            list(f, ['{', '}'], ",\n  ", self.plan.domains(), |f, domain| {
                write!(f, "{}: ", quoted(names[domain.family as usize].text))?;
                let ranges: Vec<_> =
                    domain.from.into_iter().zip(domain.to).take(domain.arity as usize).collect();
                list(f, ['[', ']'], ", ", &ranges, |f, (from, to)| write!(f, "[{from}, {to}]"))
            })?;
        }
        let ranks: Vec<usize> = (0..self.plan.ranks()).collect();
        write!(f, ",\n \"ranks\": ")?;
        list(f, ['[', ']'], ",\n  ", &ranks, |f, &rank| {
            list(f, ['[', ']'], ",\n   ", self.plan.steps(rank), |f, step| self.step(f, step))
        })?;
        writeln!(f, "}}")
    }
}

impl Written<'_> {
    fn step(&self, f: &mut Formatter<'_>, step: &Step) -> fmt::Result {
        match step.kind {
            StepKind::Single => self.item(f, &self.plan.items(step)[0]),
            StepKind::Batch => {
                write!(f, "{{\"batch\": ")?;
                list(f, ['[', ']'], ", ", self.plan.items(step), |f, item| self.item(f, item))?;
                write!(f, "}}")
            }
            StepKind::Compute => self.compute(f, step),
        }
    }

    fn compute(&self, f: &mut Formatter<'_>, step: &Step) -> fmt::Result {
        let uses = self.plan.uses(step);
        let names: Vec<String> = self.plan.compute_names(step).map(|name| self.label(name)).collect();
        match &names[..] {
            [name] => write!(f, "{{\"compute\": {name}")?,
            names => write!(f, "{{\"compute\": [{}]", names.join(", "))?,
        }
        for (role, key) in [(Role::Read, "reads"), (Role::Write, "writes"), (Role::After, "after")] {
            let labels: Vec<String> =
                uses.iter().filter(|u| u.role == role).map(|u| self.label(u.value)).collect();
            if !labels.is_empty() {
                write!(f, ", \"{key}\": [{}]", labels.join(", "))?;
            }
        }
        write!(f, "}}")
    }

    fn item(&self, f: &mut Formatter<'_>, item: &Item) -> fmt::Result {
        let (word, way) = if item.send { ("send", "to") } else { ("recv", "from") };
        write!(f, "{{\"{word}\": {}, \"{way}\": {}", self.label(item.value), item.peer)?;
        if item.payload.is_known() && !self.messages.payloads.contains_key(&item.value) {
            write!(f, ", ")?;
            payload(f, item.payload)?;
        }
        write!(f, "}}")
    }

    fn label(&self, value: Value) -> String {
        quoted(&self.plan.label(value))
    }
}

fn payload(f: &mut Formatter<'_>, payload: Payload) -> fmt::Result {
    match payload.dtype() {
        Some(dtype) => write!(f, "\"dtype\": \"{dtype}\", \"count\": {}", payload.count()),
        None => Ok(()),
    }
}

/// Text in quotes, with escapes.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn list<T>(
    f: &mut Formatter<'_>,
    [open, close]: [char; 2],
    separator: &str,
    elements: &[T],
    mut write: impl FnMut(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    write!(f, "{open}")?;
    for (n, element) in elements.iter().enumerate() {
        // A separator that breaks the line does so before the first element too.
        f.write_str(if n > 0 { separator } else { separator.trim_start_matches([',', ' ']) })?;
        write(f, element)?;
    }
    write!(f, "{close}")
}
