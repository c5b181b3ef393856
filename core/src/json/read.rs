//! Text to plan.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::fields::{PayloadFields, Whole, Word, needed, put, put_seed};
use super::{FORMAT, PlanError, VERSION};
use crate::dtype::Payload;
use crate::plan::MAX_RANKS;
use crate::plan::{Comm, Plan};
use crate::tape::{NONE, Role};
use crate::value::{INDEX_LIMIT, MAX_ARITY, Value};

impl Plan {
    /// Reads a plan file.
    ///
    /// # Errors
    /// Where the text is no plan file: the first place that is wrong.
    ///
    /// ```
    /// use counterpart_core::Plan;
    ///
    /// let text = r#"{"format": "counterpart-plan", "version": 1, "name": "lonely", "ranks": [[{"send": "a"}]]}"#;
    /// let error = Plan::from_json(text).unwrap_err();
    /// assert_eq!(error.to_string(), "line 1, column 87: missing field `to`");
    /// ```
    pub fn from_json(text: &str) -> Result<Plan, PlanError> {
        let file: File = serde_json::from_str(text).map_err(|error| place(&error))?;
        Ok(file.into_plan())
    }
}

fn place(error: &serde_json::Error) -> PlanError {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let message = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text);
    // The words of JSON instead of those of the parser.
    let words = [
        ("EOF while", "the text ends while"),
        ("invalid type: map", "invalid type: object"),
        ("invalid type: sequence", "invalid type: array"),
        ("expected a sequence", "expected an array"),
    ];
    let message = words.iter().fold(message.to_owned(), |text, (word, json)| text.replacen(word, json, 1));
    // The parser counts what it has consumed, which is nothing at the very beginning.
    PlanError { line, column: column.max(1), message }
}

/// A plan file as it stands.
struct File {
    name: String,
    messages: Vec<(String, Payload)>,
    domains: Vec<(String, Vec<Range<u64>>)>,
    ranks: Vec<Vec<Step>>,
}

enum Step {
    Single(Item),
    Batch(Vec<Item>),
    Compute { names: Vec<String>, uses: Vec<(Role, String)> },
}

struct Item {
    send: bool,
    label: String,
    peer: i32,
    payload: Option<Payload>,
}

impl File {
    fn into_plan(self) -> Plan {
        let mut plan = Plan::new(self.name);
        let messages: HashMap<String, Payload> = self.messages.iter().cloned().collect();
        for (name, ranges) in &self.domains {
            plan.declare(name, ranges);
        }
        for steps in self.ranks {
            plan.begin_rank();
            for step in steps {
                match step {
                    Step::Single(item) => {
                        let comm = item.into_comm(&messages, &mut plan);
                        plan.single(comm);
                    }
                    Step::Batch(items) => {
                        let comms: Vec<Comm> =
                            items.into_iter().map(|item| item.into_comm(&messages, &mut plan)).collect();
                        plan.batch(&comms, NONE);
                    }
                    Step::Compute { names, uses } => {
                        let names = names.into_iter().map(|name| (Role::Name, name));
                        let uses: Vec<_> =
                            names.chain(uses).map(|(role, label)| (role, plan.value(&label))).collect();
                        plan.compute(uses[0].1, &uses[1..], NONE);
                    }
                }
            }
        }
        // What never travels has its payload from the table alone, for the buffers that it needs.
        let travels: HashSet<Value> = (0..plan.ranks())
            .flat_map(|rank| plan.steps(rank))
            .flat_map(|step| plan.items(step))
            .map(|item| item.value)
            .collect();
        for (label, payload) in &self.messages {
            let value = plan.value(label);
            if !travels.contains(&value) {
                plan.set_payload(value.family(), *payload);
            }
        }
        plan
    }
}

impl Item {
    fn into_comm(self, messages: &HashMap<String, Payload>, plan: &mut Plan) -> Comm {
        let declared = messages.get(&self.label).copied();
        let payload = self.payload.or(declared).unwrap_or(Payload::UNKNOWN);
        Comm { send: self.send, value: plan.value(&self.label), peer: self.peer, payload, source: NONE }
    }
}

/// Implements `Deserialize` for a type that is read from one kind of JSON value only.
macro_rules! read_from {
    ($type:ty, $deserialize:ident, $expecting:literal, $visit:ident: $access:ident, $read:expr) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Reader;

                impl<'de> Visitor<'de> for Reader {
                    type Value = $type;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expecting)
                    }

                    fn $visit<A: $access<'de>>(self, access: A) -> Result<$type, A::Error> {
                        $read(access)
                    }
                }

                deserializer.$deserialize(Reader)
            }
        }
    };
}

read_from!(File, deserialize_map, "a plan: an object with `format`, `version`, `name` and `ranks`",
    visit_map: MapAccess, read_file);
read_from!(Ranks, deserialize_seq, "a list of ranks", visit_seq: SeqAccess, read_ranks);
read_from!(Messages, deserialize_map, "an object with an entry per label", visit_map: MapAccess, read_messages);
read_from!(Message, deserialize_map, "an object with `dtype` and `count`", visit_map: MapAccess, read_message);
read_from!(Domains, deserialize_map, "an object with an entry per compute step", visit_map: MapAccess, read_domains);
read_from!(Bounds, deserialize_seq, "a range `[from, to]`", visit_seq: SeqAccess, read_bounds);
read_from!(Step, deserialize_map, "a step: an object", visit_map: MapAccess, read_step);
read_from!(Item, deserialize_map, "a send or receive: an object", visit_map: MapAccess, read_item);

fn read_file<'de, A: MapAccess<'de>>(mut map: A) -> Result<File, A::Error> {
    let (mut format, mut version, mut name) = (None, None, None);
    let (mut messages, mut domains, mut ranks) = (None, None, None);
    while let Some(Word(key)) = map.next_key()? {
        match &*key {
            "format" => {
                put(&mut map, "format", &mut format)?;
                if let Some(Word(word)) = format.as_ref().filter(|Word(word)| word != FORMAT) {
                    return Err(A::Error::custom(format!(
                        "format `{word}` is not known, expected `{FORMAT}`"
                    )));
                }
            }
            "version" => {
                let any = Whole { what: "a version number", least: 0, most: u64::MAX };
                put_seed(&mut map, "version", any, &mut version)?;
                if let Some(number) = version.filter(|&number| number as u64 != VERSION) {
                    return Err(A::Error::custom(format!(
                        "version {number} is not known, expected {VERSION}"
                    )));
                }
            }
            "name" => put(&mut map, "name", &mut name)?,
            "messages" => put(&mut map, "messages", &mut messages)?,
            "domains" => put(&mut map, "domains", &mut domains)?,
            "ranks" => put(&mut map, "ranks", &mut ranks)?,
            other => {
                let known = &["format", "version", "name", "messages", "domains", "ranks"];
                return Err(A::Error::unknown_field(other, known));
            }
        }
    }
    needed(format, "format")?;
    needed(version, "version")?;
    Ok(File {
        name: needed(name, "name")?,
        messages: messages.map(|Messages(m)| m).unwrap_or_default(),
        domains: domains.map(|Domains(d)| d).unwrap_or_default(),
        ranks: needed(ranks.map(|Ranks(r)| r), "ranks")?,
    })
}

struct Ranks(Vec<Vec<Step>>);

fn read_ranks<'de, A: SeqAccess<'de>>(mut list: A) -> Result<Ranks, A::Error> {
    let mut ranks = Vec::new();
    while let Some(steps) = list.next_element()? {
        if ranks.len() == MAX_RANKS {
            return Err(A::Error::custom(format!("too many ranks, expected at most {MAX_RANKS}")));
        }
        ranks.push(steps);
    }
    Ok(Ranks(ranks))
}

struct Messages(Vec<(String, Payload)>);

fn read_messages<'de, A: MapAccess<'de>>(mut map: A) -> Result<Messages, A::Error> {
    let mut messages = Vec::new();
    let mut known = HashSet::new();
    while let Some(label) = map.next_key::<String>()? {
        if !known.insert(label.clone()) {
            return Err(A::Error::custom(format!("message `{label}` is declared twice")));
        }
        let Message(payload) = map.next_value()?;
        messages.push((label, payload));
    }
    Ok(Messages(messages))
}

struct Message(Payload);

fn read_message<'de, A: MapAccess<'de>>(mut map: A) -> Result<Message, A::Error> {
    let mut payload = PayloadFields::default();
    while let Some(Word(key)) = map.next_key()? {
        if !payload.take(&key, &mut map)? {
            return Err(A::Error::unknown_field(&key, &PayloadFields::KEYS));
        }
    }
    Ok(Message(needed(payload.payload()?, "dtype")?))
}

struct Domains(Vec<(String, Vec<Range<u64>>)>);

fn read_domains<'de, A: MapAccess<'de>>(mut map: A) -> Result<Domains, A::Error> {
    let mut domains = Vec::new();
    let mut known = HashSet::new();
    while let Some(name) = map.next_key::<String>()? {
        let bounds: Vec<Bounds> = map.next_value()?;
        if name.contains('[') {
            return Err(A::Error::custom(format!("domain `{name}`: expected a name without indices")));
        }
        if bounds.len() > MAX_ARITY {
            return Err(A::Error::custom(format!("domain `{name}`: expected at most {MAX_ARITY} ranges")));
        }
        if !known.insert((name.clone(), bounds.len())) {
            return Err(A::Error::custom(format!("domain `{name}` is declared twice")));
        }
        domains.push((name, bounds.into_iter().map(|Bounds(range)| range).collect()));
    }
    Ok(Domains(domains))
}

struct Bounds(Range<u64>);

fn read_bounds<'de, A: SeqAccess<'de>>(mut list: A) -> Result<Bounds, A::Error> {
    let index = Whole { what: "an index of at most 2^24", least: 0, most: INDEX_LIMIT };
    let mut ends = [0; 2];
    for (n, end) in ends.iter_mut().enumerate() {
        let next = list.next_element_seed(index)?;
        *end = next.ok_or_else(|| A::Error::invalid_length(n, &"a range `[from, to]`"))? as u64;
    }
    if list.next_element::<IgnoredAny>()?.is_some() {
        return Err(A::Error::invalid_length(3, &"a range `[from, to]`"));
    }
    let [from, to] = ends;
    if from > to {
        return Err(A::Error::custom(format!("range [{from}, {to}] ends before it begins")));
    }
    Ok(Bounds(from..to))
}

/// The keys of a send or receive.
#[derive(Default)]
struct ItemFields {
    send: Option<String>,
    recv: Option<String>,
    to: Option<i64>,
    from: Option<i64>,
    payload: PayloadFields,
}

impl ItemFields {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "send" => put(map, "send", &mut self.send)?,
            "recv" => put(map, "recv", &mut self.recv)?,
            "to" => put_seed(map, "to", Whole::PEER, &mut self.to)?,
            "from" => put_seed(map, "from", Whole::PEER, &mut self.from)?,
            _ => return self.payload.take(key, map),
        }
        Ok(true)
    }

    fn is_empty(&self) -> bool {
        let labels = self.send.is_none() && self.recv.is_none();
        labels && self.to.is_none() && self.from.is_none() && self.payload.is_empty()
    }

    fn item<E: Error>(self) -> Result<Item, E> {
        let (send, label, peer, stray) = match (self.send, self.recv) {
            (Some(label), None) => (true, label, needed(self.to, "to")?, self.from.map(|_| "from")),
            (None, Some(label)) => (false, label, needed(self.from, "from")?, self.to.map(|_| "to")),
            (Some(_), Some(_)) => return Err(E::custom("both `send` and `recv`: expected one of them")),
            (None, None) => return Err(E::custom("neither `send` nor `recv`: expected one of them")),
        };
        if let Some(key) = stray {
            let word = if send { "send" } else { "recv" };
            return Err(E::custom(format!("`{key}` does not go with `{word}`")));
        }
        let peer = i32::try_from(peer).map_err(E::custom)?;
        Ok(Item { send, label, peer, payload: self.payload.payload()? })
    }
}

fn read_item<'de, A: MapAccess<'de>>(mut map: A) -> Result<Item, A::Error> {
    let mut fields = ItemFields::default();
    while let Some(Word(key)) = map.next_key()? {
        if !fields.take(&key, &mut map)? {
            return Err(A::Error::unknown_field(&key, &["send", "to", "recv", "from", "dtype", "count"]));
        }
    }
    fields.item()
}

/// The name of a compute step, or the list of those that overlap.
struct ComputeNames;

impl<'de> DeserializeSeed<'de> for ComputeNames {
    type Value = Vec<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<String>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ComputeNames {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a compute step, or a list of those that overlap")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Vec<String>, E> {
        Ok(vec![name.to_owned()])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<String>, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = list.next_element()? {
            names.push(name);
        }
        if names.is_empty() {
            return Err(A::Error::invalid_length(0, &self));
        }
        Ok(names)
    }
}

fn read_step<'de, A: MapAccess<'de>>(mut map: A) -> Result<Step, A::Error> {
    let mut fields = ItemFields::default();
    let (mut batch, mut compute) = (None, None);
    let (mut reads, mut writes, mut after) = (None::<Vec<String>>, None::<Vec<String>>, None::<Vec<String>>);
    while let Some(Word(key)) = map.next_key()? {
        match &*key {
            "batch" => put(&mut map, "batch", &mut batch)?,
            "compute" => put_seed(&mut map, "compute", ComputeNames, &mut compute)?,
            "reads" => put(&mut map, "reads", &mut reads)?,
            "writes" => put(&mut map, "writes", &mut writes)?,
            "after" => put(&mut map, "after", &mut after)?,
            other if fields.take(other, &mut map)? => {}
            other => {
                let known = &[
                    "send", "to", "recv", "from", "dtype", "count", "batch", "compute", "reads", "writes",
                    "after",
                ];
                return Err(A::Error::unknown_field(other, known));
            }
        }
    }
    let used = reads.is_some() || writes.is_some() || after.is_some();
    let uses = [(Role::Read, reads), (Role::Write, writes), (Role::After, after)];
    match (batch, compute) {
        (None, None) if used => Err(A::Error::missing_field("compute")),
        (None, None) if fields.is_empty() => {
            Err(A::Error::custom("expected one of `send`, `recv`, `batch`, `compute`"))
        }
        (None, None) => fields.item().map(Step::Single),
        (Some(items), None) if !used && fields.is_empty() => Ok(Step::Batch(items)),
        (None, Some(names)) if fields.is_empty() => {
            let labels = uses.into_iter().flat_map(|(role, labels)| {
                labels.unwrap_or_default().into_iter().map(move |label| (role, label))
            });
            Ok(Step::Compute { names, uses: labels.collect() })
        }
        (Some(_), _) => Err(A::Error::custom("a `batch` has no other keys: its items carry them")),
        (None, Some(_)) => {
            Err(A::Error::custom("a `compute` step has no keys besides `reads`, `writes` and `after`"))
        }
    }
}
