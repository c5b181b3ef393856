//! Text to plan.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::fields::{PayloadFields, Whole, Word, needed, put, put_seed, read_from};
use super::step::{Item, Step};
use super::{FORMAT, PlanError, ReadError, VERSION};
use crate::dtype::Payload;
use crate::plan::MAX_RANKS;
use crate::plan::{Comm, Plan, Source};
use crate::tape::Role;
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
        Plan::from_json_in("", text)
    }

    /// Reads a plan file from disk.
    ///
    /// # Errors
    /// When the file can't be read, is not UTF-8, or is no plan file.
    ///
    /// ```no_run
    /// use counterpart_core::{Model, Plan};
    ///
    /// let plan = Plan::read("plan.json")?;
    /// println!("{}", plan.verify(Model::PORTABLE));
    /// # Ok::<(), counterpart_core::json::ReadError>(())
    /// ```
    pub fn read(path: impl AsRef<Path>) -> Result<Plan, ReadError> {
        let file = path.as_ref().display().to_string();
        match std::fs::read_to_string(&path) {
            Err(source) => Err(ReadError::File { file, source }),
            Ok(text) => Plan::from_json_in(&file, &text).map_err(|source| ReadError::Plan { file, source }),
        }
    }

    /// Reads a plan file that is called `file`: this is what the places of steps, [`Plan::step_source`], name.
    ///
    /// # Errors
    /// As [`Plan::from_json`].
    pub fn from_json_in(file: &str, text: &str) -> Result<Plan, PlanError> {
        let parsed: File<'_> = serde_json::from_str(text).map_err(|error| place(&error, text))?;
        parsed.into_plan(file.into(), text)
    }
}

fn place(error: &serde_json::Error, text: &str) -> PlanError {
    let (line, column) = (error.line(), error.column());
    let whole = text.split('\n').nth(line.saturating_sub(1)).unwrap_or_default();
    // The parser counts bytes.
    let characters = whole.char_indices().take_while(|(at, _)| *at < column).count();
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
    PlanError { line, column: characters.max(1), message }
}

/// A plan file as it stands; its steps are still text.
struct File<'a> {
    name: String,
    messages: Vec<(String, Payload)>,
    domains: Vec<(String, Vec<Range<u64>>)>,
    ranks: Vec<Vec<&'a RawValue>>,
}

impl File<'_> {
    fn into_plan(self, file: Arc<str>, text: &str) -> Result<Plan, PlanError> {
        let mut places = Places { text, at: 0, line: 1, column: 1 };
        let mut plan = Plan::new(self.name);
        let messages: HashMap<String, Payload> = self.messages.iter().cloned().collect();
        for (name, ranges) in &self.domains {
            plan.declare(name, ranges);
        }
        for steps in self.ranks {
            plan.begin_rank();
            for raw in steps {
                let (line, column) = places.of(raw.get());
                let step: Step = serde_json::from_str(raw.get())
                    .map_err(|error| place(&error, raw.get()).within(line, column))?;
                let source = plan.add_source(Source { file: Arc::clone(&file), line, column });
                match step {
                    Step::Single(item) => {
                        let comm = item.into_comm(&messages, &mut plan, source);
                        plan.single(comm);
                    }
                    Step::Batch(items) => {
                        let comms: Vec<Comm> = items
                            .into_iter()
                            .map(|item| item.into_comm(&messages, &mut plan, source))
                            .collect();
                        plan.batch(&comms, source);
                    }
                    Step::Compute { names, uses } => {
                        let names = names.into_iter().map(|name| (Role::Name, name));
                        let uses: Vec<_> =
                            names.chain(uses).map(|(role, label)| (role, plan.value(&label))).collect();
                        plan.compute(uses[0].1, &uses[1..], source);
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
        Ok(plan)
    }
}

/// Turns slices of the text into places; they come in the order of the text, which is gone through once.
struct Places<'t> {
    text: &'t str,
    /// How far it is counted.
    at: usize,
    line: usize,
    column: usize,
}

impl Places<'_> {
    /// Line and column in characters of a slice of the text.
    fn of(&mut self, slice: &str) -> (usize, usize) {
        let start = slice.as_ptr() as usize - self.text.as_ptr() as usize;
        let between = &self.text[self.at..start];
        self.at = start;
        match between.rfind('\n') {
            Some(last) => {
                self.line += between.matches('\n').count();
                self.column = between[last + 1..].chars().count() + 1;
            }
            None => self.column += between.chars().count(),
        }
        (self.line, self.column)
    }
}

impl PlanError {
    /// The same error of a piece of text that begins at this place.
    fn within(self, line: usize, column: usize) -> PlanError {
        let column = if self.line == 1 { column + self.column - 1 } else { self.column };
        PlanError { line: line + self.line - 1, column, ..self }
    }
}

impl Item {
    fn into_comm(self, messages: &HashMap<String, Payload>, plan: &mut Plan, source: u32) -> Comm {
        let declared = messages.get(&self.label).copied();
        let payload = self.payload.or(declared).unwrap_or(Payload::UNKNOWN);
        Comm { send: self.send, value: plan.value(&self.label), peer: self.peer, payload, source }
    }
}

read_from!(Messages, deserialize_map, "an object with an entry per label", visit_map: MapAccess, read_messages);
read_from!(Message, deserialize_map, "an object with `dtype` and `count`", visit_map: MapAccess, read_message);
read_from!(Domains, deserialize_map, "an object with an entry per compute step", visit_map: MapAccess, read_domains);
read_from!(Bounds, deserialize_seq, "a range `[from, to]`", visit_seq: SeqAccess, read_bounds);

impl<'de: 'a, 'a> Deserialize<'de> for File<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<'a>(PhantomData<&'a ()>);

        impl<'de: 'a, 'a> Visitor<'de> for Reader<'a> {
            type Value = File<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a plan: an object with `format`, `version`, `name` and `ranks`")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<File<'a>, A::Error> {
                read_file(map)
            }
        }

        deserializer.deserialize_map(Reader(PhantomData))
    }
}

/// The list of ranks, each a list of steps that are still text.
struct RanksSeed;

impl<'de> DeserializeSeed<'de> for RanksSeed {
    type Value = Vec<Vec<&'de RawValue>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for RanksSeed {
    type Value = Vec<Vec<&'de RawValue>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of ranks")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        read_ranks(list)
    }
}

fn read_file<'de, A: MapAccess<'de>>(mut map: A) -> Result<File<'de>, A::Error> {
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
            "ranks" => put_seed(&mut map, "ranks", RanksSeed, &mut ranks)?,
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
        ranks: needed(ranks, "ranks")?,
    })
}

fn read_ranks<'de, A: SeqAccess<'de>>(mut list: A) -> Result<Vec<Vec<&'de RawValue>>, A::Error> {
    let mut ranks = Vec::new();
    while let Some(steps) = list.next_element()? {
        if ranks.len() == MAX_RANKS {
            return Err(A::Error::custom(format!("too many ranks, expected at most {MAX_RANKS}")));
        }
        ranks.push(steps);
    }
    Ok(ranks)
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
