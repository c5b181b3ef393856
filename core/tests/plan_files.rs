//! Plan files: what is written reads back the same, and what is wrong is told with its place.
//!
//! `plan_errors.txt` holds wrong files and their errors; `BLESS=1 cargo test -p counterpart-core --features serde --test
//! plan_files` writes it anew.
#![cfg(feature = "serde")]

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use counterpart_core::dtype::{DType, Payload};
use counterpart_core::plan::{Comm, Plan};
use counterpart_core::tape::{NONE, Role};
use counterpart_testkit::{World, random, schedules};

/// The plan of the format's description, with all that a plan file may hold.
const EXAMPLE: &str = r#"{"format": "counterpart-plan", "version": 1, "name": "example",
 "messages": {
  "Act[1,0]": {"dtype": "f32", "count": 2048}},
 "domains": {
  "forward": [[0, 2], [0, 1]]},
 "ranks": [
  [
   {"compute": "forward[0,0]", "writes": ["Act[1,0]"]},
   {"send": "Act[1,0]", "to": 1}],
  [
   {"batch": [{"recv": "Act[1,0]", "from": 0}]},
   {"compute": "forward[1,0]", "reads": ["Act[1,0]"], "after": ["forward[0,0]"]}],
  []]}
"#;

fn reads_back(plan: &Plan) {
    let text = plan.to_json();
    let read = Plan::from_json(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    assert_eq!(World::from_plan(&read), World::from_plan(plan), "{text}");
    assert_eq!(read.name, plan.name);
    assert_eq!(read.to_json(), text);
}

#[test]
fn the_text_is_stable() {
    assert_eq!(Plan::from_json(EXAMPLE).expect("a plan").to_json(), EXAMPLE);
}

#[test]
fn random_plans_read_back() {
    for seed in 0..300 {
        reads_back(&random::safe(seed, 3 + seed as usize % 30).to_plan());
    }
}

#[test]
fn schedules_read_back() {
    for plan in [
        schedules::one_f1b(4, 8),
        schedules::gpipe(3, 4),
        schedules::interleaved(2, 2, 4),
        schedules::ring(4),
        Plan::new("empty"),
    ] {
        reads_back(&plan);
    }
}

#[test]
fn odd_labels_and_payloads_read_back() {
    let mut plan = Plan::new("a \"name\"\nof two lines \u{1F980}");
    let labels =
        ["_", "", "[3]", "a[01]", "a[1", "\"", "\\", "é[1]", "a b", "a[1,2,3,4,5]", "tab\t", "a[16777215]"];
    let values: Vec<_> = labels.iter().map(|label| plan.value(label)).collect();
    let payloads =
        [Payload::UNKNOWN, Payload::new(DType::U8, 0), Payload::new(DType::F64, Payload::MAX_COUNT)];
    plan.begin_rank();
    for (k, &value) in values.iter().enumerate() {
        // One payload, two payloads, and one that not all items declare.
        plan.single(Comm::send(value, i32::MAX).with(payloads[k % 3]));
        plan.batch(&[Comm::recv(value, i32::MIN).with(payloads[k % 2]), Comm::send(value, -1)], NONE);
        plan.compute(value, &[(Role::Read, value), (Role::Write, value), (Role::After, value)], NONE);
    }
    plan.batch(&[], NONE);
    for dtype in DType::ALL {
        plan.single(Comm::recv(values[0], 0).with(Payload::new(*dtype, 7)));
    }
    plan.declare("f", &[]);
    plan.declare("f", &[0..1, 2..2, 3..1 << 24]);
    reads_back(&plan);
}

#[test]
fn an_item_overrides_the_table() {
    let text = r#"{"name": "x", "version": 1, "ranks": [[{"count": 3, "to": 1, "send": "a", "dtype": "i8"}, {"send": "a", "to": 1},
        {"send": "b", "to": 1}]], "messages": {"a": {"count": 4, "dtype": "u16"}, "c": {"dtype": "f16", "count": 1}},
        "format": "counterpart-plan"}"#;
    let plan = Plan::from_json(text).expect("a plan");
    let payloads: Vec<Payload> =
        plan.steps(0).iter().flat_map(|step| plan.items(step)).map(|item| item.payload).collect();
    assert_eq!(payloads, [Payload::new(DType::I8, 3), Payload::new(DType::U16, 4), Payload::UNKNOWN]);
    reads_back(&plan);
}

/// The payload of a value that no rank sends, for the buffer that it needs.
#[test]
fn what_stays_at_home_has_a_payload_too() {
    let mut plan = Plan::new("home");
    let (f, home, away) = (plan.value("f"), plan.value("Act[0]"), plan.value("Act[1]"));
    plan.set_payload(home.family(), Payload::new(DType::F32, 12));
    plan.begin_rank();
    plan.compute(f, &[(Role::Write, home), (Role::Read, home), (Role::Write, away)], NONE);
    plan.single(Comm::send(away, 1));
    reads_back(&plan);
    let mut read = Plan::from_json(&plan.to_json()).expect("a plan");
    let family = read.family("Act", 1);
    assert_eq!(read.family_payload(family), Payload::new(DType::F32, 12));
    assert_eq!(read.items(&read.steps(0)[1])[0].payload, Payload::UNKNOWN);
}

#[test]
fn ranks_are_limited() {
    let file = |ranks: usize| {
        let ranks = vec!["[]"; ranks].join(",");
        Plan::from_json(&format!(
            r#"{{"format": "counterpart-plan", "version": 1, "name": "x", "ranks": [{ranks}]}}"#
        ))
    };
    assert_eq!(file(65_535).expect("a plan").ranks(), 65_535);
    assert_eq!(file(65_536).expect_err("too many").message, "too many ranks, expected at most 65535");
}

#[test]
fn errors_are_told_with_their_place() {
    let head = r#""format": "counterpart-plan", "version": 1, "name": "x""#;
    let whole = [
        "",
        "{",
        "null",
        "[]",
        r#"{"format": "counterpart-plan"}"#,
        r#"{"format": "counterpart-plan", "version": 1}"#,
        r#"{"format": "counterpart-plan", "version": 1, "name": "x"}"#,
        r#"{"format": "counterpart-plan", "version": 2}"#,
        r#"{"format": "counterpart-plan", "version": "1"}"#,
        r#"{"format": "other-plan"}"#,
        r#"{"format": "counterpart-plan", "format": "counterpart-plan"}"#,
        r#"{"name": 3}"#,
        r#"{"title": "x"}"#,
        "{\"name\": \"x\n\"}",
    ];
    let parts = [
        r#""ranks": 3"#,
        r#""ranks": [], "ranks": []"#,
        r#""ranks": [[], {}]"#,
        r#""ranks": [], "domain": {}"#,
        r#""messages": {"a": {"dtype": "f32"}}"#,
        r#""messages": {"a": {}}"#,
        r#""messages": {"a": {"dtype": "f32", "count": 1, "shape": [1]}}"#,
        r#""messages": {"a": {"dtype": "f32", "count": 1}, "a": {"dtype": "f32", "count": 1}}"#,
        r#""messages": {"a": ["f32", 1]}"#,
        r#""messages": []"#,
        r#""domains": {"f": [[0]]}"#,
        r#""domains": {"f": [[0, 1, 2]]}"#,
        r#""domains": {"f": [[2, 1]]}"#,
        r#""domains": {"f": [[0, 16777217]]}"#,
        r#""domains": {"f": [[0, 1], [0, 1], [0, 1], [0, 1], [0, 1]]}"#,
        r#""domains": {"f[0]": []}"#,
        r#""domains": {"f": [], "f": []}"#,
        r#""domains": {"f": 3}"#,
    ];
    let steps = [
        "{}",
        "[]",
        "3",
        r#"{"send": "a"}"#,
        r#"{"recv": "a"}"#,
        r#"{"to": 1}"#,
        r#"{"send": "a", "recv": "a", "to": 1, "from": 1}"#,
        r#"{"send": "a", "from": 1}"#,
        r#"{"send": "a", "to": 1, "from": 1}"#,
        r#"{"send": "a", "to": 1, "send": "b"}"#,
        r#"{"send": "a", "to": 1, "tag": 3}"#,
        r#"{"send": 3, "to": 1}"#,
        r#"{"send": "a", "to": "1"}"#,
        r#"{"send": "a", "to": 1.5}"#,
        r#"{"send": "a", "to": 2147483648}"#,
        r#"{"recv": "a", "from": -2147483649}"#,
        r#"{"send": "a", "to": 18446744073709551615}"#,
        r#"{"send": "a", "to": 1, "dtype": "float32", "count": 1}"#,
        r#"{"send": "a", "to": 1, "dtype": "f32"}"#,
        r#"{"send": "a", "to": 1, "count": 1}"#,
        r#"{"send": "a", "to": 1, "dtype": "f32", "count": -1}"#,
        r#"{"send": "a", "to": 1, "dtype": "f32", "count": 72057594037927936}"#,
        r#"{"batch": 3}"#,
        r#"{"batch": [{}]}"#,
        r#"{"batch": [{"compute": "f"}]}"#,
        r#"{"batch": [], "to": 1}"#,
        r#"{"batch": [], "compute": "f"}"#,
        r#"{"compute": "f", "dtype": "f32", "count": 1}"#,
        r#"{"compute": "f", "reads": "a"}"#,
        r#"{"compute": "f", "reads": [1]}"#,
        r#"{"compute": "f", "before": []}"#,
        r#"{"reads": ["a"]}"#,
        r#"{"send": "a", "to": 1,}"#,
    ];
    let files = whole
        .into_iter()
        .map(str::to_owned)
        .chain(parts.into_iter().map(|part| format!("{{{head},\n {part}}}")))
        .chain(steps.into_iter().map(|step| format!("{{{head}, \"ranks\": [\n [\n  {step}]]}}")))
        .chain([format!("{{{head}, \"ranks\": []}} {{}}")]);
    let mut text = String::new();
    for file in files {
        let error = Plan::from_json(&file).expect_err(&file);
        assert!(error.line >= 1 && error.column >= 1, "{error:?}");
        writeln!(text, "{file}\n    {error}\n").expect("text");
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/plan_errors.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).expect("tests/plan_errors.txt can be written");
    }
    let golden = std::fs::read_to_string(&path).expect("tests/plan_errors.txt");
    let line = golden.lines().zip(text.lines()).take_while(|(a, b)| a == b).count() + 1;
    assert!(
        golden == text,
        "tests/plan_errors.txt differs from line {line} on; BLESS=1 writes it anew:\n{text}"
    );
}

/// Any damage to a plan file is an error or another plan, never a panic.
#[test]
fn damaged_files_are_refused_quietly() {
    for cut in (0..EXAMPLE.len()).filter(|&cut| EXAMPLE.is_char_boundary(cut)) {
        let shorter = Plan::from_json(&EXAMPLE[..cut]);
        assert!(shorter.is_err() || EXAMPLE[cut..].trim().is_empty());
        for wrong in ["", "9", "}", "]", "\"", "\\", "null", "-1"] {
            let damaged = format!("{}{wrong}{}", &EXAMPLE[..cut], EXAMPLE[cut..].get(1..).unwrap_or(""));
            if let Ok(plan) = Plan::from_json(&damaged) {
                reads_back(&plan);
            }
        }
    }
}

#[test]
fn what_overlaps_is_one_step() {
    let text = r#"{"format": "counterpart-plan", "version": 1, "name": "overlap", "ranks": [
  [{"compute": ["F[0,1]", "B[7,3]"], "reads": ["a"]}, {"compute": ["G"]}]]}"#;
    let plan = Plan::from_json(text).unwrap();
    let names: Vec<String> = plan.compute_names(&plan.steps(0)[0]).map(|name| plan.label(name)).collect();
    assert_eq!(names, ["F[0,1]", "B[7,3]"]);
    assert_eq!(plan.describe(0, 0).unwrap(), "rank 0, step 0: `F[0,1] + B[7,3]`");
    let written = plan.to_json();
    assert!(written.contains(r#"{"compute": ["F[0,1]", "B[7,3]"], "reads": ["a"]}"#), "{written}");
    assert!(written.contains(r#"{"compute": "G"}"#), "{written}");
    assert_eq!(Plan::from_json(&written).unwrap().to_json(), written);
}

#[test]
fn steps_know_their_places() {
    let text = "{\"format\": \"counterpart-plan\", \"version\": 1, \"name\": \"ä\", \"ranks\": [\n\
                \x20 [{\"send\": \"é\", \"to\": 1}, {\"compute\": \"f\"}],\n\
                [\n  {\"batch\": [{\"recv\": \"é\",\n \"from\": 0}]}]]}";
    let plan = Plan::from_json_in("p.json", text).unwrap();
    let place = |rank, step| {
        let source = plan.step_source(rank, step).unwrap();
        (&*source.file, source.line, source.column)
    };
    assert_eq!(place(0, 0), ("p.json", 2, 4));
    assert_eq!(place(0, 1), ("p.json", 2, 28));
    assert_eq!(place(1, 0), ("p.json", 4, 3));
    assert_eq!(plan.source_number(1, 0, Some(0)), plan.source_number(1, 0, None));
}

#[test]
fn columns_of_errors_are_characters() {
    let text = "{\"format\": \"counterpart-plan\", \"version\": 1, \"name\": \"ä\", \"ranks\": [\n \
                [{\"send\": \"éé\", \"to\": 1}, {\"send\": \"é\", \"too\": 1}]]}";
    let error = Plan::from_json(text).unwrap_err();
    assert_eq!((error.line, error.column), (2, 46), "{error}");
    let error = Plan::from_json("{\"name\": \"ää\", \"ranks\": 7}").unwrap_err();
    assert_eq!((error.line, error.column), (1, 25), "{error}");
}

#[test]
fn files_are_read_from_disk() {
    let folder = std::env::temp_dir().join(format!("counterpart-plan-files-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("plan.json");
    let missing = Plan::read(&path).unwrap_err().to_string();
    assert!(missing.starts_with(&path.display().to_string()), "{missing}");
    fs::write(&path, schedules::ring(3).to_json()).unwrap();
    assert_eq!(Plan::read(&path).unwrap().ranks(), 3);
    fs::write(&path, "{}").unwrap();
    let wrong = Plan::read(&path).unwrap_err().to_string();
    assert!(wrong.ends_with("plan.json: line 1, column 2: missing field `format`"), "{wrong}");
    fs::remove_dir_all(&folder).unwrap();
}
