//! A schedule of the library as a program of one's own.

use counterpart::core::comms::Goal;
use counterpart_lang::elaborate::Elaborated;
use counterpart_lang::library::Entry;

use crate::comms::options::Options;
use crate::report::failure::Failure;

/// What messages carry until somebody says what.
const SHAPE: &str = "[f32; 32, 64]";

/// The text of the schedule, complete: messages carry something, and there is an instance of this size. What was asked for
/// as options is said in its own words.
///
/// # Errors
/// When the options can't be read.
pub fn text(entry: &Entry, made: &Elaborated, options: &Options, goal: &Goal) -> Result<String, Failure> {
    let sizes: Vec<String> = made.sizes.iter().map(i64::to_string).collect();
    let instance = format!("{}<{}>", entry.schedule, sizes.join(", "));
    let mut text = String::from("use counterpart::Schedule;\n\n");
    for line in entry.text.trim_end().lines() {
        if line == "}" {
            text.push_str(&format!("\n    instance {instance};\n}}\n"));
            continue;
        }
        let word = line.trim_start();
        match word.strip_suffix(';') {
            Some(message) if word.starts_with("message ") => {
                text.push_str(&format!("    {message}: {SHAPE}; // what your model sends\n"));
            }
            Some("comms auto") => text.push_str(&comms(made, options, goal)?),
            Some(_) if word.starts_with("cost ") => {}
            _ => text.push_str(&format!("{line}\n")),
        }
    }
    text.push_str(&format!(
        "\nfn main() {{\n    let plan = {}::<{}>::plan();\n    println!(\"{{}}: {{}} ranks, {{}} steps, proven\", plan.name, plan.ranks(), \
         plan.len());\n}}\n",
        entry.schedule,
        sizes.join(", ")
    ));
    Ok(text)
}

/// The item that asks for communication, and the costs that it is chosen by, in their smallest whole numbers.
fn comms(made: &Elaborated, options: &Options, goal: &Goal) -> Result<String, Failure> {
    let names = made.plan.names();
    let transfer = goal.costs.of_transfer();
    let costs: Vec<(&str, u64)> =
        made.computes.iter().map(|&family| (names[family as usize].text, goal.costs.of(family))).collect();
    let unit = costs.iter().fold(transfer, |unit, (_, cost)| common(unit, *cost)).max(1);
    let mut text = String::new();
    for (name, cost) in costs.iter().filter(|(_, cost)| *cost != unit) {
        text.push_str(&format!("    cost {name} = {};\n", cost / unit));
    }
    // A compute step of which nothing is said takes 1.
    if transfer > 0 {
        text.push_str(&format!("    cost transfer = {};\n", transfer / unit));
    }
    let rule = options.rule.rule().map_or("auto", |rule| rule.name());
    let fast = options.fast()?;
    let on = if fast == Goal::default().fast {
        String::new()
    } else {
        format!(" on {} + {}", fast.channel().name(), fast.batch().name())
    };
    text.push_str(&format!("    comms {rule}{on};\n"));
    Ok(text)
}

/// The greatest common divisor.
fn common(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common(b, a % b) }
}
