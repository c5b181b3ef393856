//! The library of schedules in numbers: makespan and memory beside their formulas, and what inserted communication costs on one
//! queue beside what is published.
//!
//! `cargo bench -p counterpart-benches --bench schedules`. It fails where a formula is missed, or where the communication that
//! is chosen is slower than both rules of which figures are known.

use std::process::ExitCode;

use counterpart::core::comms::{self, Goal, Rule};
use counterpart::core::simulate::Costs;
use counterpart::core::{Model, Plan};
use counterpart_lang::elaborate::{Elaborated, Options};
use counterpart_lang::library;
use counterpart_testkit::tables::forms::{self, Form, Ticks};

/// Ticks of one unit.
const UNIT: u64 = 4;

fn main() -> ExitCode {
    let missed = closed_forms() + one_queue();
    match missed {
        0 => ExitCode::SUCCESS,
        missed => {
            println!("{missed} missed");
            ExitCode::FAILURE
        }
    }
}

fn make(name: &str, sizes: &[usize]) -> Elaborated {
    let sizes: Vec<i64> = sizes.iter().map(|&size| size as i64).collect();
    let entry = library::find(name).expect("it is in the library");
    let options = Options { comms: false };
    entry.make(&sizes, options).unwrap_or_else(|_| panic!("the library has {name} at {sizes:?}"))
}

/// Forward, gradient of the input, gradient of the weights, and a transfer, in ticks.
fn costs(plan: &mut Plan, [f, i, w, transfer]: [u64; 4]) -> Costs {
    let mut costs = Costs::new().transfer(transfer);
    for arity in [2, 3] {
        let kinds = [("forward", f), ("backward", i + w), ("backward_input", i), ("backward_weight", w)];
        costs = kinds
            .into_iter()
            .fold(costs, |costs, (kind, cost)| costs.compute(plan.family(kind, arity), cost));
    }
    costs
}

/// Makespan where links have no limits, and what each rank keeps until the weights, or until the input.
fn computed(name: &str, sizes: &[usize], t: [u64; 3]) -> (u64, Vec<usize>, Vec<usize>) {
    let mut plan = make(name, sizes).plan;
    let costs = costs(&mut plan, [t[0], t[1], t[2], 0]);
    let goal = Goal { costs, rule: Some(Rule::Paired), ..Goal::default() };
    let ideal = comms::auto(&plan, &goal).expect("it can run").choice.ideal;
    let kept = |whole: &str, half: &str| {
        let count = |plan: &mut Plan, rank, until: &str, arity| {
            let (from, until) = (plan.family("forward", arity), plan.family(until, arity));
            plan.most_kept(rank, from, until)
        };
        let mut plan = plan.clone();
        let arity = if matches!(name, "dualpipe" | "chimera") { 3 } else { 2 };
        // What a schedule does not have is never until.
        let has = |kind: &str| {
            plan.domains().iter().any(|domain| plan.names()[domain.family as usize].text == kind)
        };
        let until = if has("backward") { whole } else { half };
        (0..plan.ranks()).map(|rank| count(&mut plan, rank, until, arity)).collect::<Vec<_>>()
    };
    (ideal, kept("backward", "backward_weight"), kept("backward", "backward_input"))
}

/// Compares with the formulas, and says how often they are missed.
fn closed_forms() -> usize {
    println!("makespan and memory, ideal execution: formula / computed");
    println!("  {:<17} {:>3} {:>2} {:>3}  F,I,W   makespan        kept per rank", "schedule", "p", "v", "m");
    let mut missed = 0;
    for t in [[1, 1, 1], [2, 2, 1], [4, 5, 3]] {
        for (p, m) in [(2, 8), (4, 8), (4, 32), (8, 32)] {
            let ticks = Ticks { f: t[0], i: t[1], w: t[2] };
            for v in [2, 4] {
                for (name, form) in [
                    ("interleaved-1f1b", forms::interleaved(p, v, m, p, ticks)),
                    ("interleaved-zb", forms::interleaved_zero_bubble(p, v, m, p, ticks)),
                    ("looped-bfs", forms::looped_bfs(p, v, m, ticks)),
                ] {
                    missed += row(name, &[p, v, m], t, &form);
                }
            }
            for (name, form) in [
                ("gpipe", Some(forms::gpipe(p, m, ticks))),
                ("1f1b", Some(forms::one_f1b(p, m, ticks))),
                ("deepspeed", Some(forms::one_f1b(p, m, ticks))),
                ("zb-h1", Some(forms::zb_h1(p, m, ticks))),
                ("zbv", forms::zbv(p, m, ticks)),
                ("dualpipev", (m >= 2 * p).then(|| forms::dual_pipe_v(p, m, ticks))),
                ("dualpipe", (m >= 2 * p).then(|| forms::dual_pipe(p, m, ticks))),
                ("chimera", Some(forms::chimera(p, m, ticks))),
            ] {
                missed += form.map_or(0, |form| row(name, &[p, m], t, &form));
            }
            // The order is searched for: only its makespan has a formula, its memory a bound.
            let form = forms::zb_h2(p, m, ticks);
            if let Some(makespan) = form.makespan {
                let (found, ..) = computed("zb-h2", &[p, m], t);
                println!(
                    "  {:<17} {p:>3} {:>2} {m:>3}  {},{},{}  {makespan:>6} {found:>6}",
                    "zb-h2", "", t[0], t[1], t[2]
                );
                missed += usize::from(found > makespan);
            }
        }
    }
    missed
}

fn row(name: &str, sizes: &[usize], t: [u64; 3], form: &Form) -> usize {
    let (makespan, kept, kept_until_input) = computed(name, sizes, t);
    let is_missed = form.makespan.is_some_and(|said| said != makespan)
        || form.kept != kept
        || form.kept_until_input != kept_until_input;
    let (p, m) = (sizes[0], sizes[sizes.len() - 1]);
    let v = if sizes.len() == 3 { sizes[1].to_string() } else { String::new() };
    let said = form.makespan.map_or_else(|| "-".to_owned(), |said| said.to_string());
    let most = |kept: &[usize]| kept.iter().max().copied().unwrap_or_default();
    let mark = if is_missed { "  MISSED" } else { "" };
    println!(
        "  {name:<17} {p:>3} {v:>2} {m:>3}  {},{},{}  {said:>6} {makespan:>6}  {:>4} {:>4}{mark}",
        t[0],
        t[1],
        t[2],
        most(&form.kept),
        most(&kept)
    );
    usize::from(is_missed)
}

/// Schedules with the makespans that are published for one in-order queue, in quarters: *paired* and *timed* without transfer
/// time and with a quarter.
type Known = (&'static str, &'static [usize], [u64; 2], [u64; 2]);

const KNOWN: [Known; 8] = [
    ("1f1b", &[8, 32], [468, 468], [542, 590]),
    ("interleaved-1f1b", &[8, 2, 16], [672, 468], [782, 558]),
    ("interleaved-1f1b", &[8, 4, 32], [2208, 1620], [2478, 1934]),
    ("interleaved-zb", &[8, 2, 16], [604, 412], [707, 508]),
    ("looped-bfs", &[8, 4, 32], [3924, 1620], [5022, 1900]),
    ("zbv", &[8, 32], [844, 796], [897, 914]),
    ("dualpipev", &[8, 32], [1188, 824], [1394, 1048]),
    ("dualpipe", &[8, 32], [448, 408], [540, 518]),
];

/// Compares with what is published, and says how often that is missed.
fn one_queue() -> usize {
    println!("\nmakespan on one in-order queue, F 1, B 2: published paired and timed, ours, ideal");
    println!(
        "  {:<17} {:<8} transfer   paired    timed  |   paired    timed   urgent   chosen    ideal",
        "schedule", "sizes"
    );
    let mut missed = 0;
    for (name, sizes, without, with) in KNOWN {
        for (transfer, known) in [(0, without), (1, with)] {
            let mut plan = make(name, sizes).plan;
            let costs = costs(&mut plan, [UNIT, UNIT, UNIT, transfer]);
            let span = |rule: Option<Rule>| {
                let goal = Goal { costs: costs.clone(), rule, ..Goal::default() };
                let inserted = comms::auto(&plan, &goal).expect("it can run");
                let safe = Model::ALL.iter().all(|&model| inserted.plan.verify(model).is_safe());
                (inserted.choice.best().makespan, inserted.choice.ideal, safe)
            };
            let rules = Rule::ALL.map(|rule| span(Some(rule)));
            let (chosen, ideal, safe) = span(None);
            let units = |ticks: u64| ticks as f64 / UNIT as f64;
            let is_missed = !safe || chosen > known[0].min(known[1]) || rules.iter().any(|(.., safe)| !safe);
            let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
            println!(
                "  {name:<17} {:<8} {:>8} {:>8} {:>8}  | {:>8} {:>8} {:>8} {:>8} {:>8}{}",
                sizes.join(" "),
                units(transfer),
                units(known[0]),
                units(known[1]),
                units(rules[0].0),
                units(rules[1].0),
                units(rules[2].0),
                units(chosen),
                units(ideal),
                if is_missed { "  MISSED" } else { "" }
            );
            missed += usize::from(is_missed);
        }
    }
    missed
}
