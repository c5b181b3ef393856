//! The text in the format asked for.

use counterpart::core::{Model, Plan};
use counterpart::table::Table;
use counterpart_lang::print::{self, Options, Printed};

use crate::input::Subject;
use crate::report::failure::{Failure, Unreadable};

/// The plan as a table.
///
/// # Errors
/// The first step that no cell says.
pub fn table(subject: &Subject) -> Result<String, Failure> {
    let table = Table::from_plan(&subject.plan);
    table.map(|table| table.to_csv()).map_err(|error| {
        let message = format!("this is no table: {}", error.message);
        at(subject, Some((error.rank, error.step)), message)
    })
}

/// The plan as a program with a `schedule!` block.
///
/// # Errors
/// The first step that the language has no words for.
pub fn schedule(subject: &Subject, name: Option<&str>) -> Result<String, Failure> {
    let model = model(subject);
    let options = Options { name, model, origin: Some(&subject.file), ..Options::default() };
    let printed = print::schedule(&subject.plan, &options).map_err(|error| {
        let place = error.rank.zip(error.step);
        at(subject, place, format!("this is no `schedule!` block: {}", error.message))
    })?;
    Ok(program(&printed))
}

/// The model to ask for: what the schedule asks for itself, or else the strictest one under which it is safe.
fn model(subject: &Subject) -> Option<Model> {
    let plan: &Plan = &subject.plan;
    let asked = subject.model.unwrap_or(Model::PORTABLE);
    if plan.verify(asked).is_safe() {
        return subject.model.filter(|model| !model.is_portable());
    }
    let weaker = Model::ALL.into_iter().find(|&model| asked.implies(model) && plan.verify(model).is_safe());
    match weaker {
        Some(weaker) => {
            anstream::eprintln!("note: unsafe under {asked}; the block asks for {weaker}, where it is safe");
            Some(weaker)
        }
        None => {
            anstream::eprintln!("warning: unsafe under every model, so the block will not compile");
            subject.model
        }
    }
}

/// A step that the other format has no words for, where its source has it.
fn at(subject: &Subject, place: Option<(usize, usize)>, message: String) -> Failure {
    let source = place.and_then(|(rank, step)| subject.plan.step_source(rank, step));
    match source {
        Some(source) => Failure::from(Unreadable {
            file: subject.file.clone(),
            text: subject.text.clone(),
            at: (source.line, source.column),
            len: 1,
            message,
            help: None,
            note: None,
        }),
        None => Failure::Usage(format!("{}: {message}", subject.file)),
    }
}

fn program(printed: &Printed) -> String {
    let name = &printed.name;
    let lower = |name: &str| name.starts_with(char::is_lowercase) || name.contains('_');
    let upper = |name: &str| name.contains(char::is_uppercase);
    let messages = printed.families.iter().any(|family| !family.compute && lower(&family.name));
    let computes = printed.families.iter().any(|family| family.compute && upper(&family.name));
    let mut lints = Vec::new();
    lints.extend(messages.then_some("non_camel_case_types"));
    lints.extend(computes.then_some("non_snake_case"));
    let allow = match lints.is_empty() {
        true => String::new(),
        false => format!("// Names are as in the plan.\n#![allow({})]\n\n", lints.join(", ")),
    };
    format!(
        "{allow}use counterpart::Schedule;\n\n{printed}\nfn main() {{\n    let plan = {name}::plan();\n    \
         println!(\"{{}}: {{}} ranks, {{}} steps, proven\", plan.name, plan.ranks(), plan.len());\n}}\n"
    )
}
