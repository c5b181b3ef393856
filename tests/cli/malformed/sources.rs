//! Rust sources without a `schedule!` block that could be read.

use super::{Changes, Text};

pub fn malformed() -> Vec<Text> {
    let mut changes = Changes::of("source", "pipeline.rs");
    changes.cut();
    changes.never();
    changes.drop_or_double(b"()[]{}");
    let text = String::from_utf8(changes.good.clone()).unwrap();
    let block = text.find("schedule!").unwrap() + "schedule!".len();
    let is_code = |at: usize| !text[..at].rsplit('\n').next().unwrap().contains("//");
    let words =
        ["schedule", "message", "compute", "rank", "instance", "send", "recv", "reads", "writes", "after"];
    for word in words {
        let begins = format!("{word} ");
        let found = text[block..].match_indices(&begins).map(|(at, _)| block + at);
        for at in found.filter(|&at| is_code(at)) {
            for wrong in ["%%", "", "\"a\"", "r#", &word[1..], &format!("{word}s"), &word.to_uppercase()] {
                changes.replace(at..at + word.len(), wrong);
            }
        }
    }
    for at in changes.places(b";").into_iter().filter(|&at| at > block && is_code(at)) {
        for wrong in [";;;)", "; @", ":", "'", "\"", "; = 1;", "; \u{20AC};"] {
            changes.replace(at..at + 1, wrong);
        }
    }
    for deep in
        ["!", "- ", "1 + ", "if 1 < 2 { 1 } else ", "(1, ", "x.", "&& ", "f(", "{", "[", "r ", "x = ", "1.. "]
    {
        let text = format!("schedule! {{ schedule X; rank 0 {{ let x = {}1; }} }}", deep.repeat(50_000));
        changes.add(format!("50,000 times {deep}"), text);
    }
    changes.texts
}
