//! What is converted comes back as it was.

use std::fs;

use counterpart::core::{Model, Plan};
use counterpart_lang::compile;

use super::{counterpart, folder, plans, stdout};

/// The plan of the block in a program.
fn read(program: &str) -> Plan {
    let (_, rest) = program.split_once("counterpart::schedule! {").unwrap();
    let (block, _) = rest.split_once("\n}\n").unwrap();
    let mut compiled = compile(block.parse().unwrap(), "out.rs");
    let errors: Vec<String> = compiled.errors.iter().map(ToString::to_string).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    compiled.instances.remove(0).plan
}

#[test]
fn a_block_has_the_steps_of_the_plan() {
    let folder = folder("block");
    for (name, plan) in plans::all() {
        let file = format!("{name}.json");
        let verifies = Model::ALL.iter().any(|&model| plan.verify(model).is_safe());
        if plan.ranks() == 0 || name == "any" || !verifies {
            continue;
        }
        let again = read(&stdout(&folder, &["convert", &file, "--to", "schedule"]));
        assert_eq!(plan.ranks(), again.ranks());
        for rank in 0..plan.ranks() {
            assert_eq!(plan.steps(rank).len(), again.steps(rank).len());
            for step in 0..plan.steps(rank).len() {
                let (one, other) = (plan.describe(rank, step), again.describe(rank, step));
                assert!(one == other || name == "overlap" || name == "ring", "{one:?} became {other:?}");
            }
        }
    }
}

#[test]
fn the_command_reads_what_it_writes() {
    let folder = folder("again");
    for plan in ["one_f1b", "interleaved", "overlap", "stages", "ring"] {
        let (file, source) = (format!("{plan}.json"), format!("{plan}.rs"));
        stdout(&folder, &["convert", &file, "-o", &source]);
        let first = stdout(&folder, &["check", &source]);
        assert!(first.starts_with("safe"), "{first}");
        // Once more, and it does not change any further.
        stdout(&folder, &["convert", &source, "-o", "second.json", "--force"]);
        stdout(&folder, &["convert", "second.json", "-o", "second.rs", "--force"]);
        let steps =
            |file: &str| stdout(&folder, &["show", file, "--comms"]).split_once('\n').unwrap().1.to_owned();
        assert_eq!(steps(&source), steps("second.rs"));
    }
    stdout(&folder, &["convert", "stages.json", "-o", "table.csv"]);
    stdout(&folder, &["convert", "table.csv", "-o", "table.rs"]);
    let table = stdout(&folder, &["convert", "table.rs", "--to", "table"]);
    assert_eq!(table, fs::read_to_string(folder.join("table.csv")).unwrap());
}

#[test]
fn a_plan_stays_the_same() {
    let folder = folder("plan");
    for (name, plan) in plans::all().into_iter().filter(|(name, _)| *name != "huge") {
        let text = stdout(&folder, &["convert", &format!("{name}.json"), "--to", "plan"]);
        assert_eq!(text, plan.to_json());
    }
}

#[test]
fn the_program_is_the_one_that_compiles() {
    let folder = folder("program");
    let found =
        stdout(&folder, &["convert", "stages.json", "--to", "schedule", "--dtype", "f32", "--count", "2048"]);
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/convert_compiles/program.rs");
    if std::env::var_os("BLESS").is_some() {
        fs::write(golden, &found).unwrap();
    }
    assert_eq!(found, fs::read_to_string(golden).unwrap());
}

#[test]
fn files_are_kept() {
    let folder = folder("files");
    let before = fs::read(folder.join("ring.json")).unwrap();
    let over_itself = counterpart(&folder, &["convert", "ring.json", "-o", "./ring.json", "--force"]);
    assert_eq!(over_itself.status.code(), Some(2));
    assert_eq!(fs::read(folder.join("ring.json")).unwrap(), before);

    stdout(&folder, &["convert", "ring.json", "-o", "out.rs"]);
    let first = fs::read(folder.join("out.rs")).unwrap();
    assert_eq!(counterpart(&folder, &["convert", "stages.json", "-o", "out.rs"]).status.code(), Some(2));
    assert_eq!(fs::read(folder.join("out.rs")).unwrap(), first);
    fs::write(folder.join("empty.rs"), "").unwrap();
    stdout(&folder, &["convert", "stages.json", "-o", "empty.rs"]);
    assert!(counterpart(&folder, &["convert", "stages.json", "-o", "empty.rs"]).status.code() == Some(2));
    #[cfg(unix)]
    {
        // Another name of the same file.
        let _ = fs::remove_file(folder.join("link.json"));
        fs::hard_link(folder.join("ring.json"), folder.join("link.json")).unwrap();
        let over_itself = counterpart(&folder, &["convert", "ring.json", "-o", "link.json", "--force"]);
        assert!(over_itself.status.code() == Some(2));
    }
    stdout(&folder, &["convert", "stages.json", "-o", "out.rs", "--force"]);
    assert!(fs::read(folder.join("out.rs")).unwrap() != first);
}
