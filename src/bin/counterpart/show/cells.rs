//! Compute steps in a few characters and a colour.

use std::collections::{BTreeSet, HashMap, HashSet};

use anstyle::{Ansi256Color, Style};
use counterpart::core::tape::Step;
use counterpart::core::value::Name;
use counterpart::core::{Plan, Value};
use unicode_width::UnicodeWidthStr;

use crate::report::plain;

/// Letters of a kind; kinds that differ only further on look alike.
const MOST_LETTERS: usize = 8;
/// Chunks of a rank that are told apart.
const MOST_CHUNKS: usize = 8;

/// Backgrounds by kind, and by chunk of the rank: hues that colour-blind people can tell apart, after Okabe and Ito.
const COLOURS: [[u8; 4]; 6] = [
    [25, 75, 32, 111],
    [208, 222, 214, 223],
    [29, 115, 36, 79],
    [226, 230, 228, 229],
    [133, 218, 175, 182],
    [245, 252, 248, 250],
];
/// Backgrounds that take white letters.
const DARK: [u8; 5] = [25, 29, 32, 36, 133];
/// Where overlapped steps and further kinds are in the list of colours.
const OVERLAPPED: usize = 4;
const OTHER: usize = 5;

/// How the compute steps of a plan are written.
pub struct Cells<'a> {
    texts: Vec<Name<'a>>,
    /// The letters of each kind, by its name.
    letters: HashMap<&'a str, String>,
    /// In order of first use.
    pub kinds: Vec<&'a str>,
    colours: HashMap<&'a str, usize>,
    /// For each rank its stages, where some rank has several.
    stages: Vec<Vec<u64>>,
}

impl<'a> Cells<'a> {
    /// Looks at all compute steps of a plan.
    pub fn new(plan: &'a Plan) -> Cells<'a> {
        let texts = plan.names();
        let (mut kinds, mut known) = (Vec::new(), HashSet::new());
        let mut stages = vec![BTreeSet::new(); plan.ranks()];
        for (rank, stages) in stages.iter_mut().enumerate() {
            for name in plan.steps(rank).iter().flat_map(|step| plan.compute_names(step)) {
                let Name { text, arity } = texts[name.family() as usize];
                if known.insert(text) {
                    kinds.push(text);
                }
                // A rank of that many has no chunks, it just counts; no need to know them all.
                if arity >= 2 && stages.len() <= MOST_CHUNKS {
                    stages.insert(name.index(0));
                }
            }
        }
        let chunks = stages.iter().map(BTreeSet::len).max().unwrap_or(0);
        let several = (2..=MOST_CHUNKS).contains(&chunks);
        let stages = stages.into_iter().map(|s| s.into_iter().filter(|_| several).collect()).collect();
        let (letters, colours) = (letters(&kinds), colours(&kinds));
        Cells { texts, letters, kinds, colours, stages }
    }

    /// Has some rank several stages?
    pub fn has_chunks(&self) -> bool {
        self.stages.iter().any(|stages| stages.len() > 1)
    }

    /// The most stages that a rank has.
    pub fn chunks(&self) -> usize {
        self.stages.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The letters of a kind.
    pub fn letters(&self, kind: &str) -> &str {
        &self.letters[kind]
    }

    /// Kind, micro-batch and chunk, such as `F3b`; for steps that overlap one after the other.
    pub fn label(&self, plan: &Plan, step: &Step) -> String {
        let label = |name: Value| {
            let Name { text, arity } = self.texts[name.family() as usize];
            let index = if arity > 0 { name.index(arity - 1).to_string() } else { String::new() };
            format!("{}{index}{}", self.letters[text], self.chunk_letter(step, name))
        };
        let names: Vec<Value> = plan.compute_names(step).collect();
        let mut text = String::new();
        let mut at = 0;
        while let Some(&name) = names.get(at) {
            at += 1;
            let whole = names.get(at).filter(|&&next| self.is_whole(name, next));
            match whole {
                Some(_) => {
                    at += 1;
                    text.push_str(&label(name).replacen('I', "B", 1));
                }
                None => text.push_str(&label(name)),
            }
        }
        text
    }

    /// Are these both gradients of one unit, so that together they are the whole backward?
    fn is_whole(&self, input: Value, weight: Value) -> bool {
        const INDICES: u128 = (1 << 96) - 1;
        self.letters[self.text(input)] == "I"
            && self.letters[self.text(weight)] == "W"
            && input.0 & INDICES == weight.0 & INDICES
    }

    /// The kind alone, of overlapped steps the first.
    pub fn kind(&self, plan: &Plan, step: &Step) -> String {
        let first = plan.compute_names(step).next();
        first.map_or_else(String::new, |name| self.letters[self.text(name)].clone())
    }

    fn text(&self, name: Value) -> &'a str {
        self.texts[name.family() as usize].text
    }

    fn chunk(&self, step: &Step, name: Value) -> Option<usize> {
        let stages = &self.stages[step.rank as usize];
        let has_stage = self.texts[name.family() as usize].arity >= 2;
        has_stage.then(|| stages.binary_search(&name.index(0)).ok()).flatten()
    }

    fn chunk_letter(&self, step: &Step, name: Value) -> String {
        self.chunk(step, name).map_or_else(String::new, |chunk| char::from(b'a' + chunk as u8).to_string())
    }

    /// The colour of a step.
    pub fn style(&self, plan: &Plan, step: &Step) -> Style {
        let mut names = plan.compute_names(step);
        let Some(first) = names.next() else { return Style::new() };
        let colour = if names.next().is_some() { OVERLAPPED } else { self.colours[self.text(first)] };
        style(colour, self.chunk(step, first).unwrap_or(0))
    }

    /// The colour of a kind.
    pub fn style_of_kind(&self, kind: &str) -> Style {
        style(self.colours[kind], 0)
    }
}

/// The colour of overlapped steps.
pub fn overlapped() -> Style {
    style(OVERLAPPED, 0)
}

fn style(colour: usize, chunk: usize) -> Style {
    let background = COLOURS[colour][chunk % 4];
    let letters = if DARK.contains(&background) { 231 } else { 16 };
    Style::new().bg_color(Some(Ansi256Color(background).into())).fg_color(Some(Ansi256Color(letters).into()))
}

/// What tables call the kinds of the library of schedules.
const USUAL: [(&str, &str); 4] =
    [("forward", "F"), ("backward", "B"), ("backward_input", "I"), ("backward_weight", "W")];

/// As few first letters as tell the kinds apart; those of tables where all kinds are of the library.
fn letters<'a>(kinds: &[&'a str]) -> HashMap<&'a str, String> {
    let usual =
        |kind: &str| USUAL.iter().find(|(name, _)| *name == kind).map(|(_, letter)| (*letter).to_owned());
    if let Some(letters) = kinds.iter().map(|&kind| Some((kind, usual(kind)?))).collect() {
        return letters;
    }
    let short = |kind: &str, count: usize| -> String {
        let kind = plain(kind);
        let mut letters = kind.chars();
        let first: String = letters.by_ref().take(1).flat_map(char::to_uppercase).collect();
        first + &letters.take(count - 1).collect::<String>()
    };
    let mut seen: HashMap<String, usize> = HashMap::new();
    for count in 1..=MOST_LETTERS {
        let lengths = kinds.iter().map(|kind| short(kind, count));
        lengths.for_each(|short| *seen.entry(format!("{count} {short}")).or_default() += 1);
    }
    let unique = |kind: &str, count: usize| seen[&format!("{count} {}", short(kind, count))] == 1;
    let letters = |kind: &'a str| {
        let count = (1..=MOST_LETTERS).find(|&count| unique(kind, count));
        (kind, short(kind, count.unwrap_or(MOST_LETTERS)))
    };
    kinds.iter().map(|&kind| letters(kind)).collect()
}

/// Forward, backward and their parts have colours of their own; others get what is left.
fn colours<'a>(kinds: &[&'a str]) -> HashMap<&'a str, usize> {
    let usual = |kind: &str| match kind.chars().next().map(|c| c.to_ascii_uppercase()) {
        Some('F') => Some(0),
        Some('B') if kind == "backward_weight" => Some(2),
        Some('B') if kind == "backward_input" => Some(3),
        Some('B') => Some(1),
        Some('W') => Some(2),
        Some('I') => Some(3),
        _ => None,
    };
    let mut colours = HashMap::new();
    let mut taken = HashSet::new();
    for &kind in kinds {
        if let Some(colour) = usual(kind).filter(|&colour| taken.insert(colour)) {
            colours.insert(kind, colour);
        }
    }
    for &kind in kinds {
        let free = (0..OVERLAPPED).find(|colour| !taken.contains(colour));
        if let std::collections::hash_map::Entry::Vacant(place) = colours.entry(kind) {
            taken.insert(*place.insert(free.unwrap_or(OTHER)));
        }
    }
    colours
}

/// Columns that a text takes on the terminal.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// A text and as many spaces as make it that wide.
pub fn padded(text: &str, wanted: usize) -> String {
    format!("{text}{}", " ".repeat(wanted.saturating_sub(width(text))))
}
