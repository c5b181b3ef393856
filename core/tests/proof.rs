//! The proof that rustc runs, and the verifier: one verdict, one text.

use std::panic::{catch_unwind, set_hook};

use counterpart_core::node::{Affine, Comm, Comms, Domains, Label, Node, Ranks, Uses};
use counterpart_core::prove::{Subject, prove};
use counterpart_core::tape::{Domain, Role};
use counterpart_core::{DType, Model, Payload};
use counterpart_testkit::{World, mutants, random, reflected, schedules};

/// Does the proof say what the verifier says?
fn compare(world: &World, edit: &str) -> usize {
    let plan = world.to_plan();
    let mut compared = 0;
    for model in Model::ALL {
        let Some(subject) = reflected::subject(world, model) else { continue };
        let verdict = plan.verify(model);
        let panicked = catch_unwind(|| prove(&subject)).err();
        let text = panicked.map(|payload| *payload.downcast::<String>().expect("a text"));
        // A family of session types has one payload. What the verifier accepts beyond that is refused after all else.
        let text = text.filter(|text| !text.starts_with("two families of messages"));
        let expected = verdict.faults.first().map(|fault| {
            let more = match verdict.faults.len() + verdict.more - 1 {
                0 => String::new(),
                1 => "\nand 1 fault more".to_owned(),
                n => format!("\nand {n} faults more"),
            };
            format!("schedule `world` is unsafe under {model}\n{fault}{more}")
        });
        assert!(text == expected, "{edit}\n{world}\nthe proof:    {text:?}\nthe verifier: {expected:?}");
        compared += 1;
    }
    compared
}

#[test]
fn proof_and_verifier_say_the_same() {
    set_hook(Box::new(|info| {
        let text = info.payload_as_str().unwrap_or_default();
        if !text.starts_with("schedule `world`") && !text.starts_with("two families of messages") {
            eprintln!("{info}");
        }
    }));
    let mut compared = 0;
    for seed in 0..300 {
        compared += compare(&random::safe(seed, 4 + seed as usize % 30), "as it was made");
    }
    for world in [random::safe(3, 8), World::from_plan(&schedules::one_f1b(3, 3))] {
        mutants::each(&world, &mut |edit, mutant| compared += compare(mutant, edit));
    }
    assert!(compared > 10_000, "{compared}");
}

/// Two ranks, one value per turn of a loop, proven while this file is compiled.
const _: () = {
    const fn at(stride: i64) -> [Affine; 1] {
        [Affine { base: 0, strides: [stride, 0, 0, 0] }]
    }
    const INDEX: [Affine; 1] = at(1);
    const ACT: Label = Label { name: "Act", indices: &INDEX };
    const MAKE: Label = Label { name: "make", indices: &INDEX };
    const USE: Label = Label { name: "use", indices: &INDEX };
    const PAYLOAD: Payload = Payload::new(DType::F32, 64);
    const WRITES: Uses = Uses::Cons(Role::Write, ACT, PAYLOAD, &Uses::Nil);
    const READS: Uses = Uses::Cons(Role::Read, ACT, PAYLOAD, &Uses::Nil);
    const SEND: Comm = Comm { send: true, peer: 1, label: ACT, payload: PAYLOAD };
    const RECV: Comm = Comm { send: false, peer: 0, ..SEND };
    const FIRST: Node = Node::Compute(MAKE, &WRITES, &Node::Single(SEND, &Node::End));
    const SECOND: Node =
        Node::Batch(&Comms::Cons(RECV, &Comms::Nil), &Node::Compute(USE, &READS, &Node::End));
    const RANKS: Ranks = Ranks::Cons(
        0,
        &Node::Repeat(8, &FIRST, &Node::End),
        &Ranks::Cons(1, &Node::Repeat(8, &SECOND, &Node::End), &Ranks::Nil),
    );
    const DOMAIN: Domain = Domain { family: 0, arity: 1, from: [0; 4], to: [8, 0, 0, 0] };
    const DOMAINS: Domains = Domains::Cons("make", DOMAIN, &Domains::Cons("use", DOMAIN, &Domains::Nil));
    let mut m = 0;
    while m < Model::ALL.len() {
        prove(&Subject { name: "turns", model: Model::ALL[m], ranks: &RANKS, domains: &DOMAINS });
        m += 1;
    }
};
