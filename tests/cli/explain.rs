//! Pages that explain a kind of fault: their examples have it.

use super::counterpart;

#[test]
fn examples_give_what_the_pages_say() {
    for kind in ["peer", "batch", "mismatch", "unmatched", "deadlock", "dataflow", "coverage", "memory"] {
        let page = counterpart(&["check", "--explain", kind], b"").stdout;
        let page = String::from_utf8(page).unwrap();
        assert!(page.starts_with(&format!("{kind}: ")), "{page}");
        let (_, rest) = page.split_once("Example:\n").unwrap();
        let (example, rest) = rest.split_once("which gives\n").unwrap();
        let (gives, mends) = rest.split_once("What mends it:").unwrap();
        assert!(!mends.trim().is_empty());
        let program = format!("counterpart::schedule! {{ {example} }}");
        let output = counterpart(&["check", "-", "--from", "source"], program.as_bytes());
        assert_eq!(output.status.code(), Some(1), "{program}");
        let report = String::from_utf8(output.stdout).unwrap();
        assert!(report.contains(gives.trim()), "{kind}: the page says\n{gives}\nthe command\n{report}");
    }
}
