//! Edits do what they say, and of their mutants verifier and oracle think alike.

use std::collections::BTreeMap;

use counterpart_core::comms::paired;
use counterpart_core::edit::{Class, Edit, edits};
use counterpart_core::plan::Comm;
use counterpart_core::tape::NONE;
use counterpart_core::{DType, Payload, Plan};
use counterpart_testkit::{Step, World, agreement, schedules, tables};

/// What an edit has to make of the programs, said in another way.
fn expected(class: Class, before: &[Step], after: &[Step]) -> bool {
    let sorted = |steps: &[Step]| {
        let mut words: Vec<String> = steps.iter().map(ToString::to_string).collect();
        words.sort_unstable();
        words
    };
    let differing = before.iter().zip(after).filter(|(a, b)| a != b).count();
    match class {
        Class::Drop => after.len() + 1 == before.len(),
        Class::Duplicate => {
            after.len() == before.len() + 1 && after.windows(2).any(|pair| pair[0] == pair[1])
        }
        Class::Swap => sorted(before) == sorted(after) && differing <= 2,
        Class::ToConsumer | Class::MoveEarlier | Class::MoveLater => sorted(before) == sorted(after),
        Class::Retarget | Class::ChangeValue | Class::ChangePayload | Class::Turn => {
            before.len() == after.len() && differing == 1
        }
        Class::Join => after.len() + 1 == before.len(),
        Class::Split => after.len() == before.len() + 1,
    }
}

fn plans() -> Vec<Plan> {
    let mut batches = Plan::new("batches");
    let (a, b) = (batches.value("a"), batches.value("b[1]"));
    let payload = Payload::new(DType::F16, 4);
    batches.begin_rank();
    batches.batch(&[Comm::send(a, 1).with(payload), Comm::recv(b, 1)], NONE);
    batches.batch(&[], NONE);
    batches.begin_rank();
    batches.batch(&[Comm::recv(a, 0).with(payload), Comm::send(b, 0)], NONE);
    let mut alone = Plan::new("alone");
    alone.begin_rank();
    vec![
        schedules::one_f1b(3, 4),
        schedules::ring(4),
        batches,
        alone,
        Plan::new("empty"),
        paired(&tables::one_f1b(3, 4).plan()).unwrap(),
    ]
}

#[test]
fn an_edit_changes_one_rank_and_what_it_says() {
    let mut seen = BTreeMap::new();
    for plan in plans() {
        let before = World::from_plan(&plan);
        for edit in edits(&plan) {
            let after = World::from_plan(&edit.apply(&plan));
            let words = edit.describe(&plan);
            *seen.entry(edit.class).or_insert(0) += 1;
            assert_eq!(before.domains, after.domains);
            for rank in 0..plan.ranks() {
                let (old, new) = (&before.programs[rank], &after.programs[rank]);
                match rank == edit.rank {
                    true => assert!(expected(edit.class, old, new), "{words}\n{before}\n{after}"),
                    false => assert_eq!(old, new, "{words}"),
                }
            }
            assert!(
                words.starts_with(&format!("{}: rank {}, step {}", edit.class, edit.rank, edit.step)),
                "{words}"
            );
        }
    }
    assert_eq!(seen.keys().copied().collect::<Vec<_>>(), Class::ALL, "every class occurs");
}

#[test]
fn words_name_classes() {
    for class in Class::ALL {
        assert_eq!(Class::from_name(class.name()), Some(class));
    }
    assert_eq!(Class::from_name("break"), None);
}

#[test]
fn places_in_the_source_stay_with_their_steps() {
    let mut plan = Plan::new("places");
    plan.begin_rank();
    for line in 1..4 {
        let value = plan.value(&format!("x[{line}]"));
        let source = plan.add_source(counterpart_core::Source { file: "f".into(), line, column: 1 });
        plan.single(Comm::send(value, 1).at(source));
    }
    plan.begin_rank();
    let is_kept = |edit: &Edit| {
        let mutant = edit.apply(&plan);
        (0..mutant.steps(0).len()).all(|step| {
            let line = mutant.step_source(0, step).map(|source| source.line);
            let value = plan.label(mutant.items(&mutant.steps(0)[step])[0].value);
            edit.class == Class::ChangeValue && step == edit.step
                || line.is_some_and(|l| value == format!("x[{l}]"))
        })
    };
    let simple = |edit: &&Edit| !matches!(edit.class, Class::Join | Class::Split);
    assert!(edits(&plan).iter().filter(simple).all(is_kept));
}

/// A small version of the bench `mutation`, which prints the table of counts.
#[test]
fn verifier_and_oracle_agree_on_every_mutant() {
    let mut counts = [0, 0];
    for order in
        [tables::one_f1b(3, 3), tables::interleaved(2, 2, 2), tables::interleaved_zero_bubble(2, 2, 2)]
    {
        let plan = paired(&order.plan()).unwrap();
        for edit in edits(&plan) {
            let world = World::from_plan(&edit.apply(&plan));
            let safe =
                agreement::check(&world).unwrap_or_else(|why| panic!("{}: {why}", edit.describe(&plan)));
            counts[usize::from(safe[0])] += 1;
        }
    }
    assert!(counts[0] > 300 && counts[1] > 20, "unsafe and safe mutants: {counts:?}");
}
