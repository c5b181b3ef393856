//! Malformed and truncated files: always exit code 2 with a place, never a panic, never a hang.

mod plans;
mod sources;
mod tables;

use std::collections::VecDeque;
use std::process::Child;

use serde_json::Value;

use super::{end, inputs, start};

/// Calls at a time.
const AT_A_TIME: usize = 4;

/// A text to be read as a file of some kind, and what was done to it.
struct Text {
    kind: &'static str,
    what: String,
    bytes: Vec<u8>,
}

/// Changes of a good text of some kind.
struct Changes {
    kind: &'static str,
    good: Vec<u8>,
    texts: Vec<Text>,
}

impl Changes {
    fn of(kind: &'static str, file: &str) -> Changes {
        let good = std::fs::read(inputs().join(file)).unwrap();
        Changes { kind, good: good.trim_ascii_end().to_vec(), texts: Vec::new() }
    }

    fn add(&mut self, what: String, bytes: impl Into<Vec<u8>>) {
        self.texts.push(Text { kind: self.kind, what, bytes: bytes.into() });
    }

    /// The text with `new` in the place of some of its bytes.
    fn replace(&mut self, old: std::ops::Range<usize>, new: &str) {
        let what = format!("`{new}` at {}..{}", old.start, old.end);
        let bytes = [&self.good[..old.start], new.as_bytes(), &self.good[old.end..]].concat();
        self.add(what, bytes);
    }

    /// Where one of these bytes is.
    fn places(&self, of: &[u8]) -> Vec<usize> {
        let found = self.good.iter().enumerate().filter(|(_, byte)| of.contains(byte));
        found.map(|(at, _)| at).collect()
    }

    /// `n` places all over the text.
    fn spread(&self, n: usize) -> Vec<usize> {
        (0..n).map(|k| k * self.good.len() / n).collect()
    }

    /// The first bytes only. Not for tables, which may end early.
    fn cut(&mut self) {
        for at in self.spread(150) {
            self.add(format!("the first {at} bytes"), self.good[..at].to_vec());
        }
    }

    /// One of these bytes is missing, or there twice.
    fn drop_or_double(&mut self, of: &[u8]) {
        for at in self.places(of) {
            self.add(format!("no byte {at}"), [&self.good[..at], &self.good[at + 1..]].concat());
            self.add(format!("byte {at} twice"), [&self.good[..=at], &self.good[at..]].concat());
        }
    }

    /// What no file of any kind may hold, or be.
    fn never(&mut self) {
        for at in self.spread(60) {
            for (junk, what) in [(&b"\xff"[..], "no UTF-8"), (b"\xc3\x28", "half a letter")] {
                let bytes = [&self.good[..at], junk, &self.good[at..]].concat();
                self.add(format!("{what} at {at}"), bytes);
            }
        }
        for (open, close) in [("[", "]"), ("(", ")"), ("{\"a\":", "}")] {
            for depth in [300, 100_000] {
                self.add(format!("{depth} times {open}"), open.repeat(depth));
                self.add(format!("{depth} times {open}{close}"), open.repeat(depth) + &close.repeat(depth));
            }
        }
        for text in ["", " ", "\n\n", "null", "[]", "{}", "\u{feff}", "\0", "\"", "{\"format\": 1}"] {
            self.add(format!("{text:?}"), text);
        }
    }
}

/// Runs the calls and hands each output to `look`: the text, exit code, standard output and standard error.
fn all(texts: Vec<Text>, look: impl Fn(&Text, i32, &str, &str)) {
    let mut running: VecDeque<(Child, Text)> = VecDeque::new();
    let finish = |(child, text): (Child, Text)| {
        let output = end(child, &text.what);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!told.contains("panicked"), "{}, {}: {told}", text.kind, text.what);
        let code = output.status.code().unwrap_or_else(|| panic!("{}, {}: killed", text.kind, text.what));
        look(&text, code, &String::from_utf8_lossy(&output.stdout), &told);
    };
    for text in texts {
        if running.len() == AT_A_TIME {
            finish(running.pop_front().unwrap());
        }
        let args = ["check", "-", "--from", text.kind, "--format", "json"];
        running.push_back((start(&inputs(), &args, &text.bytes), text));
    }
    running.into_iter().for_each(finish);
}

/// The error has a line and a column that are in the text, or just behind it, and standard error points there too.
fn has_place(text: &Text, stdout: &str, stderr: &str) {
    let Text { kind, what, bytes } = text;
    let told = || format!("{kind}, {what}\n{stdout}\n{stderr}\n{}", String::from_utf8_lossy(bytes));
    let object: Value = serde_json::from_str(stdout).unwrap_or_else(|_| panic!("{}", told()));
    assert_eq!(object["verdict"], "error", "{}", told());
    let number = |key: &str| object["error"][key].as_u64().unwrap_or_else(|| panic!("{}", told()));
    let (line, column) = (number("line"), number("column"));
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let there = usize::try_from(line).ok().and_then(|line| lines.get(line.checked_sub(1)?));
    let there = there.unwrap_or_else(|| panic!("{}", told()));
    assert!((1..=there.len() as u64 + 1).contains(&column), "{}", told());
    let place = format!("--> <stdin>:{line}:{column}\n");
    assert!(stderr.contains("error: ") && stderr.contains(&place), "{}", told());
}

#[test]
fn malformed_files_are_refused_with_a_place() {
    let texts: Vec<Text> =
        [plans::malformed(), tables::malformed(), sources::malformed()].into_iter().flatten().collect();
    assert!(texts.len() >= 1_000, "{}", texts.len());
    all(texts, |text, code, stdout, stderr| {
        let told = || format!("{}, {}: {stdout}{stderr}", text.kind, text.what);
        assert_eq!(code, 2, "{}\n{}", told(), String::from_utf8_lossy(&text.bytes));
        has_place(text, stdout, stderr);
    });
}

#[test]
fn random_edits_are_judged_or_refused_with_a_place() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut texts = Vec::new();
    for n in 0..450 {
        let (kind, file) = [
            ("plan", "batch.json"),
            ("table", "swapped.csv"),
            ("source", "pipeline.rs"),
            ("plan", "whole.json"),
            ("table", "older.csv"),
            ("source", "faults.rs"),
        ][n % 6];
        let mut bytes = Changes::of(kind, file).good;
        for _ in 0..random.usize(1..4) {
            let at = random.usize(..bytes.len());
            match random.u8(..4) {
                0 if bytes.len() > 1 => drop(bytes.remove(at)),
                1 => bytes.insert(at, bytes[random.usize(..bytes.len())]),
                2 => bytes[at] = random.u8(b' '..=b'~'),
                _ => bytes.truncate(at.max(1)),
            }
        }
        texts.push(Text { kind, what: format!("edit {n} of {file}"), bytes });
    }
    all(texts, |text, code, stdout, stderr| match code {
        0 | 1 => {}
        2 => has_place(text, stdout, stderr),
        code => panic!("{}, {}: exit code {code}", text.kind, text.what),
    });
}
