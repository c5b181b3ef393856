//! `counterpart schedules` and `counterpart schedule`: every schedule at many sizes, and the pictures of its documentation.

use std::fs;
use std::path::Path;

use counterpart_lang::library::ENTRIES;

use super::counterpart;

/// What a call has written, and how it ended.
struct Done {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn run_with(args: &[&str], stdin: &str) -> Done {
    let output = counterpart(args, stdin.as_bytes());
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("a text");
    Done { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn run(args: &[&str]) -> Done {
    run_with(args, "")
}

/// What `counterpart schedule … | counterpart show -` draws, without what stands above and below.
fn picture(made: &[&str]) -> Vec<String> {
    let plan = run(made);
    assert_eq!(plan.code, Some(0), "{made:?}: {}", plan.stderr);
    let shown = run_with(&["show", "-", "--width", "108"], &plan.stdout);
    assert_eq!(shown.code, Some(0), "{made:?}: {}", shown.stderr);
    let lines = shown.stdout.lines().skip_while(|line| !line.starts_with("slot"));
    lines.take_while(|line| !line.is_empty()).map(|line| line.trim_end().to_owned()).collect()
}

/// The texts of the library draw their schedules. With `BLESS=1` the pictures are drawn anew.
#[test]
fn pictures_of_the_documentation_are_what_is_shown() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("lang/schedules");
    for file in fs::read_dir(folder).expect("the library").map(|file| file.expect("a file").path()) {
        let text = fs::read_to_string(&file).expect("a text");
        let begin = text.find("    /// $ counterpart schedule ").expect("a picture");
        let end = begin + text[begin..].find("    /// ```").expect("an end");
        let command = text[begin..end].lines().next().expect("a command");
        let words: Vec<&str> = command.trim_start_matches("    /// $ counterpart ").split(' ').collect();
        let made: Vec<&str> = words.into_iter().take_while(|word| *word != "|").collect();
        let lines: Vec<String> = picture(&made).into_iter().map(|line| format!("    /// {line}\n")).collect();
        let drawn = format!("{command}\n{}", lines.concat());
        if std::env::var_os("BLESS").is_some() {
            let text = format!("{}{drawn}{}", &text[..begin], &text[end..]);
            fs::write(&file, text).expect("it can be written");
        } else {
            assert_eq!(text[begin..end], drawn, "{}: draw it anew with BLESS=1", file.display());
        }
    }
}

#[test]
fn every_schedule_is_made_in_every_format_and_safe_under_all_models() {
    for entry in ENTRIES {
        for (p, m) in [(1, 2), (2, 4), (4, 8), (4, 3)] {
            let mut args =
                vec!["schedule".to_owned(), entry.name.to_owned(), format!("p={p}"), format!("M={m}")];
            if entry.params().iter().any(|(name, _)| name == "V") {
                args.push("v=3".to_owned());
            }
            for format in ["plan", "table", "schedule"] {
                for more in [&["--to", format][..], &["--to", format, "--compute-only"]] {
                    let all: Vec<&str> =
                        args.iter().map(String::as_str).chain(more.iter().copied()).collect();
                    let made = run(&all);
                    let is_refused = format == "schedule" && more.len() == 3;
                    if made.code == Some(2) && (is_refused || made.stderr.contains("is one that there is")) {
                        assert!(is_refused || (p, m) != (4, 8), "{all:?}: {}", made.stderr);
                        continue;
                    }
                    assert_eq!(made.code, Some(0), "{all:?}: {}", made.stderr);
                    if format == "plan" && more.len() == 3 {
                        // A plan of compute steps alone is given its communication.
                        let auto = run_with(&["auto", "-", "-q"], &made.stdout);
                        assert_eq!(auto.code, Some(0), "{all:?}: {}", auto.stderr);
                        let checked = run_with(&["check", "-", "--all-models", "-q"], &auto.stdout);
                        assert_eq!(checked.code, Some(0), "{all:?}: {}", checked.stdout);
                        continue;
                    }
                    let checked = run_with(&["check", "-", "--all-models"], &made.stdout);
                    assert_eq!(checked.code, Some(0), "{all:?}: {}{}", checked.stdout, checked.stderr);
                }
            }
        }
    }
}
