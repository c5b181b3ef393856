//! Reading objects key by key and values with their limits.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, de};

use crate::dtype::{DType, Payload};

/// A key or a word: borrowed from the text where it has no escapes.
#[derive(Deserialize)]
pub(super) struct Word<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// Stores the next value of an object under `key`, once.
pub(super) fn put<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
    map: &mut A,
    key: &'static str,
    slot: &mut Option<T>,
) -> Result<(), A::Error> {
    put_seed(map, key, std::marker::PhantomData, slot)
}

/// The same with a seed that reads the value.
pub(super) fn put_seed<'de, A: MapAccess<'de>, S: DeserializeSeed<'de>>(
    map: &mut A,
    key: &'static str,
    seed: S,
    slot: &mut Option<S::Value>,
) -> Result<(), A::Error> {
    if slot.is_some() {
        return Err(A::Error::duplicate_field(key));
    }
    *slot = Some(map.next_value_seed(seed)?);
    Ok(())
}

/// What a mandatory key holds.
pub(super) fn needed<T, E: de::Error>(slot: Option<T>, key: &'static str) -> Result<T, E> {
    slot.ok_or_else(|| E::missing_field(key))
}

/// A whole number within limits.
#[derive(Clone, Copy)]
pub(super) struct Whole {
    pub what: &'static str,
    pub least: i64,
    pub most: u64,
}

impl Whole {
    pub(super) const PEER: Whole =
        Whole { what: "a rank (a whole number below 2^31)", least: i32::MIN as i64, most: i32::MAX as u64 };
    pub(super) const COUNT: Whole =
        Whole { what: "a number of elements below 2^56", least: 0, most: Payload::MAX_COUNT };
}

impl<'de> DeserializeSeed<'de> for Whole {
    type Value = i64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<i64, D::Error> {
        deserializer.deserialize_i64(self)
    }
}

impl Visitor<'_> for Whole {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<i64, E> {
        let fits = n >= self.least && (n < 0 || n as u64 <= self.most);
        fits.then_some(n).ok_or_else(|| E::invalid_value(Unexpected::Signed(n), &self))
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<i64, E> {
        match i64::try_from(n) {
            Ok(n) => self.visit_i64(n),
            Err(_) => Err(E::invalid_value(Unexpected::Unsigned(n), &self)),
        }
    }
}

/// The name of an element type.
struct ElementType(DType);

impl<'de> Deserialize<'de> for ElementType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ElementType, D::Error> {
        let Word(name) = Word::deserialize(deserializer)?;
        DType::from_name(&name).map(ElementType).ok_or_else(|| {
            let names: Vec<&str> = DType::ALL.iter().map(|dtype| dtype.name()).collect();
            D::Error::custom(format!("unknown element type `{name}`, expected one of {}", names.join(", ")))
        })
    }
}

/// Element type and count, as an object may carry them.
#[derive(Default)]
pub(super) struct PayloadFields {
    dtype: Option<ElementType>,
    count: Option<i64>,
}

impl PayloadFields {
    pub(super) const KEYS: [&'static str; 2] = ["dtype", "count"];

    /// Takes the value of `key`, if that belongs here.
    pub(super) fn take<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "dtype" => put(map, "dtype", &mut self.dtype)?,
            "count" => put_seed(map, "count", Whole::COUNT, &mut self.count)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.dtype.is_none() && self.count.is_none()
    }

    /// Both or neither.
    pub(super) fn payload<E: Error>(self) -> Result<Option<Payload>, E> {
        match (self.dtype, self.count) {
            (Some(ElementType(dtype)), Some(count)) => Ok(Some(Payload::new(dtype, count as u64))),
            (None, None) => Ok(None),
            (None, Some(_)) => Err(E::custom("`count` without `dtype`: expected both or neither")),
            (Some(_), None) => Err(E::custom("`dtype` without `count`: expected both or neither")),
        }
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
pub(super) use read_from;
