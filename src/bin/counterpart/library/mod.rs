//! The library of schedules: [`list`] says what there is, [`make`] makes one, as a plan or a table or, by [`program`], as a
//! program.

pub mod list;
pub mod make;
mod program;

use counterpart_lang::library::{self, ENTRIES, Entry};

use crate::report::failure::Failure;

/// The schedule of this name.
fn find(name: &str) -> Result<&'static Entry, Failure> {
    let lower = name.to_ascii_lowercase();
    if let Some(entry) = library::find(&lower).or_else(|| ENTRIES.iter().find(|entry| entry.schedule == name))
    {
        return Ok(entry);
    }
    let near = ENTRIES.iter().map(|entry| (distance(&lower, entry.name), entry.name)).min();
    let near = near.filter(|(distance, _)| *distance <= 1 + name.len() / 3);
    let near = near.map_or_else(String::new, |(_, near)| format!("; did you mean `{near}`?"));
    let names: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
    Err(Failure::Usage(format!("the library has no schedule `{name}`{near} There is {}", names.join(", "))))
}

/// `p v m [g]`
fn parameters(entry: &Entry) -> String {
    let params = entry.params().into_iter().map(|(name, default)| match default {
        None => name.to_lowercase(),
        Some(_) => format!("[{}]", name.to_lowercase()),
    });
    params.collect::<Vec<_>>().join(" ")
}

/// How many letters have to be changed, put in or left out (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}
