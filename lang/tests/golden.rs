//! Golden files: schedules to plans, mistakes to messages.
//!
//! `BLESS=1 cargo test -p counterpart-lang --test golden` writes them anew; look at the difference before committing.

use counterpart_core::Plan;
use counterpart_core::tape::{Role, StepKind};
use counterpart_lang::{Compiled, Elaborated, Errors, compile};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn schedules_become_plans() {
    golden("tests/schedules", "plan", |source| {
        let Compiled { instances, errors, .. } = compile_text(source);
        assert!(errors.is_empty(), "{}", render(&errors));
        instances.iter().map(print).collect::<Vec<_>>().join("\n")
    });
}

#[test]
fn mistakes_become_messages() {
    golden("tests/bad", "err", |source| {
        let Compiled { errors, .. } = compile_text(source);
        assert!(!errors.is_empty(), "this source has no mistake:\n{source}");
        render(&errors)
    });
}

fn compile_text(source: &str) -> Compiled {
    compile(source.parse().expect("the source consists of Rust tokens"), "source.txt")
}

/// `line:column: message`, with help and notes indented.
fn render(errors: &Errors) -> String {
    let mut text = String::new();
    for error in errors.iter() {
        let message = error.to_string().replace('\n', "\n    ");
        writeln!(text, "{}:{}: {message}", error.place.line(), error.place.column()).unwrap();
    }
    text
}

/// A plan, a step per line.
fn print(instance: &Elaborated) -> String {
    let plan = &instance.plan;
    let mut text = format!("{} under {}\n", instance.name, instance.model);
    for (name, shape) in plan.names()[1..].iter().zip(&instance.messages) {
        let dims = shape.dims.as_ref().map_or("?".to_owned(), |dims| format!("{dims:?}"));
        let dtype = shape.payload.dtype().map_or("?", |dtype| dtype.name());
        writeln!(text, "  {}/{}: {dtype} {dims}, {} elements", name.text, name.arity, shape.payload.count())
            .unwrap();
    }
    for bound in &instance.memory {
        let name = plan.names()[bound.family as usize].text;
        writeln!(text, "  rank {}: at most {} of {name}", bound.rank, bound.limit).unwrap();
    }
    for domain in plan.domains() {
        let ranges: Vec<_> =
            (0..domain.arity as usize).map(|j| format!("{}..{}", domain.from[j], domain.to[j])).collect();
        writeln!(text, "  {} over {}", plan.names()[domain.family as usize].text, ranges.join(", ")).unwrap();
    }
    for rank in 0..plan.ranks() {
        writeln!(text, "rank {rank}").unwrap();
        for (number, step) in plan.steps(rank).iter().enumerate() {
            let line = instance.places[plan.source_number(rank, number, None) as usize].line();
            let masks = &instance.masks[instance.present[rank][number] as usize];
            let what = print_step(plan, rank, number, step.kind, masks);
            writeln!(text, "  {number:>2} {what}    @{line}").unwrap();
        }
    }
    text
}

fn print_step(plan: &Plan, rank: usize, number: usize, kind: StepKind, masks: &[u32]) -> String {
    let step = &plan.steps(rank)[number];
    if kind == StepKind::Compute {
        let uses = plan.uses(step);
        let mut text = plan.label(uses[0].value);
        for used in &uses[1..] {
            let role = match used.role {
                Role::Read => "reads",
                Role::Write => "writes",
                Role::After => "after",
                Role::Name => "overlaps",
            };
            write!(text, " {role} {}", plan.label(used.value)).unwrap();
        }
        let masks: Vec<String> = masks.iter().map(|mask| format!("{mask:b}")).collect();
        return format!("{text} ({})", masks.join(", "));
    }
    let items = plan.items(step).iter().map(|item| match item.send {
        true => format!("send {} to {}", plan.label(item.value), item.peer),
        false => format!("recv {} from {}", plan.label(item.value), item.peer),
    });
    let items = items.collect::<Vec<_>>().join(", ");
    if kind == StepKind::Batch { format!("batch {{ {items} }}") } else { items }
}

/// Runs every `.txt` in the folder and compares with the file of the same name and the other extension.
fn golden(folder: &str, extension: &str, run: impl Fn(&str) -> String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let bless = std::env::var_os("BLESS").is_some();
    let mut files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    for file in &files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        if file.extension().is_some_and(|e| e == extension) {
            if !file.with_extension("txt").exists() {
                wrong.push(format!("{name} belongs to no source"));
            }
            continue;
        }
        assert!(file.extension().is_some_and(|e| e == "txt"), "{name} is neither source nor result");
        let found = run(&fs::read_to_string(file).unwrap());
        let golden = file.with_extension(extension);
        if bless {
            fs::write(&golden, &found).unwrap();
        } else if fs::read_to_string(&golden).unwrap_or_default() != found {
            wrong.push(format!("{name} gives\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}\nBLESS=1 writes the golden files anew", wrong.join("\n"));
}
