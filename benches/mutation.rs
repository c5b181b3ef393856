//! Mutation bench: every single-edit mutant of five valid schedules, judged by the verifier and by the slow oracle.
//!
//! Prints how many mutants of each class there are, how many of them are unsafe, and how often the two do not agree: any
//! such mutant makes the bench fail.

use std::collections::BTreeMap;
use std::process::ExitCode;

use counterpart::core::comms::paired;
use counterpart::core::edit::{Class, edits};
use counterpart::core::tape::StepKind;
use counterpart::core::{Model, Plan};
use counterpart_testkit::{World, agreement, tables};

/// Mutants of one class.
#[derive(Default)]
struct Count {
    mutants: usize,
    /// Unsafe under blocking+gang, blocking+item and eager+item.
    bad: [usize; 3],
    wrong: usize,
}

const COLUMNS: [&str; 3] = ["blocking+gang", "blocking+item", "eager+item"];

fn main() -> ExitCode {
    let orders = [
        ("GPipe p4 m8", tables::gpipe(4, 8)),
        ("1F1B p4 m8", tables::one_f1b(4, 8)),
        ("Interleaved 1F1B p4 v2 m8", tables::interleaved(4, 2, 8)),
        ("Interleaved zero bubble p4 v2 m8", tables::interleaved_zero_bubble(4, 2, 8)),
        ("ZBV p4 m8", tables::zbv(4, 8)),
    ];
    let mut counts: BTreeMap<(Class, &str), Count> = BTreeMap::new();
    for (name, order) in orders {
        let plan = match paired(&order.plan()) {
            Ok(plan) => plan,
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::FAILURE;
            }
        };
        let before: usize = counts.values().map(|count| count.mutants).sum();
        if !study(&plan, &mut counts) {
            return ExitCode::FAILURE;
        }
        let mutants = counts.values().map(|count| count.mutants).sum::<usize>() - before;
        println!("{name}: {} steps, {mutants} mutants of communication steps", plan.len());
    }
    print(&counts)
}

/// Judges all mutants of the communication steps of a plan; `false` where the plan itself is not safe.
fn study(plan: &Plan, counts: &mut BTreeMap<(Class, &'static str), Count>) -> bool {
    if agreement::check(&World::from_plan(plan)) != Ok([true; Model::ALL.len()]) {
        eprintln!("{}: not safe under all models", plan.name);
        return false;
    }
    let columns = COLUMNS.map(|name| Model::ALL.iter().position(|model| model.to_string() == name));
    for edit in edits(plan) {
        let step = &plan.steps(edit.rank)[edit.step];
        let what = match step.kind {
            StepKind::Compute => continue,
            StepKind::Single if plan.items(step)[0].send => "send",
            StepKind::Single => "recv",
            StepKind::Batch => "batch",
        };
        let count = counts.entry((edit.class, what)).or_default();
        count.mutants += 1;
        match agreement::check(&World::from_plan(&edit.apply(plan))) {
            Ok(safe) => {
                for (bad, column) in count.bad.iter_mut().zip(columns) {
                    *bad += usize::from(column.is_some_and(|column| !safe[column]));
                }
            }
            Err(why) => {
                count.wrong += 1;
                eprintln!("{}: {why}", edit.describe(plan));
            }
        }
    }
    true
}

fn print(counts: &BTreeMap<(Class, &str), Count>) -> ExitCode {
    let head = COLUMNS.map(|name| format!("unsafe, {name}")).join(" | ");
    println!("\n| mutation | mutants | {head} | verifier and oracle differ |\n|---|---|---|---|---|---|");
    let mut total = Count::default();
    for ((class, what), count) in counts {
        let bad = count.bad.map(|bad| bad.to_string()).join(" | ");
        println!("| {class} {what} | {} | {bad} | {} |", count.mutants, count.wrong);
        total.mutants += count.mutants;
        total.wrong += count.wrong;
        total.bad.iter_mut().zip(count.bad).for_each(|(total, bad)| *total += bad);
    }
    let bad = total.bad.map(|bad| bad.to_string()).join(" | ");
    println!("| total | {} | {bad} | {} |", total.mutants, total.wrong);
    if total.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
