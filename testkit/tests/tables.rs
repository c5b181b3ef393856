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
    let is_first = pass.stage.is_multiple_of(chain);
    let is_last = (pass.stage + 1).is_multiple_of(chain);
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
    assert_eq!(counts.len(), 12);
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

/// Two tables that the authors' search made, four ranks and eight micro-batches.
#[test]
fn zero_bubble_orders_are_those_of_the_original() {
    let h1 = "0F0,0F1,0F2,0F3,0I0,0W0,0F4,0I1,0W1,0F5,0I2,0W2,0F6,0I3,0W3,0F7,0I4,0W4,0I5,0W5,0I6,0W6,0I7,0W7\n\
              1F0,1F1,1F2,1I0,1F3,1I1,1W0,1F4,1I2,1W1,1F5,1I3,1W2,1F6,1I4,1W3,1F7,1I5,1W4,1I6,1W5,1I7,1W6,1W7\n\
              2F0,2F1,2I0,2F2,2I1,2F3,2I2,2W0,2F4,2I3,2W1,2F5,2I4,2W2,2F6,2I5,2W3,2F7,2I6,2W4,2I7,2W5,2W6,2W7\n\
              3F0,3I0,3F1,3I1,3F2,3I2,3F3,3I3,3W0,3F4,3I4,3W1,3F5,3I5,3W2,3F6,3I6,3W3,3F7,3I7,3W4,3W5,3W6,3W7\n";
    let h2 = "0F0,0F1,0F2,0F3,0F4,0F5,0F6,0I0,0F7,0W0,0I1,0W1,0I2,0W2,0I3,0W3,0I4,0W4,0I5,0W5,0I6,0W6,0I7,0W7\n\
              1F0,1F1,1F2,1F3,1F4,1I0,1F5,1I1,1F6,1I2,1F7,1I3,1W0,1I4,1W1,1I5,1W2,1I6,1W3,1I7,1W4,1W5,1W6,1W7\n\
              2F0,2F1,2F2,2I0,2F3,2I1,2F4,2I2,2F5,2I3,2F6,2I4,2F7,2I5,2W0,2I6,2W1,2I7,2W2,2W3,2W4,2W5,2W6,2W7\n\
              3F0,3I0,3F1,3I1,3F2,3I2,3F3,3I3,3F4,3I4,3F5,3I5,3F6,3I6,3F7,3I7,3W0,3W1,3W2,3W3,3W4,3W5,3W6,3W7\n";
    assert_eq!(tables::zb_h1(4, 8).csv(), h1);
    assert_eq!(tables::zb_h2(4, 8).csv(), h2);
}
