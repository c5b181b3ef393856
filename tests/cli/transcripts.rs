//! What the command writes: golden transcripts.
//!
//! A transcript is a list of calls, each behind a `$`, with what they write and their exit code. Calls are made in
//! `tests/cli/inputs`, `< FILE` gives one a standard input. `BLESS=1 cargo test --test cli` writes them anew.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::{counterpart, inputs};

fn replay(name: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cli/transcripts/{name}.txt"));
    let golden = fs::read_to_string(&file).unwrap();
    let mut found = String::new();
    for line in golden.lines().filter_map(|line| line.strip_prefix("$ counterpart ")) {
        let (call, stdin) = line.split_once(" < ").unwrap_or((line, ""));
        let stdin = if stdin.is_empty() { Vec::new() } else { fs::read(inputs().join(stdin)).unwrap() };
        let args: Vec<&str> = call.split_whitespace().collect();
        let output = counterpart(&args, &stdin);
        writeln!(found, "$ counterpart {line}").unwrap();
        found.push_str(&String::from_utf8(output.stdout).unwrap());
        found.push_str(&String::from_utf8(output.stderr).unwrap());
        writeln!(found, "exit code {}\n", output.status.code().unwrap()).unwrap();
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(file, found).unwrap();
    } else {
        assert!(found == golden, "BLESS=1 writes the transcript anew; it now is\n{found}");
    }
}

#[test]
fn faults() {
    replay("faults");
}

#[test]
fn library() {
    replay("library");
}

#[test]
fn sources() {
    replay("sources");
}

#[test]
fn models() {
    replay("models");
}

#[test]
fn what_cannot_be_read() {
    replay("unreadable");
}

#[test]
fn json() {
    replay("json");
}

#[test]
fn edits_and_differences() {
    replay("edits");
}
