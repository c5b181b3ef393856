//! Values: one instance of a message family, with its indices, packed into one word.

use std::collections::HashMap;

/// Indices a value may have.
pub const MAX_ARITY: usize = 4;
/// Indices stay below this.
pub const INDEX_LIMIT: u64 = 1 << INDEX_BITS;
const INDEX_BITS: u32 = 24;

/// A family number and up to four indices, packed so that equality is one comparison and an index that is affine in
/// loop counters is one multiplication and one addition on the packed word.
///
/// The family stands in the top 32 bits, index `j` in 24 bits from bit `72 - 24 j`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u128);

impl Value {
    /// The label `_`, which agrees with every other.
    pub const ANY: Value = Value(0);

    /// Value `indices` of family number `family`.
    ///
    /// # Panics
    /// With more than [`MAX_ARITY`] indices, or an index of [`INDEX_LIMIT`] or more.
    pub const fn new(family: u32, indices: &[u64]) -> Value {
        assert!(indices.len() <= MAX_ARITY, "a value has at most 4 indices");
        let mut word = (family as u128) << 96;
        let mut j = 0;
        while j < indices.len() {
            assert!(indices[j] < INDEX_LIMIT, "an index is below 2^24");
            word |= (indices[j] as u128) << Value::shift(j);
            j += 1;
        }
        Value(word)
    }

    /// Where index `j` begins in the packed word.
    pub const fn shift(j: usize) -> u32 {
        72 - INDEX_BITS * j as u32
    }

    /// The number of the family.
    pub const fn family(self) -> u32 {
        (self.0 >> 96) as u32
    }

    /// Index `j`.
    pub const fn index(self, j: usize) -> u64 {
        (self.0 >> Value::shift(j)) as u64 & (INDEX_LIMIT - 1)
    }

    /// May a send of `self` meet a receive of `other`?
    pub const fn agrees(self, other: Value) -> bool {
        self.0 == other.0 || self.0 == 0 || other.0 == 0
    }
}

/// The name of a family and its number of indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name<'a> {
    /// The name without indices, such as `Act`.
    pub text: &'a str,
    /// How many indices follow it.
    pub arity: usize,
}

/// Families by number. Number 0 is the label `_`.
#[derive(Clone, Debug)]
pub struct Names {
    by_name: HashMap<(String, usize), u32>,
    names: Vec<(String, usize)>,
}

impl Default for Names {
    fn default() -> Self {
        let mut names = Names { by_name: HashMap::new(), names: Vec::new() };
        names.family("_", 0);
        names
    }
}

impl Names {
    /// The number of the family called `name` with `arity` indices, a new one where it is not known yet.
    pub fn family(&mut self, name: &str, arity: usize) -> u32 {
        if let Some(&id) = self.by_name.get(&(name.to_owned(), arity)) {
            return id;
        }
        let id = u32::try_from(self.names.len()).expect("fewer than 2^32 families");
        self.by_name.insert((name.to_owned(), arity), id);
        self.names.push((name.to_owned(), arity));
        id
    }

    /// The value that a label names: `Act[1,0]` is indices 1 and 0 of family `Act`; a label of any other form is a
    /// family of its own.
    pub fn value(&mut self, label: &str) -> Value {
        let (name, indices) = split(label).unwrap_or((label, Vec::new()));
        Value::new(self.family(name, indices.len()), &indices)
    }

    /// The label of a value.
    pub fn label(&self, value: Value) -> String {
        let (name, arity) = &self.names[value.family() as usize];
        if *arity == 0 {
            return name.clone();
        }
        let indices: Vec<String> = (0..*arity).map(|j| value.index(j).to_string()).collect();
        format!("{name}[{}]", indices.join(","))
    }

    /// Every name, by family number.
    pub fn as_list(&self) -> Vec<Name<'_>> {
        self.names.iter().map(|(text, arity)| Name { text, arity: *arity }).collect()
    }
}

/// Splits `Act[1,0]`; `None` where the label does not have exactly the form that [`Names::label`] writes.
fn split(label: &str) -> Option<(&str, Vec<u64>)> {
    let (name, rest) = label.split_once('[')?;
    let inside = rest.strip_suffix(']')?;
    let mut indices = Vec::new();
    for part in inside.split(',') {
        let index: u64 = part.parse().ok()?;
        if index >= INDEX_LIMIT || index.to_string() != part {
            return None;
        }
        indices.push(index);
    }
    (!name.is_empty() && indices.len() <= MAX_ARITY).then_some((name, indices))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_come_back_as_they_were() {
        let mut names = Names::default();
        for label in
            ["_", "Act[1,0]", "Act", "Act[01]", "Act[1", "[3]", "x[1,2,3,4,5]", "a[-1]", "a[16777216]"]
        {
            let value = names.value(label);
            assert_eq!(names.label(value), label);
        }
    }

    #[test]
    fn arity_tells_families_apart() {
        let mut names = Names::default();
        assert_ne!(names.value("Act"), names.value("Act[0]"));
        assert_ne!(names.value("Act[0]"), names.value("Act[0,0]"));
        assert_eq!(names.value("_"), Value::ANY);
    }
}
