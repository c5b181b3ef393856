//! A schedule in the plainest form: lists of steps, with labels as text.

use std::fmt;
use std::ops::Range;

use counterpart_core::dtype::{DType, Payload};
use counterpart_core::plan::{self, Plan};
use counterpart_core::tape::{NONE, Role, StepKind};

/// A schedule: the program of every rank, and the declared domains.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct World {
    /// The steps of each rank, in order.
    pub programs: Vec<Vec<Step>>,
    /// Compute steps that must occur once for every element of their domain.
    pub domains: Vec<Domain>,
}

/// One step of a rank.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// One send or receive.
    Single(Comm),
    /// Sends and receives that run together.
    Batch(Vec<Comm>),
    /// A compute step.
    Compute(Compute),
}

/// One send or receive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Comm {
    /// A send, or else a receive.
    pub send: bool,
    /// The label of the value.
    pub label: String,
    /// The rank at the other end.
    pub peer: i32,
    /// Element type and count, where declared.
    pub payload: Option<(DType, u64)>,
}

/// A compute step.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Compute {
    /// What it is called.
    pub name: String,
    /// What runs overlapped with it, as one step.
    pub also: Vec<String>,
    /// The values it reads.
    pub reads: Vec<String>,
    /// The values it writes.
    pub writes: Vec<String>,
    /// The compute steps that have to run before it.
    pub after: Vec<String>,
}

/// A compute step declared over a domain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Domain {
    /// The name without indices.
    pub name: String,
    /// One range per index.
    pub ranges: Vec<Range<u64>>,
}

impl Comm {
    /// A send without a declared payload.
    pub fn send(label: &str, peer: i32) -> Comm {
        Comm { send: true, label: label.to_owned(), peer, payload: None }
    }

    /// A receive without a declared payload.
    pub fn recv(label: &str, peer: i32) -> Comm {
        Comm { send: false, label: label.to_owned(), peer, payload: None }
    }
}

impl Step {
    /// A single send.
    pub fn send(label: &str, peer: i32) -> Step {
        Step::Single(Comm::send(label, peer))
    }

    /// A single receive.
    pub fn recv(label: &str, peer: i32) -> Step {
        Step::Single(Comm::recv(label, peer))
    }

    /// A compute step that reads and writes.
    pub fn compute(name: &str, reads: &[&str], writes: &[&str]) -> Step {
        let own = |labels: &[&str]| labels.iter().map(|&label| label.to_owned()).collect();
        Step::Compute(Compute {
            name: name.to_owned(),
            also: Vec::new(),
            reads: own(reads),
            writes: own(writes),
            after: Vec::new(),
        })
    }

    /// What it is called, if it is a compute step.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.as_compute()
            .into_iter()
            .flat_map(|c| std::iter::once(&c.name).chain(&c.also))
            .map(String::as_str)
    }

    /// Its sends and receives; none for a compute step.
    pub fn comms(&self) -> &[Comm] {
        match self {
            Step::Single(comm) => std::slice::from_ref(comm),
            Step::Batch(comms) => comms,
            Step::Compute(_) => &[],
        }
    }

    /// Its sends and receives, to be edited; none for a compute step.
    pub fn comms_mut(&mut self) -> &mut [Comm] {
        match self {
            Step::Single(comm) => std::slice::from_mut(comm),
            Step::Batch(comms) => comms,
            Step::Compute(_) => &mut [],
        }
    }

    /// The compute step, where it is one.
    pub fn as_compute(&self) -> Option<&Compute> {
        match self {
            Step::Compute(compute) => Some(compute),
            _ => None,
        }
    }
}

impl World {
    /// A schedule without domains.
    pub fn new(programs: Vec<Vec<Step>>) -> World {
        World { programs, domains: Vec::new() }
    }

    /// The same schedule as a plan.
    pub fn to_plan(&self) -> Plan {
        let mut plan = Plan::new("world");
        for program in &self.programs {
            plan.begin_rank();
            for step in program {
                add(&mut plan, step);
            }
        }
        for domain in &self.domains {
            plan.declare(&domain.name, &domain.ranges);
        }
        plan
    }

    /// The schedule that a plan holds.
    pub fn from_plan(plan: &Plan) -> World {
        let step = |step: &counterpart_core::tape::Step| {
            let mut comms: Vec<Comm> = plan
                .items(step)
                .iter()
                .map(|item| Comm {
                    send: item.send,
                    label: plan.label(item.value),
                    peer: item.peer,
                    payload: item.payload.dtype().map(|dtype| (dtype, item.payload.count())),
                })
                .collect();
            match step.kind {
                StepKind::Single => Step::Single(comms.remove(0)),
                StepKind::Batch => Step::Batch(comms),
                StepKind::Compute => Step::Compute(compute(plan, step)),
            }
        };
        let programs = (0..plan.ranks()).map(|r| plan.steps(r).iter().map(step).collect()).collect();
        let names = plan.names();
        let domain = |d: &counterpart_core::tape::Domain| Domain {
            name: names[d.family as usize].text.to_owned(),
            ranges: (0..d.arity as usize).map(|j| d.from[j]..d.to[j]).collect(),
        };
        World { programs, domains: plan.domains().iter().map(domain).collect() }
    }
}

fn add(plan: &mut Plan, step: &Step) {
    let mut comms: Vec<plan::Comm> = step
        .comms()
        .iter()
        .map(|c| {
            let payload = c.payload.map_or(Payload::UNKNOWN, |(dtype, count)| Payload::new(dtype, count));
            plan::Comm { send: c.send, value: plan.value(&c.label), peer: c.peer, payload, source: NONE }
        })
        .collect();
    match step {
        Step::Single(_) => plan.single(comms.remove(0)),
        Step::Batch(_) => plan.batch(&comms, NONE),
        Step::Compute(c) => {
            let name = plan.value(&c.name);
            let roles = [
                (Role::Name, &c.also),
                (Role::Read, &c.reads),
                (Role::Write, &c.writes),
                (Role::After, &c.after),
            ];
            let mut uses = Vec::new();
            for (role, labels) in roles {
                uses.extend(labels.iter().map(|label| (role, plan.value(label))));
            }
            plan.compute(name, &uses, NONE);
        }
    }
}

fn compute(plan: &Plan, step: &counterpart_core::tape::Step) -> Compute {
    let mut compute = Compute::default();
    for used in plan.uses(step) {
        let label = plan.label(used.value);
        match used.role {
            Role::Name if compute.name.is_empty() => compute.name = label,
            Role::Name => compute.also.push(label),
            Role::Read => compute.reads.push(label),
            Role::Write => compute.writes.push(label),
            Role::After => compute.after.push(label),
        }
    }
    compute
}

impl fmt::Display for World {
    /// One line per rank.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (rank, program) in self.programs.iter().enumerate() {
            write!(f, "rank {rank}:")?;
            for (number, step) in program.iter().enumerate() {
                write!(f, "{} {step}", if number == 0 { "" } else { ";" })?;
            }
            writeln!(f)?;
        }
        for domain in &self.domains {
            writeln!(f, "domain {} {:?}", domain.name, domain.ranges)?;
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Single(comm) => write!(f, "{comm}"),
            Step::Batch(comms) => {
                let comms: Vec<String> = comms.iter().map(Comm::to_string).collect();
                write!(f, "batch {{ {} }}", comms.join(", "))
            }
            Step::Compute(c) => {
                write!(f, "{}", c.name)?;
                for name in &c.also {
                    write!(f, " + {name}")?;
                }
                for (word, labels) in [("reads", &c.reads), ("writes", &c.writes), ("after", &c.after)] {
                    if !labels.is_empty() {
                        write!(f, " {word} {}", labels.join(" "))?;
                    }
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Comm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, way) = if self.send { ("send", "to") } else { ("recv", "from") };
        write!(f, "{word} {} {way} {}", self.label, self.peer)?;
        match self.payload {
            Some((dtype, count)) => write!(f, " ({count} of {dtype})"),
            None => Ok(()),
        }
    }
}
