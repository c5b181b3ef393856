//! Pages that explain a kind of fault: their examples give what the pages say, word for word.
//!
//! `BLESS=1 cargo test --test cli explain` writes the reports into the pages.

use std::fs;
use std::path::Path;

use super::{end, start};

#[test]
fn examples_give_what_the_pages_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli_explain");
    fs::create_dir_all(&folder).unwrap();
    let call = |args: &[&str]| end(start(&folder, args, b""), "explain");
    for kind in ["peer", "batch", "mismatch", "unmatched", "deadlock", "dataflow", "coverage", "memory"] {
        let page = String::from_utf8(call(&["check", "--explain", kind]).stdout).unwrap();
        assert!(page.starts_with(&format!("{kind}: ")), "{page}");
        let (text, rest) = page.split_once(&format!("Example, {kind}.rs:\n\n")).unwrap();
        let (example, rest) = rest.split_once(&format!("\n`counterpart check {kind}.rs` says\n\n")).unwrap();
        let (says, mends) = rest.split_once("What mends it:").unwrap();
        let file = format!("{kind}.rs");
        fs::write(folder.join(&file), example.replace("\n    ", "\n").trim_start()).unwrap();
        let output = call(&["check", &file]);
        assert_eq!(output.status.code(), Some(1), "{kind}");
        let report = String::from_utf8(output.stdout).unwrap();
        let (report, _) = report.split_once("for more about this kind: ").unwrap();
        assert!(report.starts_with(&format!("error: {kind}: ")), "{report}");
        let indented: String =
            report.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n").collect();
        if std::env::var_os("BLESS").is_some() {
            let page = format!(
                "{text}Example, {file}:\n\n{example}\n`counterpart check {file}` says\n\n{indented}\nWhat mends it:{mends}"
            );
            fs::write(root.join(format!("src/bin/counterpart/check/explain/{kind}.txt")), page).unwrap();
        } else {
            assert_eq!(says, format!("{indented}\n"), "BLESS=1 writes it into the page");
        }
    }
}
