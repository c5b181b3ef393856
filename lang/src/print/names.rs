//! What things are called: identifiers that the language leaves free, each only once.

use std::collections::{HashMap, HashSet};

use counterpart_core::{DType, Plan};

/// Words of the language and of what it defines, and names that would hide something that is needed.
#[rustfmt::skip]
const AVOIDED: &[&str] = &[
    // Words of the language.
    "model", "message", "compute", "memory", "rank", "instance", "schedule", "send", "recv", "batch", "to", "from",
    "reads", "writes", "after", "min", "max", "abs", "programs", "gen",
    // Words of session types.
    "Absent", "After", "Backend", "Batch", "Block", "Compute", "Coverage", "Covers", "FamilyPeak", "Group", "HCons",
    "HList", "HNil", "Ix", "PEAK", "Peak", "Perform", "Place", "Program", "Range", "Rank", "Ranks", "Read", "Reads",
    "Recv", "Repeat", "Send", "Sized", "StepResult", "Threads", "Times", "Val", "Write", "Writes",
    // Rust.
    "bool", "char", "str", "u128", "i128", "usize", "isize", "core", "std", "alloc", "counterpart", "Option", "Some",
    "None", "Result", "Ok", "Err", "Vec", "Box", "String", "Clone", "Copy", "Drop", "Default", "Fn", "FnMut", "FnOnce",
    "From", "Into", "Iterator", "Sync", "Unpin", "ToOwned", "PartialEq", "Eq", "PartialOrd", "Ord", "AsRef", "AsMut",
    "hlist_pat", "self",
];

/// The names given so far.
pub struct Names {
    schedule: String,
    taken: HashSet<String>,
    /// The last number given to names that look alike.
    numbers: HashMap<String, usize>,
    /// Are there stages and micro-batches, by the names of families?
    pipeline: bool,
}

impl Names {
    /// Names the schedule: as asked for, or else after the plan.
    pub fn new(plan: &Plan, name: Option<&str>) -> Names {
        let text = name.unwrap_or(plan.name.split('<').next().unwrap_or_default());
        let schedule = camel(text);
        let pipeline = plan.names().iter().any(|name| {
            let lower = name.text.to_lowercase();
            let words = ["act", "grad", "forward", "backward", "fwd", "bwd"];
            name.arity == 2 && (words.iter().any(|word| lower.starts_with(word)) || "fbiw".contains(&lower))
        });
        Names { taken: HashSet::from([schedule.clone()]), numbers: HashMap::new(), schedule, pipeline }
    }

    /// What the schedule is called.
    pub fn schedule(&self) -> &str {
        &self.schedule
    }

    /// A free identifier that looks like `text`; `otherwise` where nothing of it can be kept.
    pub fn give(&mut self, text: &str, otherwise: &str) -> String {
        let mut base = identifier(text);
        if base.chars().all(|c| c == '_') {
            base = otherwise.to_owned();
        }
        let first = self.numbers.get(&base).map_or(1, |last| last + 1);
        let number =
            (first..).find(|&n| self.is_free(&numbered(&base, n))).expect("there is no end of numbers");
        let name = numbered(&base, number);
        self.taken.insert(name.clone());
        self.numbers.insert(base, number);
        name
    }

    fn is_free(&self, name: &str) -> bool {
        let is_rank = name.strip_prefix("Rank").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
        let element_type = DType::from_name(name).is_some();
        let legal = syn::parse_str::<proc_macro2::Ident>(name).is_ok();
        !(is_rank || element_type || AVOIDED.contains(&name) || self.taken.contains(name)) && legal
    }

    /// Names for `count` indices of the `nth` name of a compute step, free and apart from `others`.
    pub fn indices(&self, nth: usize, count: usize, others: &[String]) -> Vec<String> {
        let letters: &[&str] = match (self.pipeline, count) {
            (true, 1) => &["m", "n", "o", "q"],
            (true, _) => &["s", "m", "t", "n", "u", "o", "v", "q"],
            (false, 1) => &["m", "n", "o", "q"],
            (false, _) => &["i", "j", "k", "l", "a", "b", "c", "d"],
        };
        let mut given = others.to_vec();
        for j in 0..count {
            let wanted = letters[(j + nth * count) % letters.len()];
            let name = self.variable(wanted, &given);
            given.push(name);
        }
        given.split_off(others.len())
    }

    /// A name like `wanted` for a variable, free and apart from `others`.
    pub fn variable(&self, wanted: &str, others: &[String]) -> String {
        let free = |name: &String| self.is_free(name) && !others.contains(name);
        let letters = "mnkijlopqabcdefghstuvwxyz".chars().map(String::from);
        let mut names =
            core::iter::once(wanted.to_owned()).chain(letters).chain((2..).map(|n| numbered(wanted, n)));
        names.find(free).expect("there is no end of numbers")
    }
}

fn numbered(base: &str, number: usize) -> String {
    match number {
        1 => base.to_owned(),
        n if base.ends_with(|c: char| c.is_ascii_digit()) => format!("{base}_{n}"),
        n => format!("{base}{n}"),
    }
}

/// The letters, digits and underscores of a text, with an underscore for what stands between them.
fn identifier(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => name.push(c),
            _ if name.ends_with('_') || name.is_empty() => {}
            _ => name.push('_'),
        }
    }
    if !text.ends_with('_') {
        name.truncate(name.trim_end_matches('_').len());
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, 'n');
    }
    name
}

/// `interleaved-1f1b p8` to `Interleaved1f1bP8`.
fn camel(text: &str) -> String {
    let mut name = String::new();
    let mut start = true;
    for c in text.chars() {
        if !c.is_ascii_alphanumeric() {
            start = true;
            continue;
        }
        name.push(if start { c.to_ascii_uppercase() } else { c });
        start = false;
    }
    if name.is_empty() {
        name.push_str("Schedule");
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert_str(0, "Schedule");
    }
    let names = ["Self", "Schedule", "Option", "Result", "Vec", "Box", "String"];
    if AVOIDED.contains(&name.as_str()) || names.contains(&name.as_str()) && name != "Schedule" {
        name.push_str("Schedule");
    }
    if name == "Schedule" { "Printed".to_owned() } else { name }
}
