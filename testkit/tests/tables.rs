//! The compute orders: complete, possible, and equal where two ways lead to one.

use std::collections::{HashMap, HashSet};

use counterpart_core::Model;
use counterpart_testkit::tables::{self, Order, Pass, Placement};

/// What has to be done before a pass.
fn before(order: &Order, pass: Pass) -> Option<(char, usize)> {
    let chain = match order.placement {
        Placement::Bidirectional => order.programs.len(),
        Placement::Loop | Placement::V => order.stages,
    };
    let is_first = pass.stage % chain == 0;
    let is_last = (pass.stage + 1) % chain == 0;
    match pass.kind {
        'F' => (!is_first).then(|| ('F', pass.stage - 1)),
        'W' => Some(('I', pass.stage)),
        _ => Some(if is_last { ('F', pass.stage) } else { ('I', pass.stage + 1) }),
    }
}

/// Runs the order, one step of each rank after the other, and says what is wrong with it.
fn run(order: &Order) -> Result<(), String> {
    let mut done = HashSet::new();
    let mut next = vec![0; order.programs.len()];
    let mut moved = true;
    while moved {
        moved = false;
        for (next, program) in next.iter_mut().zip(&order.programs) {
            let Some(step) = program.get(*next) else { continue };
            let is_ready = |pass: &Pass| {
                before(order, *pass).is_none_or(|(kind, stage)| done.contains(&(kind, stage, pass.micro)))
            };
            if !step.iter().all(is_ready) {
                continue;
            }
            for pass in step {
                let halves: &[char] = if pass.kind == 'B' { &['I', 'W'] } else { &[pass.kind] };
                for &half in halves {
                    if half == 'I' && !done.contains(&('F', pass.stage, pass.micro)) {
                        return Err(format!("{pass:?} before its forward"));
                    }
                    if !done.insert((half, pass.stage, pass.micro)) {
                        return Err(format!("{pass:?} twice"));
                    }
                }
            }
            *next += 1;
            moved = true;
        }
    }
    match order.programs.iter().zip(next).find(|(program, next)| *next < program.len()) {
        Some((program, next)) => Err(format!("{:?} is never ready", program[next])),
        None => Ok(()),
    }
}

#[test]
fn every_order_is_complete_and_can_run() {
    let mut counts: HashMap<String, usize> = HashMap::new();
    tables::every(&mut |order| {
        run(&order).unwrap_or_else(|why| panic!("{}: {why}", order.name));
        let passes = order.programs.iter().flatten().flatten();
        let done: usize = passes.map(|pass| if pass.kind == 'B' { 2 } else { 1 }).sum();
        // With two chains, each takes half of the micro-batches through the same number of stages.
        let chains = if order.placement == Placement::Bidirectional { 2 } else { 1 };
        assert_eq!(done, 3 * order.stages * order.micros / chains, "{}", order.name);
        let rank_of: HashMap<usize, usize> = order
            .programs
            .iter()
            .enumerate()
            .flat_map(|(rank, program)| program.iter().flatten().map(move |pass| (pass.stage, rank)))
            .collect();
        assert_eq!(rank_of.len(), order.stages, "{}", order.name);
        let name = order.name.split(" p ").next().expect("a name").split(" in groups").next();
        *counts.entry(name.expect("a name").to_owned()).or_default() += 1;
    });
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort();
    println!("{counts:?}");
    assert_eq!(counts.len(), 11);
}

#[test]
fn groups_of_pytorch_are_those_of_megatron() {
    for p in tables::RANKS {
        for m in p..=tables::MOST_MICROS {
            let Some(g) = tables::equal_groups(p, m) else { continue };
            assert!(tables::is_group(p, m, g), "{p} {m} {g}");
            let (equal, given) = (tables::interleaved(p, 2, m), tables::interleaved_in_groups(p, 2, m, g));
            assert_eq!(equal.programs, given.programs);
        }
    }
    // Three micro-batches, and then two.
    let order = tables::interleaved_in_groups(2, 2, 5, 3);
    let forwards = order.programs[0].iter().flatten().filter(|pass| pass.kind == 'F');
    let forwards: Vec<_> = forwards.map(|pass| (pass.stage, pass.micro)).collect();
    let first = [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)];
    assert_eq!(forwards, [&first[..], &[(0, 3), (0, 4), (2, 3), (2, 4)]].concat());
}

#[test]
fn deepspeed_computes_in_the_order_of_1f1b_and_its_communication_is_safe_everywhere() {
    for p in tables::RANKS {
        for m in 1..=tables::MOST_MICROS {
            assert_eq!(tables::deepspeed(p, m).programs, tables::one_f1b(p, m).programs, "{p} {m}");
            let plan = tables::deepspeed_comms(p, m);
            assert_eq!(plan.len(), 2 * p * m + 4 * (p - 1) * m);
            for model in Model::ALL {
                let verdict = plan.verify(model);
                assert!(verdict.is_safe(), "{p} {m} under {model}: {verdict}");
            }
        }
    }
}
