//! What shells and manuals need, and readers that have seen enough.

use std::fs;
use std::io::Read;
use std::path::Path;

use super::{counterpart, end, inputs, start};

const VERBS: [&str; 10] =
    ["check", "show", "convert", "schedules", "schedule", "auto", "diff", "mutate", "completions", "man"];

fn text(args: &[&str]) -> String {
    let output = counterpart(args, b"");
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_shell_has_completions_for_every_verb() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = text(&["completions", shell]);
        for word in VERBS.iter().chain(&["all-models", "placement"]) {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn every_verb_has_help_with_examples_and_a_page() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli_man");
    let _ = fs::remove_dir_all(&folder);
    text(&["man", "--out", folder.to_str().unwrap()]);
    assert!(text(&["man"]).starts_with(".ie"));
    assert_eq!(fs::read_to_string(folder.join("counterpart.1")).unwrap(), text(&["man"]));
    for verb in VERBS {
        for help in [text(&[verb, "--help"]), text(&["help", verb])] {
            assert!(help.contains(&format!("Examples:\n  counterpart {verb}")), "{help}");
        }
        let page = text(&["man", verb]);
        assert!(page.contains(&format!(".TH counterpart-{verb} 1")), "{page}");
        assert_eq!(fs::read_to_string(folder.join(format!("counterpart-{verb}.1"))).unwrap(), page);
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1 + VERBS.len());
}

/// `counterpart … | head -1`
#[test]
fn a_reader_may_leave() {
    // More than fits into a pipe, so that the command writes when nobody reads any more.
    let many: Vec<&str> = ["check"].into_iter().chain(["ring.json"; 400]).collect();
    let mut child = start(&inputs(), &many, b"");
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0]).unwrap();
    drop(out);
    let output = end(child, "a reader that leaves");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    // As shells have it for SIGPIPE: 0 would say that all is safe.
    assert_eq!(output.status.code(), Some(141));
}
