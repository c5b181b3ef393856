//! The library of schedules against references that are written otherwise, at all sizes.

use counterpart_core::{Model, Plan};
use counterpart_lang::elaborate::Options;
use counterpart_lang::library::{self, Entry};
use counterpart_testkit::tables::{self, Order};

const RANKS: [usize; 6] = [1, 2, 3, 4, 6, 8];
const CHUNKS: [usize; 4] = [1, 2, 3, 4];

/// The letter of a table for a compute step of the library.
fn letter(name: &str) -> char {
    match name {
        "forward" => 'F',
        "backward" => 'B',
        "backward_input" => 'I',
        "backward_weight" => 'W',
        other => panic!("{other} is no compute step of the library"),
    }
}

/// The steps of every rank in the notation of tables: what is computed, on which stage, for which micro-batch. Of two
/// chains the second has the stages and micro-batches that follow those of the first.
fn steps(plan: &Plan, micros: usize) -> Vec<Vec<Vec<(char, usize, usize)>>> {
    let names = plan.names();
    let part = |name: counterpart_core::Value| {
        let known = names[name.family() as usize];
        let index = |j: usize| name.index(j) as usize;
        let (stage, micro) = match known.arity {
            2 => (index(0), index(1)),
            _ => (index(0) * plan.ranks() + index(1), index(0) * micros / 2 + index(2)),
        };
        (letter(known.text), stage, micro)
    };
    let step = |step| -> Vec<_> {
        let mut parts: Vec<_> = plan.compute_names(step).map(part).collect();
        // Both gradients of a unit in one step are the whole backward.
        while let Some(at) = (1..parts.len()).find(|&at| {
            let ((a, b), (input, weight)) = ((parts[at - 1].1, parts[at].1), (parts[at - 1].0, parts[at].0));
            a == b && (input, weight) == ('I', 'W') && parts[at - 1].2 == parts[at].2
        }) {
            parts.remove(at);
            parts[at - 1].0 = 'B';
        }
        parts
    };
    (0..plan.ranks()).map(|rank| plan.steps(rank).iter().map(step).collect()).collect()
}

fn reference(order: &Order) -> Vec<Vec<Vec<(char, usize, usize)>>> {
    let step =
        |step: &Vec<tables::Pass>| step.iter().map(|pass| (pass.kind, pass.stage, pass.micro)).collect();
    order.programs.iter().map(|program| program.iter().map(step).collect()).collect()
}

fn entry(name: &str) -> &'static Entry {
    library::find(name).expect("it is in the library")
}

fn sizes(sizes: &[usize]) -> Vec<i64> {
    sizes.iter().map(|&size| size as i64).collect()
}

/// Compares one size, op by op.
fn compare(name: &str, at: &[usize], order: &Order) {
    let options = Options { comms: false };
    let made = entry(name).make(&sizes(at), options).unwrap_or_else(|errors| {
        panic!("{name} {at:?}: {:?}", errors.iter().map(ToString::to_string).collect::<Vec<_>>())
    });
    let (ours, theirs) = (steps(&made.plan, order.micros), reference(order));
    assert_eq!(ours, theirs, "{name} {at:?}");
}

#[test]
fn orders_are_those_of_the_originals() {
    for p in RANKS {
        for m in 1..=32 {
            compare("gpipe", &[p, m], &tables::gpipe(p, m));
            compare("1f1b", &[p, m], &tables::one_f1b(p, m));
            compare("zbv", &[p, m], &tables::zbv(p, m));
            compare("zb-h1", &[p, m], &tables::zb_h1(p, m));
            compare("deepspeed", &[p, m], &tables::deepspeed(p, m));
            if p % 2 == 0 && m % p == 0 {
                compare("chimera", &[p, m], &tables::chimera(p, m));
            }
            if m >= 2 * p {
                compare("dualpipev", &[p, m], &tables::dual_pipe_v(p, m));
                if p % 2 == 0 && m % 2 == 0 {
                    compare("dualpipe", &[p, m], &tables::dual_pipe(p, m));
                }
            }
            for v in CHUNKS {
                compare("looped-bfs", &[p, v, m], &tables::looped_bfs(p, v, m));
                if m % (m / p).max(1) == 0 {
                    compare("interleaved-1f1b", &[p, v, m], &tables::interleaved(p, v, m));
                    let zero_bubble = tables::interleaved_zero_bubble(p, v, m);
                    compare("interleaved-zb", &[p, v, m], &zero_bubble);
                }
                for g in (1..=m).filter(|&g| m % 7 == 3 && tables::is_group(p, m, g)) {
                    let in_groups = tables::interleaved_in_groups(p, v, m, g);
                    compare("interleaved-1f1b", &[p, v, m, g], &in_groups);
                    let in_groups = tables::interleaved_zero_bubble_in_groups(p, v, m, g);
                    compare("interleaved-zb", &[p, v, m, g], &in_groups);
                }
            }
        }
    }
}

/// Every schedule at many sizes that it has.
fn all(ms: &[usize]) -> Vec<(&'static Entry, Vec<i64>)> {
    let mut all = Vec::new();
    for entry in library::ENTRIES {
        let chunked = entry.params().iter().any(|(name, _)| name == "V");
        for p in RANKS {
            for v in CHUNKS.into_iter().take(if chunked { CHUNKS.len() } else { 1 }) {
                for &m in ms {
                    all.push((entry, if chunked { sizes(&[p, v, m]) } else { sizes(&[p, m]) }));
                }
            }
        }
    }
    all
}

#[test]
fn with_communication_every_schedule_is_safe_under_all_models_and_keeps_within_its_bounds() {
    let mut made = vec![0; library::ENTRIES.len()];
    // All of them take minutes: `ALL_SIZES=1 cargo test --release -p counterpart-lang --test library`.
    let every: Vec<usize> = (1..=32).collect();
    let some = [1, 2, 3, 4, 6, 8, 12, 16];
    for (entry, sizes) in all(if std::env::var_os("ALL_SIZES").is_some() { &every } else { &some }) {
        let Ok(schedule) = entry.make(&sizes, Options::default()) else { continue };
        made[library::ENTRIES.iter().position(|one| one == entry).expect("it is there")] += 1;
        for model in Model::ALL {
            let verdict = schedule.plan.verify(model);
            assert!(verdict.is_safe(), "{} under {model}: {verdict}", schedule.name);
        }
        for bound in &schedule.memory {
            let until = bound.until.expect("the library bounds compute steps");
            let most = schedule.plan.most_kept(bound.rank, bound.family, until) as u64;
            assert!(most <= bound.limit, "{}: rank {} keeps {most}", schedule.name, bound.rank);
        }
    }
    for (entry, made) in library::ENTRIES.iter().zip(made) {
        println!("{}: {made} sizes", entry.name);
        assert!(made >= 9, "{} was made at {made} sizes only", entry.name);
    }
}
