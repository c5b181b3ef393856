//! Many mutants of one-forward-one-backward and of DualPipeV as session types: rustc and the library judge each alike, in the
//! same words.

use counterpart::core::tape::Role;
use counterpart::core::{DType, Model, Payload, Plan, Verdict, comms};
use counterpart_lang::reroll::{Node, Op};
use counterpart_testkit::{World, mutants, schedules, tables};

use crate::rustc;
use crate::types::{Declarations, Programs};

/// One schedule, with what the library says of it; `None` where an index is none.
struct Case {
    edit: String,
    lines: std::ops::Range<u64>,
    verdict: Option<Verdict>,
}

/// Every so many mutants of each schedule one is looked at: edits of the plan, and of the types.
const STEPS: [(usize, usize); 2] = [(97, 7), (307, 29)];

#[test]
fn rustc_and_the_library_judge_mutants_alike() {
    // The second one has compute steps that overlap.
    let overlapped = tables::dual_pipe_v(2, 4).plan();
    let overlapped = comms::paired(&with_payloads(overlapped)).expect("it can run");
    let worlds = [World::from_plan(&schedules::one_f1b(3, 5)), World::from_plan(&overlapped)];
    let mut found: Vec<(String, Programs)> = Vec::new();
    for (world, (edit_step, type_step)) in worlds.iter().zip(STEPS) {
        found.push(("as it is".to_owned(), Programs::of(world)));
        let mut number = 0;
        mutants::each(world, &mut |edit, mutant| {
            if number % edit_step == 0 {
                found.push((edit.to_owned(), Programs::of(mutant)));
            }
            number += 1;
        });
        found.extend(edits_of_types(world).into_iter().step_by(type_step));
    }
    let overlaps = |world: &World| world.programs.iter().flatten().any(|step| step.names().count() > 1);
    assert!(found.iter().filter_map(|(_, programs)| programs.to_world()).filter(overlaps).count() > 20);

    let (mut declared, mut source, mut cases) = (Declarations::default(), String::new(), Vec::new());
    for (n, (edit, programs)) in found.into_iter().enumerate() {
        let model = Model::ALL[n % Model::ALL.len()];
        let Some(module) = programs.module(&format!("m{n}"), model, &mut declared) else { continue };
        let first = source.lines().count() as u64;
        source += &module;
        let verdict = programs.to_world().map(|world| world.to_plan().verify(model));
        cases.push(Case {
            edit: format!("m{n}: {edit}"),
            lines: first..source.lines().count() as u64,
            verdict,
        });
    }
    let (is_safe, all) = (|case: &&Case| case.verdict.as_ref().is_some_and(Verdict::is_safe), cases.len());
    let safe = cases.iter().filter(is_safe).count();
    assert!(all > 120 && (all / 10..all / 2).contains(&safe), "{safe} of {all} are safe");

    // The declarations are known last and stand last, but for the first lines with the imports.
    let declared = declared.text();
    let imports = declared.lines().take_while(|line| !line.contains("pub struct")).count();
    let head: String = declared.lines().take(imports).map(|line| format!("{line}\n")).collect();
    let rest: String = declared.lines().skip(imports).map(|line| format!("{line}\n")).collect();
    let errors = rustc::errors("mutants", &format!("{head}{source}{rest}"));
    let mut wrong = Vec::new();
    for case in &cases {
        let lines = case.lines.start + imports as u64 + 1..case.lines.end + imports as u64 + 1;
        let said = errors.iter().find(|error| error.lines.iter().any(|line| lines.contains(line)));
        let said = said.map_or("", |error| &error.message);
        let (agree, expected) = match &case.verdict {
            None => (said.contains("index"), "an index below zero, or without its loop".to_owned()),
            Some(verdict) => match verdict.faults.first() {
                None => (said.is_empty(), "safe".to_owned()),
                Some(fault) => (said.contains(&fault.to_string()), fault.to_string()),
            },
        };
        if !agree {
            wrong.push(format!("{}\nthe library: {expected}\nrustc: {said}\n", case.edit));
        }
    }
    assert!(wrong.is_empty(), "{} of {all} are judged differently:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(errors.len(), all - safe, "rustc complains of something else");
}

/// The plan with something to send.
fn with_payloads(mut plan: Plan) -> Plan {
    for family in ["Act", "Grad"] {
        let family = plan.family(family, 2);
        plan.set_payload(family, Payload::new(DType::F32, 8));
    }
    plan
}

/// What a macro could get wrong about the types themselves: numbers that are off by one, lost and swapped steps.
fn edits_of_types(world: &World) -> Vec<(String, Programs)> {
    let mut all = Vec::new();
    let honest = Programs::of(world);
    for rank in 0..honest.ranks.len() {
        for_each_list(&honest.ranks[rank], &mut Vec::new(), &mut |path, list| {
            for at in 0..list.len() {
                for (edit, changed) in changes(list, at) {
                    let mut programs = Programs::of(world);
                    *list_at(&mut programs.ranks[rank], path) = changed;
                    all.push((format!("{edit} at {path:?}, {at} of rank {rank}"), programs));
                }
            }
        });
    }
    all
}

/// Visits every list of a program with the way to it.
fn for_each_list(list: &[Node], path: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize], &[Node])) {
    visit(path, list);
    for (at, node) in list.iter().enumerate() {
        if let Node::Repeat { body, .. } | Node::Block(body) = node {
            path.push(at);
            for_each_list(body, path, visit);
            path.pop();
        }
    }
}

fn list_at<'n>(list: &'n mut Vec<Node>, path: &[usize]) -> &'n mut Vec<Node> {
    path.iter().fold(list, |list, &at| match &mut list[at] {
        Node::Repeat { body, .. } | Node::Block(body) => body,
        Node::Op(_) => unreachable!("a way leads through loops and blocks"),
    })
}

/// The list with one edit at a node.
fn changes(list: &[Node], at: usize) -> Vec<(String, Vec<Node>)> {
    let mut all = Vec::new();
    let mut change = |edit: &str, change: &dyn Fn(&mut Vec<Node>)| {
        let mut list = list.to_vec();
        change(&mut list);
        all.push((edit.to_owned(), list));
    };
    change("lost", &|list| drop(list.remove(at)));
    change("twice", &|list| list.insert(at, list[at].clone()));
    if at + 1 < list.len() {
        change("swapped with the next", &|list| list.swap(at, at + 1));
    }
    match &list[at] {
        Node::Block(_) => {}
        Node::Repeat { count, .. } => {
            for other in [count - 1, count + 1] {
                change("another count", &|list| {
                    if let Node::Repeat { count, .. } = &mut list[at] {
                        *count = other;
                    }
                });
            }
        }
        Node::Op(op) => {
            change("one turn of a loop", &|list| {
                list[at] = Node::Repeat { count: 1, body: vec![Node::Op(op.clone())] };
            });
            for (edit, op) in changed_ops(op) {
                change(&edit, &|list| list[at] = Node::Op(op.clone()));
            }
            if let Op::Batch(comms) = op {
                change("the batch apart", &|list| {
                    let apart = comms.iter().map(|comm| Node::Op(Op::Single(comm.clone())));
                    list.splice(at..=at, apart).for_each(drop);
                });
            }
        }
    }
    all
}

/// A step with one number or word changed.
fn changed_ops(op: &Op) -> Vec<(String, Op)> {
    let mut all = Vec::new();
    let mut labels = 0;
    op.clone().for_each_label(|_| labels += 1);
    for l in 0..labels {
        for (edit, base, stride) in
            [("base + 1", 1, 0), ("base - 1", -1, 0), ("stride + 1", 0, 1), ("stride - 1", 0, -1)]
        {
            for j in 0..2 {
                let (mut op, mut n) = (op.clone(), 0);
                op.for_each_label(|label| {
                    if let Some(index) = label.indices.get_mut(j).filter(|_| n == l) {
                        index.base += base;
                        index.strides[0] += stride;
                    }
                    n += 1;
                });
                all.push((format!("{edit} in index {j} of label {l}"), op));
            }
        }
    }
    for i in 0..op.comms().len() {
        for (edit, turn, peer) in [("direction", true, 0), ("peer + 1", false, 1)] {
            let mut op = op.clone();
            if let Op::Single(comm) = &mut op {
                (comm.send, comm.peer) = (comm.send != turn, comm.peer + peer);
            } else if let Op::Batch(comms) = &mut op {
                (comms[i].send, comms[i].peer) = (comms[i].send != turn, comms[i].peer + peer);
            }
            all.push((format!("{edit} of item {i}"), op));
        }
    }
    if let Op::Compute { name, uses, tag } = op {
        for u in 0..uses.len() {
            let mut fewer = uses.clone();
            fewer.remove(u);
            all.push((
                format!("without use {u}"),
                Op::Compute { name: name.clone(), uses: fewer, tag: *tag },
            ));
            let mut other = uses.clone();
            other[u].0 = if other[u].0 == Role::Read { Role::Write } else { Role::Read };
            all.push((
                format!("another role of use {u}"),
                Op::Compute { name: name.clone(), uses: other, tag: *tag },
            ));
        }
    }
    all
}
