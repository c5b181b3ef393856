//! Reflected session types as a plan, at run time.

use crate::node::{Affine, Comm, Comms, Domains, Label, MAX_LOOPS, Node, Ranks, Uses};
use crate::plan::{self, Plan};
use crate::prove::Subject;
use crate::tape::{NONE, Role};
use crate::value::{INDEX_LIMIT, Value};

impl Plan {
    /// The plan that session types stand for.
    ///
    /// # Panics
    /// When an index leaves its range, which a proven schedule does not.
    pub fn reflect(subject: &Subject) -> Plan {
        let mut plan = Plan::new(subject.name);
        ranks(&mut plan, subject.ranks);
        let mut list = subject.domains;
        while let Domains::Cons(name, domain, rest) = list {
            let ranges: Vec<_> = (0..domain.arity as usize).map(|j| domain.from[j]..domain.to[j]).collect();
            plan.declare(name, &ranges);
            list = rest;
        }
        plan
    }
}

fn ranks(plan: &mut Plan, list: &'static Ranks) {
    let mut list = list;
    loop {
        match list {
            Ranks::Nil => return,
            Ranks::Cons(_, program, rest) => {
                plan.begin_rank();
                steps(plan, program, [0; MAX_LOOPS]);
                list = rest;
            }
            Ranks::Group(some, rest) => {
                ranks(plan, some);
                list = rest;
            }
        }
    }
}

fn steps(plan: &mut Plan, program: &'static Node, counters: [u64; MAX_LOOPS]) {
    let mut node = program;
    loop {
        node = match node {
            Node::End => return,
            Node::Single(comm, next) => {
                let comm = item(plan, comm, &counters);
                plan.single(comm);
                next
            }
            Node::Batch(comms, next) => {
                let mut items = Vec::new();
                let mut list = *comms;
                while let Comms::Cons(comm, rest) = list {
                    items.push(item(plan, comm, &counters));
                    list = rest;
                }
                plan.batch(&items, NONE);
                next
            }
            Node::Compute(label, uses, next) => {
                let name = value(plan, label, &counters);
                let uses = used(plan, uses, &counters);
                plan.compute(name, &uses, NONE);
                next
            }
            Node::Repeat(count, body, next) => {
                for k in 0..u64::from(*count) {
                    steps(plan, body, [k, counters[0], counters[1], counters[2]]);
                }
                next
            }
            Node::Block(body, next) => {
                steps(plan, body, counters);
                next
            }
        };
    }
}

fn used(plan: &mut Plan, list: &'static Uses, counters: &[u64; MAX_LOOPS]) -> Vec<(Role, Value)> {
    let mut uses = Vec::new();
    let mut list = list;
    loop {
        match list {
            Uses::Nil => return uses,
            Uses::Absent(rest) => list = rest,
            Uses::Cons(role, label, payload, rest) => {
                let value = value(plan, label, counters);
                uses.push((*role, value));
                plan.set_payload(value.family(), *payload);
                list = rest;
            }
        }
    }
}

fn item(plan: &mut Plan, comm: &Comm, counters: &[u64; MAX_LOOPS]) -> plan::Comm {
    let peer = i32::try_from(comm.peer).unwrap_or(i32::MAX);
    let value = value(plan, &comm.label, counters);
    plan::Comm { send: comm.send, value, peer, payload: comm.payload, source: NONE }
}

fn value(plan: &mut Plan, label: &Label, counters: &[u64; MAX_LOOPS]) -> Value {
    let family = plan.family(label.name, label.indices.len());
    let indices: Vec<u64> = label.indices.iter().map(|index| at(index, counters)).collect();
    Value::new(family, &indices)
}

fn at(index: &Affine, counters: &[u64; MAX_LOOPS]) -> u64 {
    let turns: i64 = (0..MAX_LOOPS).map(|k| index.strides[k] * counters[k] as i64).sum();
    u64::try_from(index.base + turns).ok().filter(|&i| i < INDEX_LIMIT).expect("an index in its range")
}
