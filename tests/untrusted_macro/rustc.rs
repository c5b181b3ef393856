//! Runs rustc on a text that uses `counterpart`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

use serde_json::Value;

/// An error of rustc: what it says, and the lines it is about.
pub struct Error {
    pub message: String,
    pub lines: Vec<u64>,
}

/// Checks a library and returns the errors.
pub fn errors(name: &str, source: &str) -> Vec<Error> {
    errors_of(name, source, "metadata")
}

/// Makes machine code of a library and returns the errors.
pub fn errors_of_a_build(name: &str, source: &str) -> Vec<Error> {
    errors_of(name, source, "obj")
}

fn errors_of(name: &str, source: &str, emit: &str) -> Vec<Error> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("{name}.rs"));
    fs::write(&file, source).unwrap();
    let library = library();
    let output = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition=2024", "--crate-type=lib", "--error-format=json", "--cap-lints=warn"])
        .arg(format!("--emit={emit}"))
        .arg("--out-dir")
        .arg(folder)
        .arg("--extern")
        .arg(format!("counterpart={}", library.display()))
        .arg("-L")
        .arg(format!("dependency={}", library.with_file_name("deps").display()))
        .arg("-L")
        .arg(format!("dependency={}", library.parent().unwrap().display()))
        .arg(&file)
        .output()
        .expect("rustc runs");
    let text = String::from_utf8(output.stderr).unwrap();
    let errors: Vec<Error> = text.lines().filter_map(error).collect();
    assert!(output.status.success() == errors.is_empty(), "{text}");
    errors
}

/// One line of rustc's JSON, where it is an error with a place.
fn error(line: &str) -> Option<Error> {
    let diagnostic: Value = serde_json::from_str(line).ok()?;
    let spans =
        diagnostic["spans"].as_array().filter(|spans| diagnostic["level"] == "error" && !spans.is_empty())?;
    Some(Error {
        message: diagnostic["message"].as_str()?.to_owned(),
        lines: spans.iter().filter_map(|span| span["line_start"].as_u64()).collect(),
    })
}

/// Where the library lies that this test was built with. Cargo knows; asking it builds nothing.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--lib", "--package=counterpart", "--message-format=json", "--quiet"]);
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        cargo.current_dir(env!("CARGO_MANIFEST_DIR")).arg("--target-dir").arg(target);
        let output = cargo.output().expect("cargo runs");
        let text = String::from_utf8(output.stdout).unwrap();
        let mut messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let is_library = |message: &Value| {
            message["reason"] == "compiler-artifact" && message["target"]["name"] == "counterpart"
        };
        let artifact = messages.rfind(is_library).expect("cargo builds the library");
        let files = artifact["filenames"].as_array().unwrap().iter().filter_map(Value::as_str);
        files.map(PathBuf::from).find(|file| file.extension().is_some_and(|e| e == "rlib")).expect("an rlib")
    })
}
