//! Steps, one by one: each is read from its own piece of the text.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::fields::{PayloadFields, Whole, Word, needed, put, put_seed, read_from};
use crate::dtype::Payload;
use crate::tape::Role;

/// One step as it stands in a file.
pub(super) enum Step {
    Single(Item),
    Batch(Vec<Item>),
    Compute { names: Vec<String>, uses: Vec<(Role, String)> },
}

/// One send or receive as it stands in a file.
pub(super) struct Item {
    pub send: bool,
    pub label: String,
    pub peer: i32,
    pub payload: Option<Payload>,
}

read_from!(Step, deserialize_map, "a step: an object", visit_map: MapAccess, read_step);
read_from!(Item, deserialize_map, "a send or receive: an object", visit_map: MapAccess, read_item);

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
