//! What the commands write.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Output;

use super::{counterpart, folder};

/// Runs every command of a transcript and writes it down again.
fn replay(name: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cli_show/transcripts/{name}.txt"));
    let golden = fs::read_to_string(&file).unwrap();
    let folder = folder(name);
    let mut found = String::new();
    for line in golden.lines().filter_map(|line| line.strip_prefix("$ counterpart ")) {
        let args: Vec<&str> = line.split_whitespace().collect();
        let Output { status, stdout, stderr } = counterpart(&folder, &args);
        writeln!(found, "$ counterpart {line}").unwrap();
        found.push_str(&String::from_utf8(stdout).unwrap());
        found.push_str(&String::from_utf8(stderr).unwrap());
        match status.code() {
            Some(0) => writeln!(found).unwrap(),
            Some(code) => writeln!(found, "exit code {code}\n").unwrap(),
            None => panic!("`{line}` was killed"),
        }
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(file, found).unwrap();
    } else {
        assert!(found == golden, "BLESS=1 writes the transcript anew; it now is\n{found}");
    }
}

#[test]
fn grids() {
    replay("grids");
}

#[test]
fn programs() {
    replay("programs");
}

#[test]
fn what_waits_for_ever() {
    replay("stuck");
}

#[test]
fn conversions() {
    replay("conversions");
}

#[test]
fn refusals() {
    replay("refusals");
}

#[test]
fn a_large_schedule_fits() {
    let folder = folder("large");
    for width in [60, 100, 200] {
        let text = super::stdout(&folder, &["show", "huge.json", "--width", &width.to_string()]);
        let too_long = |line: &&str| line.chars().count() > width;
        assert_eq!(text.lines().skip(1).find(too_long), None, "at {width} columns");
        assert!(text.contains("rank 63 │ "));
    }
}

#[test]
fn without_unicode_all_is_ascii() {
    let folder = folder("ascii");
    for plan in ["one_f1b", "interleaved", "overlap", "stuck"] {
        for more in ["--clip", "--comms"] {
            let args = ["show", &format!("{plan}.json"), "--ascii", more];
            assert!(super::stdout(&folder, &args).is_ascii());
        }
    }
}

#[test]
fn colours_change_nothing_but_colours() {
    let folder = folder("colours");
    let plain = super::stdout(&folder, &["show", "interleaved.json", "--color", "never"]);
    let coloured = super::stdout(&folder, &["show", "interleaved.json", "--color", "always"]);
    let stripped = anstream::adapter::strip_str(&coloured).to_string();
    assert!(plain != coloured && plain == stripped);
}
