//! What is said of a table that is none: `errors.txt` holds the tables and the errors.
//!
//! `BLESS=1 cargo test --test table` writes the file anew.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use counterpart::table::{Notation, Placement, Table, TableError};

/// A table that is none: what is wrong, its text, how it is read.
struct Sample {
    title: &'static str,
    text: &'static str,
    notation: Notation,
    placement: Option<Placement>,
}

const fn cell(title: &'static str, text: &'static str) -> Sample {
    Sample { title, text, notation: Notation::Current, placement: None }
}

const fn older(title: &'static str, text: &'static str) -> Sample {
    Sample { title, text, notation: Notation::Older, placement: None }
}

const fn placed(title: &'static str, placement: Placement, text: &'static str) -> Sample {
    Sample { title, text, notation: Notation::Current, placement: Some(placement) }
}

const SAMPLES: &[Sample] = &[
    cell("something follows", "0F0,0F1xyz\n"),
    cell("something follows a send", "0F0,0SEND_F0_junk\n"),
    cell("something follows what overlaps", "0F0,(0F1;0B0)OVERLAP_F_B7\n"),
    cell("two actions in one cell", "0F0 0F1\n"),
    cell("no micro-batch", "0F0,0B\n"),
    cell("a micro-batch too many", "0F0\n1F0,1UNSHARD5\n"),
    cell("no stage", "F0\n"),
    cell("a negative stage", "-1F0\n"),
    cell("no kind", "0F0,12\n"),
    cell("an unknown kind", "0F0,0X0\n"),
    cell("a lower-case kind", "0f0\n"),
    cell("a kind that only the letters are of", "0FB0\n"),
    cell("other digits", "0F٣\n"),
    cell("a large stage", "16777215F0\n"),
    cell("a large micro-batch", "0F16777215\n"),
    cell("a number that no machine has", "0F99999999999999999999999999\n"),
    cell("a member is missing", "(0F1;)OVERLAP_F_B\n"),
    cell("one member", "(0F1)OVERLAP_F_B\n"),
    cell("two forwards", "(0F1;1F2)OVERLAP_F_B\n"),
    cell("a half that does not overlap", "(0F1;1W2)OVERLAP_F_B\n"),
    cell("a send that does not overlap", "(0F1;1SEND_F2)OVERLAP_F_B\n"),
    cell("no members", "()OVERLAP_F_B\n"),
    cell("nested", "((0F1;1B2)OVERLAP_F_B;1B3)OVERLAP_F_B\n"),
    cell("an open bracket", "(0F1;1B2\n"),
    cell("an unknown way to overlap", "(0F1;1B2)OVERLAP_B_W\n"),
    cell("a bad member", "(0F1;1B)OVERLAP_F_B\n"),
    cell("a quoted cell on a second line", "0F0,\"0F1\n\",\"0F2?\"\n"),
    cell("after CRLF and a blank line", "0F0\r\n\r\n1F0,1Q0\r\n"),
    cell("a quote that does not end", "0F0,\"0F1,0F2\n1F0\n"),
    cell("control characters", "0F0,0F\u{7}\t0\n"),
    cell("a long cell", "0F0,0F0000000000000000000000000000000000000000000000000000000000000000000001x\n"),
    cell("a header", "Rank 0,Rank 1\n0F0,1F0\n"),
    cell("another separator", "0F0;0F1\n"),
    cell("a plan file", "{\"format\": \"counterpart-plan\"}\n"),
    cell("nothing", ""),
    cell("nothing but idle steps", ",,\n\n"),
    cell("the older word", "0F0,0BW0\n"),
    older("the current word", "0F0,0I0\n"),
    older("an unknown kind in the older notation", "0F0,0X0\n"),
    older("two forwards in the older notation", "(0F1;1F2)OVERLAP_F_B\n"),
    older("a send and a receive in one cell", "0F0,0SEND_F0_0RECV_B0\n"),
    cell("a stage on two rows", "0F0,0F1\n1F0,0B0\n"),
    cell("a stage on no row", "0F0\n2F0\n"),
    cell("a stage that only receives", "0F0,0SEND_F0\n1RECV_F0\n"),
    cell("sharding on another row", "0F0,1UNSHARD\n1F0\n"),
    cell("a send on another row", "0F0\n1F0,0SEND_F0\n"),
    cell("a send from the last stage", "0F0,0SEND_F0\n1RECV_F0,1F0,1SEND_F0\n"),
    cell("a receive by the first stage", "0RECV_F0,0F0\n1F0\n"),
    cell("gradients from the first stage", "0F0,0B0,0SEND_B0\n1F0,1B0\n"),
    cell("gradients to the last stage", "0F0\n1F0,1RECV_B0,1B0\n"),
    placed("not in a loop", Placement::Loop, "0F0,3F0\n1F0,2F0\n"),
    placed("not a V", Placement::V, "0F0,2F0\n1F0,3F0\n"),
    placed("not two chains", Placement::Bidirectional, "0F0\n1F0\n"),
    placed("two chains in the same direction", Placement::Bidirectional, "0F0,2F0\n1F0,3F0\n"),
    placed(
        "a send from chain to chain",
        Placement::Bidirectional,
        "0F0,0SEND_F0,3F0\n1RECV_F0,1F0,1SEND_F0,2F0,2SEND_F0\n",
    ),
];

fn error(sample: &Sample) -> TableError {
    let table = Table::parse("bad.csv", sample.text, sample.notation);
    match table.and_then(|table| table.to_plan("bad", sample.placement)) {
        Err(error) => error,
        Ok(plan) => panic!("{}: a plan of {} steps", sample.title, plan.len()),
    }
}

#[test]
fn errors_read_as_before() {
    let mut found = String::new();
    for sample in SAMPLES {
        let error = error(sample);
        let text = sample.text.escape_debug().to_string().replace("\\n", "\n").replace("\\\"", "\"");
        writeln!(found, "== {}\n{}\n{error}", sample.title, text.trim_end()).unwrap();
        if let Some(help) = &error.help {
            writeln!(found, "help: {help}").unwrap();
        }
        writeln!(found, "(line {}, from {}, {} long)\n", error.line, error.at, error.len).unwrap();
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/table/errors.txt");
    if env::var_os("BLESS").is_some() {
        fs::write(&file, &found).unwrap();
    }
    assert_eq!(found, fs::read_to_string(&file).unwrap_or_default());
}

#[test]
fn errors_point_at_their_cells() {
    for sample in SAMPLES {
        let error = error(sample);
        let lines: Vec<&str> = sample.text.split('\n').collect();
        let line = lines.get(error.line - 1).unwrap_or_else(|| panic!("{}: {error}", sample.title));
        let length = line.chars().count();
        assert!(error.at >= 1 && error.at <= length.max(1), "{}: {error}", sample.title);
    }
}
