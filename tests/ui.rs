//! Programs that must not compile, each with what rustc says of it.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the `.stderr` files anew; look at the difference before committing,
//! and read it as somebody who has just made that mistake.

use std::path::{Path, PathBuf};

const FAIL: &str = "ui-tests/fail";

#[test]
fn mistakes_do_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail(format!("{FAIL}/*/*.rs"));
}

#[test]
fn every_mistake_has_its_message_and_every_message_its_mistake() {
    let files = files(Path::new(env!("CARGO_MANIFEST_DIR")).join(FAIL));
    assert!(!files.is_empty());
    let alone = |file: &&PathBuf| {
        let other = match file.extension().and_then(|e| e.to_str()) {
            Some("rs") => "stderr",
            Some("stderr") => "rs",
            _ => return true,
        };
        !file.with_extension(other).exists()
    };
    let alone: Vec<_> = files.iter().filter(alone).collect();
    assert!(alone.is_empty(), "these have no counterpart: {alone:#?}");
}

/// All files under a folder.
fn files(folder: PathBuf) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(path) } else { vec![path] }).collect()
}
