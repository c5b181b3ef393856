//! Schedules that once passed though they are unsafe, and differences that once went by unseen.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use counterpart_testkit::tables;

use super::{end, start};

/// A folder with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli_loss").join(name);
    fs::create_dir_all(&folder).unwrap();
    for (file, text) in files {
        fs::write(folder.join(file), text).unwrap();
    }
    folder
}

fn call(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = end(start(folder, args, b""), &args.join(" "));
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

fn plan(name: &str, rest: &str) -> String {
    format!("{{\"format\": \"counterpart-plan\", \"version\": 1, \"name\": \"{name}\", {rest}}}")
}

#[test]
fn two_chains_with_different_microbatches_are_covered() {
    let files = [
        ("no_backward.csv", "0F0,3F1,3B1\n1F0,2F1,2B1\n"),
        ("other_backward.csv", "0F0,3F1,3B1\n1F0,2F1,2B1,1B1\n"),
        ("unequal.csv", "0F0,0F1,3F0,3B0,0B0\n1F0,1F1,2F0,2B0,1B0\n"),
        ("whole.csv", "0F0,3F1,3B1,0B0\n1F0,2F1,1B0,2B1\n"),
    ];
    let folder = folder("chains", &files);
    for args in [
        &["no_backward.csv"][..],
        &["other_backward.csv", "--placement", "bidirectional"],
        &["unequal.csv", "--placement", "bidirectional"],
    ] {
        let (code, out, _) = call(&folder, &[&["check"], args].concat());
        assert_eq!(code, 1, "{args:?}: {out}");
        assert!(out.contains("coverage: "), "{args:?}: {out}");
    }
    let twice = "0F0,0F0,3F1,3B1,0B0\n1F0,2F1,1B0,2B1\n";
    fs::write(folder.join("twice.csv"), twice).unwrap();
    let (code, out, _) = call(&folder, &["check", "twice.csv"]);
    assert!(code == 1 && out.contains("`F[0,0]` runs a second time"), "{out}");
    let (code, out, _) = call(&folder, &["check", "whole.csv"]);
    assert_eq!(code, 0, "{out}");
    fs::write(folder.join("dual.csv"), tables::dual_pipe(4, 8).csv()).unwrap();
    let (code, out, _) =
        call(&folder, &["check", "dual.csv", "--placement", "bidirectional", "--all-models"]);
    assert_eq!(code, 0, "{out}");
}

#[test]
fn a_table_that_says_something_else_is_not_written() {
    let domain = plan(
        "domain",
        r#""domains": {"F": [[0, 2], [0, 4]]}, "ranks": [[{"compute": "F[0,0]", "writes": ["Act[1,0]"]},
            {"send": "Act[1,0]", "to": 1}], [{"recv": "Act[1,0]", "from": 0}, {"compute": "F[1,0]", "reads": ["Act[1,0]"]}]]"#,
    );
    let names = plan(
        "names",
        r#""ranks": [[{"compute": "F[0,0]"}, {"compute": ["I[0,0]", "W[0,0]"], "after": ["F[0,0]"]}]]"#,
    );
    let folder = folder("tables", &[("domain.json", &domain), ("names.json", &names)]);
    for file in ["domain.json", "names.json"] {
        let (code, out, err) = call(&folder, &["convert", file, "--to", "table"]);
        assert!(code == 2 && out.is_empty() && err.contains("this is no table"), "{file}: {out}{err}");
    }
}

#[test]
fn what_a_format_has_no_words_for_is_said() {
    let bounds = "counterpart::schedule! { schedule X; message A: [f32; 4]; memory r <= 1 A; model eager;
        rank 0 { send A to 1; } rank 1 { recv A from 0; } }";
    let folder = folder("warnings", &[("x.rs", bounds)]);
    let (code, _, err) = call(&folder, &["convert", "x.rs", "--to", "plan"]);
    assert_eq!(
        (code, &*err),
        (0, "warning: left out: bounds on memory; the model that it asks for, eager+item\n")
    );
}

#[test]
fn different_plans_are_different() {
    let rank = |steps: &str| plan("x", &format!("\"ranks\": [[{steps}], []]"));
    let pairs = [
        (rank(r#"{"compute": "a", "reads": ["x", "y"]}"#), rank(r#"{"compute": "a", "reads": ["x y"]}"#)),
        (rank(r#"{"compute": ["a", "b"]}"#), rank(r#"{"compute": "a b"}"#)),
        (rank(r#"{"send": "x", "to": 1}"#), rank(r#"{"compute": "send x to 1"}"#)),
        (
            plan(
                "x",
                r#""messages": {"x": {"dtype": "f32", "count": 4}}, "ranks": [[{"compute": "F", "writes": ["x"]}]]"#,
            ),
            plan("x", r#""ranks": [[{"compute": "F", "writes": ["x"]}]]"#),
        ),
    ];
    for (n, (a, b)) in pairs.iter().enumerate() {
        let folder = folder(&format!("pair{n}"), &[("a.json", a), ("b.json", b)]);
        let (code, out, _) = call(&folder, &["diff", "a.json", "b.json"]);
        assert_eq!(code, 1, "{n}: {out}");
        assert_eq!(call(&folder, &["diff", "b.json", "b.json"]).0, 0);
    }
}

/// What could move the cursor or hide what follows never reaches the terminal.
#[test]
fn control_characters_are_shown_as_such() {
    let evil = |word: &str| {
        let steps = r#"[{"compute": "\u001b[2JF[0]"}, {"send": "x\u0007\u009b", "to": 1}]"#;
        plan(&format!("\\u001b]0;{word}"), &format!("\"ranks\": [{steps}, [{{\"compute\": \"{word}\"}}]]"))
    };
    let folder = folder("control", &[("a.json", &evil("a")), ("b.json", &evil("b"))]);
    for args in [
        &["show", "a.json"][..],
        &["show", "a.json", "--comms"],
        &["check", "a.json"],
        &["diff", "a.json", "b.json"],
        &["mutate", "a.json"],
    ] {
        let (_, out, err) = call(&folder, args);
        let shown = out + &err;
        assert!(!shown.contains("panicked") && !shown.is_empty(), "{args:?}: {shown}");
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{args:?}: {shown:?}");
    }
}

#[test]
fn any_peer_can_be_mutated() {
    for peer in ["2147483647", "-2147483648", "-1", "0", "1"] {
        let text =
            plan("far", &format!(r#""ranks": [[{{"batch": [{{"send": "x", "to": {peer}}}]}}], [], []]"#));
        let folder = folder("peers", &[("far.json", &text)]);
        let (code, out, err) = call(&folder, &["mutate", "far.json"]);
        assert!(code == 0 && !err.contains("panicked") && !out.contains("split"), "{peer}: {out}{err}");
    }
    let alone = plan("alone", r#""ranks": [[{"send": "x", "to": 7}]]"#);
    assert_eq!(call(&folder("alone", &[("a.json", &alone)]), &["mutate", "a.json"]).0, 0);
}
