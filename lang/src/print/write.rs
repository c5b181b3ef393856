//! Text.

use core::fmt::Write;

use counterpart_core::{DType, Plan};

use super::Options;
use super::computes::{Computes, Group};
use super::linear::list;
use super::messages::Messages;
use super::names::Names;
use super::parts::{Part, Parts};
use super::programs::{Line, Programs, Token};

/// The longest line, in characters.
const WIDTH: usize = 96;

/// The inside of the block.
pub fn body(
    plan: &Plan,
    options: &Options<'_>,
    names: &Names,
    messages: &Messages,
    computes: &Computes,
    parts: &Parts,
    programs: &Programs,
) -> String {
    let mut out = String::new();
    header(plan, options, names, programs, &mut out);
    for message in &messages.list {
        let indices = brackets("[", &message.indices, "]");
        let (dtype, count) = (message.payload.dtype().map_or("u8", DType::name), message.payload.count());
        let called = if message.name == message.original { String::new() } else { quoted(&message.original) };
        let stand_in = if message.stand_in { "the plan does not say what it is" } else { "" };
        let comment = [called.as_str(), stand_in].into_iter().filter(|c| !c.is_empty()).collect::<Vec<_>>();
        let comment = if comment.is_empty() { String::new() } else { format!("  // {}", comment.join("; ")) };
        line(&mut out, &format!("message {}{indices}: [{dtype}; {count}];{comment}", message.name));
    }
    for domain in &computes.dropped_domains {
        let name = quoted(domain);
        line(&mut out, "");
        line(
            &mut out,
            &format!(
                "// {name} has a domain in the plan, which is lost: some of it overlaps with other steps."
            ),
        );
    }
    for part in &parts.list {
        compute(part, &computes.groups[part.group], messages, computes, parts, &mut out);
    }
    for program in &programs.list {
        line(&mut out, "");
        let (first, last) = (program.ranks.start, program.ranks.end);
        let head = match &program.rank {
            None => format!("rank {first}"),
            Some(rank) => format!("rank {rank} in {first}..{last}"),
        };
        if program.lines.is_empty() {
            line(&mut out, &format!("{head} {{}}"));
            continue;
        }
        line(&mut out, &format!("{head} {{"));
        program.lines.iter().for_each(|one| statement(one, &mut out));
        line(&mut out, "}");
    }
    out
}

fn header(plan: &Plan, options: &Options<'_>, names: &Names, programs: &Programs, out: &mut String) {
    let name = one_line(&plan.name);
    let about = match (options.origin, name.is_empty()) {
        (Some(origin), true) => format!("Written from {}.", one_line(origin)),
        (Some(origin), false) => format!("Plan `{name}`, written from {}.", one_line(origin)),
        (None, true) => "Written from a plan.".to_owned(),
        (None, false) => format!("Written from plan `{name}`."),
    };
    line(out, &format!("/// {about}"));
    if programs.empty_batches > 0 {
        line(out, "///");
        let count = match programs.empty_batches {
            1 => "A batch of nothing is".to_owned(),
            n => format!("{n} batches of nothing are"),
        };
        line(out, &format!("/// {count} left out, since that is no step here."));
    }
    line(out, &format!("pub schedule {};", names.schedule()));
    line(out, "");
    if let Some(model) = options.model {
        let text = match model.is_portable() {
            true => "portable".to_owned(),
            false => format!("{} + {}", model.channel().name(), model.batch().name()),
        };
        line(out, &format!("model {text};"));
        line(out, "");
    }
}

fn compute(
    part: &Part,
    group: &Group,
    messages: &Messages,
    computes: &Computes,
    parts: &Parts,
    out: &mut String,
) {
    line(out, "");
    match &group.originals[..] {
        [one] if one.name == part.name => {}
        [one] => line(out, &format!("// {} in the plan.", quoted(&one.name))),
        several => {
            let index = |index: &super::Index| match *index {
                super::Index::Written(j) => group.indices[j].clone(),
                super::Index::Constant(c) => c.to_string(),
            };
            let labels = several.iter().map(|one| {
                let indices: Vec<String> = one.indices.iter().map(index).collect();
                quoted(&format!("{}{}", one.name, brackets("[", &indices, "]")))
            });
            let labels: Vec<String> = labels.collect();
            line(out, &format!("// {}, overlapped: in the plan they are one step.", labels.join(" and ")));
        }
    }
    let index = |j: usize| match &part.ranges {
        Some(ranges) => format!("{} in {}..{}", group.indices[j], ranges[j].0, ranges[j].1),
        None => group.indices[j].clone(),
    };
    let indices: Vec<String> = (0..group.arity()).map(index).collect();
    let head = format!("compute {}{}", part.name, brackets("(", &indices, ")"));
    if part.declared.is_empty() {
        line(out, &format!("{head};"));
        return;
    }
    line(out, &format!("{head} {{"));
    let uses: Vec<(&str, String, &Option<String>)> = part
        .declared
        .iter()
        .map(|used| {
            let (word, name) = match used.role {
                0 => ("reads ", &messages.list[used.target].name),
                1 => ("writes", &messages.list[used.target].name),
                _ => ("after ", &parts.list[used.target].name),
            };
            let index: Vec<String> = used.index.iter().map(ToString::to_string).collect();
            let without = used.role == 2 && computes.groups[parts.list[used.target].group].arity() == 0;
            let index = if without { String::new() } else { brackets("[", &index, "]") };
            (word, format!("{name}{index}"), &used.condition)
        })
        .collect();
    let width = uses.iter().filter(|used| used.2.is_some()).map(|used| used.1.len()).max().unwrap_or(0);
    for (word, value, condition) in uses {
        match condition {
            Some(condition) => line(out, &format!("    {word} {value:<width$} if {condition};")),
            None => line(out, &format!("    {word} {value};")),
        }
    }
    line(out, "}");
}

fn statement(one: &Line, out: &mut String) {
    let indent = "    ".repeat(one.depth + 1);
    let parts: Vec<String> =
        one.parts.iter().map(|part| part.iter().map(Token::to_string).collect()).collect();
    if !one.batch {
        line(out, &format!("{indent}{}", parts.concat()));
        return;
    }
    let short = format!("{indent}batch {{ {} }}", parts.join(" "));
    if short.len() <= WIDTH {
        line(out, &short);
        return;
    }
    line(out, &format!("{indent}batch {{"));
    parts.iter().for_each(|part| line(out, &format!("{indent}    {part}")));
    line(out, &format!("{indent}}}"));
}

impl core::fmt::Display for Token {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Token::Text(text) => f.write_str(text),
            Token::Name(name) => f.write_str(name),
            Token::Number(number) => write!(f, "{number}"),
        }
    }
}

/// A list in brackets, nothing for an empty one.
fn brackets(open: &str, items: &[String], close: &str) -> String {
    if items.is_empty() { String::new() } else { format!("{open}{}{close}", list(items)) }
}

/// A name of the plan for a comment.
fn quoted(text: &str) -> String {
    format!("`{}`", one_line(text))
}

/// A text that stays in its line, in its comment and in its back-ticks.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || c == '`' { ' ' } else { c }).collect()
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "{text}").expect("text has room");
}
