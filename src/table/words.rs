//! The words of the library of schedules in those of tables.

use std::collections::HashMap;

use counterpart_core::plan::Comm;
use counterpart_core::tape::{Role, StepKind};
use counterpart_core::value::{INDEX_LIMIT, Name};
use counterpart_core::{Plan, Value};

/// What tables call the compute steps of the library.
const KINDS: [(&str, &str); 4] =
    [("forward", "F"), ("backward", "B"), ("backward_input", "I"), ("backward_weight", "W")];
/// Families that travel.
const MESSAGES: [&str; 2] = ["Act", "Grad"];

/// The plan in the words of tables, where it has those of the library; `None` where it has not.
///
/// Compute steps are called by a letter. Of two chains, `forward[chain, stage, micro-batch]`, the second has the stages and
/// micro-batches that follow those of the first, and there are no domains, since what it covers is no rectangle.
pub(super) fn translate(plan: &Plan) -> Option<Plan> {
    let mut out = Plan::new(plan.name.clone());
    let words = Words::of(plan, &mut out)?;
    for domain in plan.domains() {
        let Name { text, arity } = words.names[domain.family as usize];
        let ranges: Vec<_> = (0..arity).map(|j| domain.from[j]..domain.to[j]).collect();
        match letter(text) {
            Some(_) if arity == 3 => {}
            Some(letter) if arity == 2 => out.declare(letter, &ranges),
            _ => out.declare(text, &ranges),
        }
    }
    for number in 0..u32::MAX {
        let Some(source) = plan.source(number) else { break };
        out.add_source(source.clone());
    }
    for rank in 0..plan.ranks() {
        out.begin_rank();
        for (at, step) in plan.steps(rank).iter().enumerate() {
            let comm = |item: usize| {
                let comm = plan.comm(rank, at, item);
                Comm { value: words.value(comm.value), ..comm }
            };
            let source = plan.source_number(rank, at, None);
            match step.kind {
                StepKind::Single => out.single(comm(0)),
                StepKind::Batch => {
                    let comms: Vec<Comm> = (0..step.len as usize).map(comm).collect();
                    out.batch(&comms, source);
                }
                StepKind::Compute => {
                    let uses = plan.uses(step).iter().map(|used| (used.role, words.value(used.value)));
                    let uses: Vec<(Role, Value)> = uses.collect();
                    out.compute(uses[0].1, &uses[1..], source);
                }
            }
        }
    }
    Some(out)
}

fn letter(name: &str) -> Option<&'static str> {
    KINDS.iter().find(|(word, _)| *word == name).map(|(_, letter)| *letter)
}

struct Words<'p> {
    names: Vec<Name<'p>>,
    /// The family in the new plan of each one.
    families: Vec<u32>,
    ranks: u64,
    /// Micro-batches of each chain, where there are two.
    micros: u64,
}

impl<'p> Words<'p> {
    fn of(plan: &'p Plan, out: &mut Plan) -> Option<Words<'p>> {
        let names = plan.names();
        let is_ours = |name: &Name<'_>| letter(name.text).is_some() && matches!(name.arity, 2 | 3);
        names.iter().find(|name| is_ours(name))?;
        let mut micros: HashMap<usize, u64> = HashMap::new();
        for step in (0..plan.ranks()).flat_map(|rank| plan.steps(rank)) {
            for name in plan.compute_names(step) {
                let arity = names[name.family() as usize].arity;
                let last = name.index(arity.saturating_sub(1)) + 1;
                let most = micros.entry(arity).or_default();
                *most = last.max(*most);
            }
        }
        let family = |name: &Name<'_>| match (letter(name.text), MESSAGES.contains(&name.text), name.arity) {
            (Some(letter), _, 2 | 3) => (letter.to_owned(), 2),
            (_, true, 3) => (name.text.to_owned(), 2),
            _ => (name.text.to_owned(), name.arity),
        };
        // Number 0 is the label `_` in every plan.
        let families = (0..).zip(&names).map(|(number, name): (u32, _)| {
            let (text, arity) = family(name);
            let new = if number == 0 { 0 } else { out.family(&text, arity) };
            out.set_payload(new, plan.family_payload(number));
            new
        });
        let families = families.collect();
        let (ranks, micros) = (plan.ranks() as u64, micros.get(&3).copied().unwrap_or_default());
        (2 * ranks + 1 < INDEX_LIMIT && 2 * micros < INDEX_LIMIT).then_some(Words {
            names,
            families,
            ranks,
            micros,
        })
    }

    fn value(&self, value: Value) -> Value {
        let Name { text, arity } = self.names[value.family() as usize];
        let family = self.families[value.family() as usize];
        if arity == 3 && (letter(text).is_some() || MESSAGES.contains(&text)) {
            let chain = value.index(0);
            let (stage, micro) = (chain * self.ranks + value.index(1), chain * self.micros + value.index(2));
            if stage < INDEX_LIMIT && micro < INDEX_LIMIT {
                return Value::new(family, &[stage, micro]);
            }
        }
        let indices: Vec<u64> = (0..arity).map(|j| value.index(j)).collect();
        Value::new(family, &indices)
    }
}
