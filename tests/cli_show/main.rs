//! `counterpart show` and `counterpart convert`, as they are called: golden transcripts.
//!
//! A transcript is a list of commands, each behind a `$`, with what they write. `BLESS=1 cargo test --test cli_show` writes
//! them anew; look at the difference before committing.

mod plans;
mod round_trips;
mod transcripts;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// A fresh folder with all plans in it.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli_show").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    for (name, plan) in plans::all() {
        fs::write(folder.join(format!("{name}.json")), plan.to_json()).unwrap();
    }
    for (name, text) in plans::TEXTS {
        fs::write(folder.join(name), text).unwrap();
    }
    folder
}

/// Runs the command in a folder.
fn counterpart(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpart"));
    command.current_dir(folder).args(args).env_remove("CLICOLOR_FORCE").output().unwrap()
}

/// What a command that is to succeed writes.
fn stdout(folder: &Path, args: &[&str]) -> String {
    let Output { status, stdout, stderr } = counterpart(folder, args);
    assert!(status.success(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}
