//! A schedule as reflected session types, so that the proof can be held against the verifier.

use counterpart_core::Model;
use counterpart_core::dtype::Payload;
use counterpart_core::node::{Affine, Comm, Comms, Domains, Label, MAX_LOOPS, Node, Ranks, Uses};
use counterpart_core::prove::Subject;
use counterpart_core::tape::{self, Role};
use counterpart_core::value::MAX_ARITY;

use crate::world::{self, Step, World};

/// The world as the subject of a proof; `None` where it has what no session type can say, a negative peer or the label
/// `_`. The nodes live for ever, as those of session types do.
pub fn subject(world: &World, model: Model) -> Option<Subject> {
    let is_any = |step: &Step| {
        let used =
            step.as_compute().into_iter().flat_map(|c| c.reads.iter().chain(&c.writes).chain(&c.after));
        step.comms().iter().map(|c| &c.label).chain(used).any(|label| label == "_")
    };
    if world.programs.iter().flatten().any(is_any) {
        return None;
    }
    let mut ranks: &'static Ranks = keep(Ranks::Nil);
    for (number, program) in world.programs.iter().enumerate().rev() {
        let mut node: &'static Node = keep(Node::End);
        for step in program.iter().rev() {
            node = keep(match step {
                Step::Single(item) => Node::Single(comm(item)?, node),
                Step::Batch(items) => {
                    let mut list: &'static Comms = keep(Comms::Nil);
                    for item in items.iter().rev() {
                        list = keep(Comms::Cons(comm(item)?, list));
                    }
                    Node::Batch(list, node)
                }
                // Session types have one name for each compute step.
                Step::Compute(compute) if !compute.also.is_empty() => return None,
                Step::Compute(compute) => Node::Compute(label(&compute.name), uses(compute), node),
            });
        }
        ranks = keep(Ranks::Cons(number as u32, node, ranks));
    }
    let mut domains: &'static Domains = keep(Domains::Nil);
    for domain in world.domains.iter().rev() {
        let mut reflected = tape::Domain {
            family: 0,
            arity: domain.ranges.len() as u32,
            from: [0; MAX_ARITY],
            to: [0; MAX_ARITY],
        };
        for (j, range) in domain.ranges.iter().enumerate() {
            (reflected.from[j], reflected.to[j]) = (range.start, range.end);
        }
        domains = keep(Domains::Cons(keep(domain.name.clone()), reflected, domains));
    }
    Some(Subject { name: "world", model, ranks, domains })
}

fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn comm(item: &world::Comm) -> Option<Comm> {
    let payload = item.payload.map_or(Payload::UNKNOWN, |(dtype, count)| Payload::new(dtype, count));
    Some(Comm { send: item.send, peer: u32::try_from(item.peer).ok()?, label: label(&item.label), payload })
}

fn uses(compute: &world::Compute) -> &'static Uses {
    let roles = [(Role::After, &compute.after), (Role::Write, &compute.writes), (Role::Read, &compute.reads)];
    let mut list: &'static Uses = keep(Uses::Nil);
    for (role, labels) in roles {
        for text in labels.iter().rev() {
            list = keep(Uses::Cons(role, label(text), Payload::UNKNOWN, list));
        }
    }
    list
}

fn label(text: &str) -> Label {
    let (name, indices) = match text.split_once('[') {
        None => (text, Vec::new()),
        Some((name, rest)) => {
            let numbers =
                rest.trim_end_matches(']').split(',').map(|n| n.parse().expect("a label of a world"));
            (name, numbers.map(|base| Affine { base, strides: [0; MAX_LOOPS] }).collect())
        }
    };
    Label { name: keep(name.to_owned()), indices: keep(indices) }
}
