//! Every message, as a person reads it: `messages.txt` holds the schedules and what is said of them.
//!
//! `BLESS=1 cargo test -p counterpart-core --test messages` writes the file anew.

use std::fmt::Write;
use std::path::PathBuf;

use counterpart_core::{BatchRule, Channel, DType, Model};
use counterpart_testkit::{Comm, Domain, Step, World, agreement};

/// A schedule that shows one detail.
struct Sample {
    /// The detail of the verifier, and what is special about this sample.
    title: &'static str,
    model: Model,
    world: World,
}

fn sample(title: &'static str, programs: Vec<Vec<Step>>) -> Sample {
    Sample { title, model: Model::PORTABLE, world: World::new(programs) }
}

fn send(label: &str, peer: i32) -> Step {
    Step::send(label, peer)
}

fn recv(label: &str, peer: i32) -> Step {
    Step::recv(label, peer)
}

fn batch(items: Vec<Step>) -> Step {
    Step::Batch(items.iter().flat_map(Step::comms).cloned().collect())
}

fn known(step: Step, dtype: DType, count: u64) -> Step {
    match step {
        Step::Single(comm) => Step::Single(Comm { payload: Some((dtype, count)), ..comm }),
        other => other,
    }
}

fn compute(name: &str, reads: &[&str], writes: &[&str]) -> Step {
    Step::compute(name, reads, writes)
}

fn after(step: Step, name: &str) -> Step {
    match step {
        Step::Compute(mut compute) => {
            compute.after.push(name.to_owned());
            Step::Compute(compute)
        }
        other => other,
    }
}

fn covered(mut sample: Sample, name: &str, to: u64) -> Sample {
    sample.world.domains.push(Domain { name: name.to_owned(), ranges: std::iter::once(0..to).collect() });
    sample
}

fn under(mut sample: Sample, channel: Channel, batch: BatchRule) -> Sample {
    sample.model = Model::new(channel, batch).expect("one of the nine models");
    sample
}

fn peers_and_matching() -> Vec<Sample> {
    vec![
        sample("PeerOutside", vec![vec![send("a", 2)], vec![]]),
        sample("PeerOutside: below zero", vec![vec![recv("a", -1)]]),
        sample("PeerSelf", vec![vec![], vec![send("a", 1)]]),
        sample("SendWithoutRecv", vec![vec![send("Act[1,0]", 1)], vec![]]),
        sample("RecvWithoutSend", vec![vec![], vec![batch(vec![recv("Act[1,0]", 0)])]]),
        sample("OtherValue: swapped receives", {
            vec![vec![send("a", 1), send("b", 1)], vec![recv("b", 0), recv("a", 0)]]
        }),
        under(
            sample("OtherValue: swapped in a batch", {
                vec![
                    vec![batch(vec![send("a", 1), send("b", 1)])],
                    vec![batch(vec![recv("b", 0), recv("a", 0)])],
                ]
            }),
            Channel::Blocking,
            BatchRule::Item,
        ),
        sample("OtherValue: a receive is missing", {
            vec![vec![send("a", 1), send("b", 1)], vec![recv("b", 0)]]
        }),
        sample("OtherValue: a send is missing", {
            vec![vec![send("b", 1)], vec![recv("a", 0), recv("b", 0)]]
        }),
        sample("OtherValue: nothing fits", vec![vec![send("a", 1)], vec![recv("b", 0)]]),
        sample("OtherPayload", {
            vec![vec![known(send("a", 1), DType::F32, 2048)], vec![known(recv("a", 0), DType::Bf16, 2048)]]
        }),
        sample("OtherPayload: first of two differing edges", {
            vec![
                vec![known(send("a", 1), DType::F32, 3), known(send("a", 1), DType::F32, 3)],
                vec![known(recv("a", 0), DType::F32, 4), known(recv("a", 0), DType::F32, 4)],
            ]
        }),
        sample(
            "RecvWithoutSend: the send names another rank",
            vec![vec![], vec![recv("a[1]", 2)], vec![send("a[1]", 0)]],
        ),
        sample(
            "SendWithoutRecv: the receive names another rank",
            vec![vec![send("a[1]", 2)], vec![], vec![recv("a[1]", 1)]],
        ),
        sample("OtherValue: off by one in every turn", {
            vec![
                vec![send("a[0]", 1), send("a[1]", 1), send("a[2]", 1)],
                vec![recv("a[1]", 0), recv("a[2]", 0), recv("a[3]", 0)],
            ]
        }),
    ]
}

fn batches() -> Vec<Sample> {
    vec![
        sample("TwoBlocks", {
            vec![
                vec![batch(vec![send("a", 1), recv("c", 1), send("b", 1)])],
                vec![batch(vec![recv("a", 0), recv("b", 0), send("c", 0)])],
            ]
        }),
        sample("Unbalanced", {
            vec![vec![batch(vec![send("a", 1), recv("b", 1)])], vec![recv("a", 0), send("b", 0)]]
        }),
    ]
}

fn deadlocks() -> Vec<Sample> {
    let ring = |ranks: i32, first: fn(i32, i32) -> Step, second: fn(i32, i32) -> Step| {
        (0..ranks).map(|r| vec![first(r, ranks), second(r, ranks)]).collect::<Vec<_>>()
    };
    let to_next = |r: i32, ranks: i32| send("a", (r + 1) % ranks);
    let from_last = |r: i32, ranks: i32| recv("a", (r + ranks - 1) % ranks);
    let singles = |r: i32, ranks: i32| batch(vec![recv("a", (r + ranks - 1) % ranks)]);
    vec![
        sample("Cycle: all send first", ring(3, to_next, from_last)),
        sample("Cycle: all receive first", ring(2, from_last, to_next)),
        sample("Cycle: a long ring", ring(9, to_next, from_last)),
        sample("Cycle: batches of one", ring(2, singles, to_next)),
        sample("Cycle: one order here, another there", {
            vec![vec![send("a", 1), recv("b", 1)], vec![send("b", 0), recv("a", 0)]]
        }),
        sample("Cycle: crossed sends", {
            vec![
                vec![send("a", 1), send("b", 2)],
                vec![recv("c", 2), recv("a", 0)],
                vec![recv("b", 0), send("c", 1)],
            ]
        }),
        under(
            sample("Cycle: through compute order", {
                vec![
                    vec![recv("b", 1), compute("f", &["b"], &[]), send("a", 1)],
                    vec![recv("a", 0), compute("g", &["a"], &[]), send("b", 0)],
                ]
            }),
            Channel::Eager,
            BatchRule::Item,
        ),
        sample("Cycle: two steps in one gang", {
            vec![
                vec![batch(vec![send("a", 1), send("b", 2)])],
                vec![recv("a", 0), send("c", 2)],
                vec![batch(vec![recv("b", 0), recv("c", 1)])],
            ]
        }),
    ]
}

fn dataflow() -> Vec<Sample> {
    let writes = || compute("f", &[], &["a"]);
    vec![
        sample(
            "SentTooSoon",
            vec![vec![send("a", 1), writes()], vec![recv("a", 0), compute("g", &["a"], &[])]],
        ),
        sample("SentTooSoon: received in the same batch", {
            let there = |peer| vec![writes(), batch(vec![send("a", peer), recv("b", peer)])];
            vec![
                [there(1), vec![compute("g", &["b"], &[])]].concat(),
                vec![batch(vec![recv("a", 0), send("b", 0), send("a", 2)]), compute("h", &["a"], &["b"])],
                vec![recv("a", 1), compute("k", &["a"], &[])],
            ]
        }),
        sample("SentTooSoon: never there", {
            vec![vec![writes(), send("b", 1)], vec![recv("b", 0), compute("g", &["b"], &[])]]
        }),
        sample("ReadTooSoon", vec![vec![compute("g", &["a"], &[]), writes()]]),
        sample("ReadTooSoon: received later", {
            vec![vec![writes(), send("a", 1)], vec![compute("g", &["a"], &[]), recv("a", 0)]]
        }),
        sample("ReadTooSoon: never there", vec![vec![writes(), compute("g", &["b"], &[])]]),
        sample("ReadTooSoon: its own", vec![vec![compute("g", &["b"], &["b"])]]),
        sample("WrittenTwice", vec![vec![writes()], vec![writes()]]),
        sample("WrittenTwice: received before", {
            vec![vec![compute("g", &[], &["b"]), send("_", 1)], vec![recv("a", 0), writes()]]
        }),
        sample("ReceivedTwice", {
            vec![
                vec![writes(), send("a", 1), send("a", 1)],
                vec![recv("a", 0), recv("a", 0), compute("g", &["a"], &[])],
            ]
        }),
        sample("Unused", vec![vec![writes(), send("a", 1)], vec![recv("a", 0)]]),
        sample("AfterMissing", {
            vec![vec![writes(), after(compute("g", &[], &[]), "h"), compute("h", &[], &[])]]
        }),
        sample(
            "AfterMissing: on another rank",
            vec![vec![writes()], vec![after(compute("g", &[], &[]), "f")]],
        ),
        sample("AfterMissing: nowhere", vec![vec![writes(), after(compute("g", &[], &[]), "h")]]),
    ]
}

fn coverage() -> Vec<Sample> {
    let runs = |names: &[&str]| vec![names.iter().map(|name| compute(name, &[], &[])).collect()];
    vec![
        covered(sample("Missing", runs(&["f[0]", "f[1]"])), "f", 3),
        covered(sample("Missing: two", runs(&["f[1]"])), "f", 3),
        covered(sample("Missing: many", runs(&[])), "f", 1000),
        covered(sample("Repeated", runs(&["f[0]", "f[0]"])), "f", 1),
        covered(sample("OutsideDomain", runs(&["f[0]", "f[1]"])), "f", 1),
    ]
}

fn samples() -> Vec<Sample> {
    let all = [peers_and_matching(), batches(), deadlocks(), dataflow(), coverage()];
    all.into_iter().flatten().collect()
}

#[test]
fn every_message_reads_well() {
    let mut text = String::new();
    for Sample { title, model, world } in samples() {
        if let Err(why) = agreement::check(&world) {
            panic!("{title}: {why}");
        }
        let verdict = world.to_plan().verify(model);
        assert!(!verdict.is_safe(), "{title} is safe:\n{world}");
        writeln!(text, "== {title}\n{world}\n{verdict}\n").expect("text");
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/messages.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).expect("tests/messages.txt can be written");
    }
    let golden = std::fs::read_to_string(&path).expect("tests/messages.txt");
    let line = golden.lines().zip(text.lines()).take_while(|(a, b)| a == b).count() + 1;
    assert!(
        golden == text,
        "tests/messages.txt differs from line {line} on; BLESS=1 writes it anew:\n{text}"
    );
}

#[test]
fn every_detail_has_a_sample() {
    let source = include_str!("../src/verify/findings.rs");
    let (_, rest) = source.split_once("enum Detail {").expect("the details");
    let (variants, _) = rest.split_once('}').expect("their end");
    let mut variants: Vec<&str> = variants.split(',').map(str::trim).filter(|v| !v.is_empty()).collect();
    let mut shown: Vec<&str> =
        samples().iter().map(|s| s.title.split(':').next().unwrap_or(s.title)).collect();
    variants.sort_unstable();
    shown.sort_unstable();
    shown.dedup();
    assert_eq!(shown, variants);
}
