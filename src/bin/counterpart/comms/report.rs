//! What was tried, what was chosen, and why.

use std::io::{self, Write};

use counterpart::core::Plan;
use counterpart::core::comms::{Candidate, Choice, Goal};
use counterpart::core::simulate::Ticks;
use counterpart::core::tape::StepKind;

use super::options::words;

/// One line on what was chosen, such as `timed: makespan 117, bubble 3.4 % on queue+gang (paired 168; ideal 117)`.
pub fn line(plan: &Plan, choice: &Choice, goal: &Goal) -> String {
    let best = choice.best();
    let others = choice.tried.iter().enumerate().filter(|(at, _)| *at != choice.chosen);
    let mut others: Vec<String> =
        others.map(|(_, one)| format!("{} {}", name(one), words(one.makespan))).collect();
    others.push(format!("ideal {}", words(choice.ideal)));
    format!(
        "communication {}: makespan {}, bubble {:.1} % on {} ({})",
        name(best),
        words(best.makespan),
        bubble(plan, goal, best.makespan),
        goal.fast,
        others.join(", ")
    )
}

/// A row for each rule, with and without batches.
///
/// # Errors
/// When the output can't be written.
pub fn table(plan: &Plan, choice: &Choice, goal: &Goal, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "  rule      batches  makespan   bubble")?;
    for (at, one) in choice.tried.iter().enumerate() {
        let mark = if at == choice.chosen { "  chosen" } else { "" };
        writeln!(
            out,
            "  {:<8} {:>8} {:>9} {:>6.1} %{mark}",
            one.rule.name(),
            one.batches,
            words(one.makespan),
            bubble(plan, goal, one.makespan),
        )?;
    }
    writeln!(out, "  ideal    {:>18} {:>6.1} %", words(choice.ideal), bubble(plan, goal, choice.ideal))
}

fn name(one: &Candidate) -> String {
    match one.batches {
        0 => one.rule.to_string(),
        1 => format!("{} with 1 batch", one.rule),
        n => format!("{} with {n} batches", one.rule),
    }
}

/// How much of the time ranks do not compute, in percent.
fn bubble(plan: &Plan, goal: &Goal, makespan: Ticks) -> f64 {
    let steps = (0..plan.ranks()).flat_map(|rank| plan.steps(rank));
    let computes = steps.filter(|step| step.kind == StepKind::Compute);
    let busy: Ticks = computes.map(|step| goal.costs.step(plan, step)).sum();
    let all = makespan as f64 * plan.ranks() as f64;
    if all > 0.0 { 100.0 * (1.0 - busy as f64 / all) } else { 0.0 }
}
