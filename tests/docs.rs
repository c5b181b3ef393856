//! The pages say what is true: files that they name exist, what they quote is quoted, numbers are those of the code.
//!
//! Code in the README and in the reference of the language is compiled as documentation tests of the crate.

use std::fs;
use std::path::{Path, PathBuf};

use counterpart::core::node::MAX_LOOPS;
use counterpart::core::prove::{DATAFLOW_LIMIT, MAX_RANKS};
use counterpart::core::value::{INDEX_LIMIT, MAX_ARITY};
use counterpart::core::{BatchRule, Channel, FaultKind, Model, Plan};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every page: its path and its text.
fn pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    for folder in ["", "docs/"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") {
                let path = format!("{folder}{name}");
                let text = read(&path);
                pages.push((path, text));
            }
        }
    }
    assert!(pages.len() >= 5, "the README, three more pages and the reference of the language");
    pages
}

/// The text outside of fences, and the fences: the comment `<!-- … -->` before each, and what it holds.
fn split(text: &str) -> (String, Vec<(Option<String>, String)>) {
    let (mut prose, mut fences) = (String::new(), Vec::new());
    let (mut inside, mut mark) = (false, None);
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside;
            if inside {
                fences.push((mark.take(), String::new()));
            }
        } else if inside {
            let (_, fence) = fences.last_mut().unwrap();
            fence.push_str(line);
            fence.push('\n');
        } else {
            mark = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")).map(str::to_owned);
            prose.push_str(line);
            prose.push('\n');
        }
    }
    assert!(!inside, "a fence is not closed");
    (prose, fences)
}

/// `[name]: target` at the beginning of a line, or of a doc comment.
fn link_definitions(text: &str) -> Vec<(&str, &str)> {
    text.lines()
        .filter_map(|line| line.trim_start_matches("//! ").strip_prefix('[')?.split_once("]: "))
        .collect()
}

fn is_path(span: &str) -> bool {
    let plain = span.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
    let named = [".rs", ".md", ".toml", ".txt", ".json", ".stderr", ".sh"].iter().any(|e| span.ends_with(e));
    plain && (span.contains('/') || named)
}

#[test]
fn files_that_pages_name_exist() {
    let mut missing = Vec::new();
    for (page, text) in pages() {
        let (prose, fences) = split(&text);
        let spans = prose.split('`').skip(1).step_by(2).filter(|span| is_path(span));
        let marks = fences.iter().filter_map(|(mark, _)| mark.as_deref());
        let links = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
        let definitions = link_definitions(&prose).into_iter().map(|(_, target)| target);
        let targets = links.chain(definitions).filter(|link| !link.contains("://") && !link.starts_with('#'));
        for path in spans.chain(marks).chain(targets) {
            if !root().join(path).exists() {
                missing.push(format!("{page}: {path}"));
            }
        }
    }
    assert!(missing.is_empty(), "these files do not exist: {missing:#?}");
}

#[test]
fn what_is_quoted_is_quoted() {
    let plain = |text: &str| text.lines().map(|line| line.trim().to_owned() + "\n").collect::<String>();
    let mut quotes = 0;
    for (page, text) in pages() {
        for (mark, fence) in split(&text).1 {
            let Some(path) = mark else { continue };
            // A reader makes the mistake in a file of their own.
            let source = path.replace(".stderr", ".rs");
            let file = read(&path).replace("$DIR/", "").replace(&source, "src/main.rs");
            let (file, fence) = (plain(&file), plain(&fence));
            assert!(file.contains(&fence) || fence.contains(&file), "{page} does not quote {path}:\n{fence}");
            quotes += 1;
        }
    }
    assert!(quotes >= 3, "the README quotes a program, its error, and the program of the golden expansion");
}

#[test]
fn links_of_the_readme_lead_to_items_in_the_documentation() {
    let (readme, crate_docs) = (read("README.md"), read("src/lib.rs"));
    let names =
        |text| link_definitions(text).into_iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    let (mut here, mut there) = (names(&readme), names(&crate_docs));
    here.sort();
    there.sort();
    assert_eq!(
        here, there,
        "src/lib.rs says for each link of the README where it leads in the documentation"
    );
}

#[test]
fn numbers_are_those_of_the_code() {
    let readme = read("README.md").replace('\n', " ");
    let grouped = |n: u64| format!("{},{:03}", n / 1000, n % 1000);
    assert_eq!(INDEX_LIMIT, 1 << 24);
    for said in [
        format!("up to {} items and uses", grouped(DATAFLOW_LIMIT)),
        format!("at most {} ranks", grouped(MAX_RANKS as u64)),
        format!("{MAX_LOOPS} loops inside each other"),
        format!("{MAX_ARITY} indices per value, each below 2²⁴"),
    ] {
        assert!(readme.contains(&said), "the README does not say `{said}`");
    }
}

#[test]
fn tables_are_complete() {
    let readme = read("README.md");
    let channels = Channel::ALL.map(Channel::name);
    let rules = BatchRule::ALL.map(BatchRule::name);
    let kinds = FaultKind::ALL.map(FaultKind::name);
    for name in channels.into_iter().chain(rules).chain(kinds) {
        assert!(readme.contains(&format!("\n| `{name}` | ")), "the README has no row for `{name}`");
    }
}

#[test]
fn the_plan_file_of_the_reference_is_one() {
    let fences = split(&read("docs/plan-files.md")).1;
    let plan = Plan::from_json(&fences[0].1).unwrap();
    assert!(plan.verify(Model::PORTABLE).is_safe());
    assert_eq!(plan.domains().len(), 1);
    assert!(plan.items(&plan.steps(0)[1])[0].payload.is_known());
}

#[test]
fn the_readme_has_every_verb() {
    let readme = read("README.md");
    for verb in ["check", "show", "convert", "diff", "mutate"] {
        assert!(readme.contains(&format!("\n| `{verb}` | ")), "the README has no row for `{verb}`");
        assert!(root().join("src/bin/counterpart").join(verb).is_dir());
    }
}

#[test]
fn there_is_one_grammar() {
    let page = split(&read("docs/language.md")).1;
    let module = read("lang/src/syntax/mod.rs").replace("//! ", "").replace("//!\n", "\n");
    let grammar = &page.iter().find(|(_, fence)| fence.starts_with("schedule   ")).expect("the grammar").1;
    assert!(
        module.contains(grammar.as_str()),
        "lang/src/syntax/mod.rs has another grammar than docs/language.md"
    );
}

#[test]
fn the_checks_end_with_the_commands_of_the_readme() {
    let (readme, checks) = (read("README.md"), read(".ci/run").replace(" --locked", ""));
    let last = checks.lines().last().unwrap();
    for command in ["cargo run --release --example digits", "cargo test --workspace"] {
        assert!(readme.contains(&format!("\n{command} ")), "the README does not say `{command}`");
        assert!(checks.contains(command), ".ci/run does not run `{command}`");
    }
    assert_eq!(last, "step cargo test --workspace");
}
