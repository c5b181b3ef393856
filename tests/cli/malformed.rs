//! Malformed and truncated files: always exit code 2 with a place, never a panic, never a hang.

use std::collections::VecDeque;
use std::process::Child;

use serde_json::Value;

use super::{end, inputs, start};

/// Calls at a time.
const AT_A_TIME: usize = 4;

/// A good file of each format.
fn good() -> [(&'static str, Vec<u8>); 3] {
    let read = |name: &str| std::fs::read(inputs().join(name)).unwrap();
    [("plan", read("batch.json")), ("table", read("swapped.csv")), ("source", read("pipeline.rs"))]
}

/// Runs the calls and hands each output to `look`.
fn all(texts: Vec<(&'static str, String, Vec<u8>)>, look: impl Fn(&str, &str, &[u8], i32, &str, &str)) {
    let mut running: VecDeque<(Child, &str, String, Vec<u8>)> = VecDeque::new();
    let finish = |(child, kind, what, text): (Child, &str, String, Vec<u8>)| {
        let output = end(child, &what);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!told.contains("panicked"), "{kind}, {what}: {told}");
        let code = output.status.code().unwrap_or_else(|| panic!("{kind}, {what}: killed"));
        look(kind, &what, &text, code, &String::from_utf8_lossy(&output.stdout), &told);
    };
    for (kind, what, text) in texts {
        if running.len() == AT_A_TIME {
            finish(running.pop_front().unwrap());
        }
        let child = start(&inputs(), &["check", "-", "--from", kind, "--format", "json"], &text);
        running.push_back((child, kind, what, text));
    }
    running.into_iter().for_each(finish);
}

/// The error has a line and a column that are in the text, or just behind it, and standard error points there too.
fn has_place(kind: &str, what: &str, text: &[u8], stdout: &str, stderr: &str) {
    let told = || format!("{kind}, {what}\n{stdout}\n{stderr}\n{}", String::from_utf8_lossy(text));
    let object: Value = serde_json::from_str(stdout).unwrap_or_else(|_| panic!("{}", told()));
    assert_eq!(object["verdict"], "error", "{}", told());
    let line = object["error"]["line"].as_u64().unwrap_or_else(|| panic!("{}", told()));
    let column = object["error"]["column"].as_u64().unwrap_or_else(|| panic!("{}", told()));
    let lines = text.split(|&byte| byte == b'\n').count() as u64;
    assert!((1..=lines).contains(&line) && (1..=text.len() as u64 + 1).contains(&column), "{}", told());
    assert!(stderr.contains("error: ") && stderr.contains("--> <stdin>:"), "{}", told());
}

/// Changes that leave no good file, whatever the place.
fn malformed() -> Vec<(&'static str, String, Vec<u8>)> {
    let mut texts = Vec::new();
    for (kind, good) in good() {
        let body = good.iter().rposition(|byte| !byte.is_ascii_whitespace()).unwrap() + 1;
        let mut add = |what: String, text: Vec<u8>| texts.push((kind, what, text));
        let at_most = |n: usize| (0..n).map(move |k| k * body / n);
        // A table that ends early may still be one; the others always miss a bracket.
        if kind != "table" {
            for end in at_most(120) {
                add(format!("the first {end} bytes"), good[..end].to_vec());
            }
        }
        for at in at_most(120) {
            for (junk, what) in [(&b"\xff"[..], "no UTF-8"), (b"\xc3\x28", "half a letter")] {
                add(format!("{what} at {at}"), [&good[..at], junk, &good[at..]].concat());
            }
        }
        match kind {
            // A bracket too many cannot be closed by anything, and strings have none in this file.
            "plan" => {
                for (at, _) in good.iter().enumerate().filter(|(_, byte)| b"[]{}:\"".contains(byte)) {
                    add(format!("no byte {at}"), [&good[..at], &good[at + 1..]].concat());
                }
                for (at, _) in good.iter().enumerate().filter(|(_, byte)| b"[{:,".contains(byte)) {
                    add(format!("junk behind {at}"), [&good[..=at], b"@", &good[at + 1..]].concat());
                }
            }
            "table" => {
                let cells: Vec<usize> = good
                    .iter()
                    .enumerate()
                    .filter(|(at, byte)| {
                        **byte != b',' && **byte != b'\n' && (*at == 0 || b",\n".contains(&good[at - 1]))
                    })
                    .map(|(at, _)| at)
                    .collect();
                for at in cells {
                    for junk in [
                        "x",
                        "-",
                        "1.5F0 ",
                        "F",
                        "(",
                        "SEND",
                        "\u{1F600}",
                        "0F0;",
                        "99999999999999999999",
                        "0B",
                        "0UNSHARD5",
                        "+",
                    ] {
                        add(
                            format!("`{junk}` at {at}"),
                            [&good[..at], junk.as_bytes(), &good[at..]].concat(),
                        );
                    }
                    let end = good[at..].iter().position(|byte| b",\n".contains(byte)).unwrap() + at;
                    for junk in ["x", "!", " F", "_", "(", ";", "B"] {
                        add(
                            format!("`{junk}` at {end}"),
                            [&good[..end], junk.as_bytes(), &good[end..]].concat(),
                        );
                    }
                }
            }
            _ => {
                for (at, _) in good.iter().enumerate().filter(|(_, byte)| b"()[]{}".contains(byte)) {
                    add(format!("no byte {at}"), [&good[..at], &good[at + 1..]].concat());
                    add(format!("byte {at} twice"), [&good[..=at], &good[at..]].concat());
                }
                for word in [
                    "schedule ",
                    "message ",
                    "compute ",
                    "rank ",
                    "instance ",
                    "send ",
                    "recv ",
                    "reads ",
                    "writes ",
                    "after ",
                ] {
                    let text = String::from_utf8(good.clone()).unwrap();
                    let body = text.find("schedule!").unwrap() + "schedule!".len();
                    for (at, _) in text[body..]
                        .match_indices(word)
                        .filter(|(at, _)| !text[..body + at].ends_with("/// "))
                    {
                        let at = body + at;
                        add(
                            format!("no {word}at {at}"),
                            [&good[..at], b"%%", &good[at + word.len()..]].concat(),
                        );
                    }
                }
            }
        }
        if kind == "source" {
            for deep in ["!", "- ", "1 + ", "if 1 < 2 { 1 } else ", "(1, ", "x.", "&& "] {
                let text =
                    format!("schedule! {{ schedule X; rank 0 {{ let x = {}1; }} }}", deep.repeat(50_000));
                add(format!("50,000 times {deep}"), text.into_bytes());
            }
        }
        for (open, close) in [("[", "]"), ("(", ")"), ("{\"a\":", "}")] {
            for depth in [300, 100_000] {
                add(format!("{depth} times {open}"), open.repeat(depth).into_bytes());
                add(
                    format!("{depth} times {open}{close}"),
                    (open.repeat(depth) + &close.repeat(depth)).into_bytes(),
                );
            }
        }
        for text in ["", " ", "\n\n", "null", "[]", "{}", "\u{feff}", "\0", "\"", "{\"format\": 1}"] {
            add(format!("{text:?}"), text.as_bytes().to_vec());
        }
    }
    texts
}

#[test]
fn malformed_files_are_refused_with_a_place() {
    let texts = malformed();
    assert!(texts.len() >= 1_000, "{}", texts.len());
    all(texts, |kind, what, text, code, stdout, stderr| {
        assert_eq!(code, 2, "{kind}, {what}: {stdout}{stderr}\n{}", String::from_utf8_lossy(text));
        has_place(kind, what, text, stdout, stderr);
    });
}

#[test]
fn random_edits_are_judged_or_refused_with_a_place() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut texts = Vec::new();
    for n in 0..300 {
        let (kind, mut text) = good()[n % 3].clone();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(..text.len());
            match random.u8(..4) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, text[random.usize(..text.len())]),
                2 => text[at] = random.u8(b' '..=b'~'),
                _ => text.truncate(at.max(1)),
            }
        }
        texts.push((kind, format!("edit {n}"), text));
    }
    all(texts, |kind, what, text, code, stdout, stderr| match code {
        0 | 1 => {}
        2 => has_place(kind, what, text, stdout, stderr),
        code => panic!("{kind}, {what}: exit code {code}"),
    });
}
