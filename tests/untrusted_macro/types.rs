//! Programs with loops as the text of session types, written here anew: neither the macro nor the library is asked.

use std::collections::BTreeMap;

use counterpart::core::tape::Role;
use counterpart::core::{Model, Payload};
use counterpart_lang::reroll::{Affine, Comm, Label, Node, Op, unroll};
use counterpart_testkit::world::{Comm as WorldComm, Compute, Domain, Step, World};

/// Programs with loops, and the names of their families by number.
pub struct Programs {
    pub names: Vec<String>,
    pub ranks: Vec<Vec<Node>>,
    pub domains: Vec<Domain>,
}

/// The message families and compute steps of all modules.
#[derive(Default)]
pub struct Declarations {
    families: BTreeMap<String, (String, Payload)>,
    tasks: BTreeMap<String, String>,
}

impl Programs {
    /// The programs of a world, with their loops found.
    pub fn of(world: &World) -> Programs {
        let plan = world.to_plan();
        Programs {
            names: plan.names().iter().map(|name| name.text.to_owned()).collect(),
            ranks: (0..plan.ranks()).map(|r| counterpart_lang::reroll::reroll(&plan, r, |_| 0)).collect(),
            domains: world.domains.clone(),
        }
    }

    /// The world again: every loop run. `None` where an index falls below zero, or moves with a loop that is not there.
    pub fn to_world(&self) -> Option<World> {
        if self.ranks.iter().any(|nodes| moves_with_nothing(nodes, 0)) {
            return None;
        }
        let programs = self.ranks.iter().map(|nodes| unroll(nodes).iter().map(|op| self.step(op)).collect());
        Some(World { programs: programs.collect::<Option<_>>()?, domains: self.domains.clone() })
    }

    fn step(&self, op: &Op) -> Option<Step> {
        let comm = |comm: &Comm| {
            let payload = comm.payload.dtype().map(|dtype| (dtype, comm.payload.count()));
            Some(WorldComm { send: comm.send, label: self.label(&comm.value)?, peer: comm.peer, payload })
        };
        Some(match op {
            Op::Single(one) => Step::Single(comm(one)?),
            Op::Batch(all) => Step::Batch(all.iter().map(comm).collect::<Option<_>>()?),
            Op::Compute { name, uses, .. } => {
                let with = |role: Role| {
                    uses.iter().filter(move |used| used.0 == role).map(|used| self.label(&used.1))
                };
                Step::Compute(Compute {
                    also: with(Role::Name).collect::<Option<_>>()?,
                    name: self.label(name)?,
                    reads: with(Role::Read).collect::<Option<_>>()?,
                    writes: with(Role::Write).collect::<Option<_>>()?,
                    after: with(Role::After).collect::<Option<_>>()?,
                })
            }
        })
    }

    fn label(&self, label: &Label) -> Option<String> {
        let name = &self.names[label.family as usize];
        let indices = label.indices.iter().map(|index| u64::try_from(index.base).ok().map(|i| i.to_string()));
        let indices = indices.collect::<Option<Vec<_>>>()?;
        Some(if indices.is_empty() { name.clone() } else { format!("{name}[{}]", indices.join(",")) })
    }

    /// A module with the schedule and its proof. `None` where no session type says it: the label `_`, a negative peer, a
    /// message of no declared type.
    pub fn module(&self, name: &str, model: Model, declared: &mut Declarations) -> Option<String> {
        let mut writer = Writer { programs: self, declared };
        let mut ranks = String::new();
        for (rank, nodes) in self.ranks.iter().enumerate() {
            ranks += &format!("Program<Rank<{rank}>, {}>, ", writer.list(nodes)?);
        }
        let mut covers = String::new();
        for Domain { name, ranges } in &self.domains {
            let task = writer.task(name);
            let ranges: Vec<_> = ranges.iter().map(|r| format!("Range<{}, {}>", r.start, r.end)).collect();
            covers += &format!("Covers<{task}, HList![{}]>, ", ranges.join(", "));
        }
        let (channel, batch) = (model.channel(), model.batch());
        Some(format!(
            "pub mod {name} {{
                use super::*;
                pub struct S;
                impl Schedule for S {{
                    const NAME: &'static str = {name:?};
                    const MODEL: Model = Model::new(Channel::{channel:?}, BatchRule::{batch:?}).unwrap();
                    type Ranks = HList![{ranks}];
                    type Coverage = HList![{covers}];
                    const PROOF: Proof<S> = Proof::new();
                }}
                counterpart::prove!(S);
            }}
            "
        ))
    }
}

/// Does an index name the counter of a loop that is not around it?
fn moves_with_nothing(nodes: &[Node], loops: usize) -> bool {
    nodes.iter().any(|node| match node {
        Node::Repeat { body, .. } => moves_with_nothing(body, loops + 1),
        Node::Block(body) => moves_with_nothing(body, loops),
        Node::Op(op) => {
            let mut found = false;
            op.clone().for_each_label(|label| {
                found |= label
                    .indices
                    .iter()
                    .any(|index| index.strides[loops..].iter().any(|&stride| stride != 0));
            });
            found
        }
    })
}

/// What the first send or receive says that the messages of a family are.
fn payload_of(family: u32, nodes: &[Node]) -> Option<Payload> {
    nodes.iter().find_map(|node| match node {
        Node::Op(op) => op.comms().iter().find(|comm| comm.value.family == family).map(|comm| comm.payload),
        Node::Repeat { body, .. } | Node::Block(body) => payload_of(family, body),
    })
}

/// Writes one schedule.
struct Writer<'a> {
    programs: &'a Programs,
    declared: &'a mut Declarations,
}

impl Writer<'_> {
    fn list(&mut self, nodes: &[Node]) -> Option<String> {
        let steps: Option<Vec<String>> = nodes.iter().map(|node| self.node(node)).collect();
        Some(format!("HList![{}]", steps?.join(", ")))
    }

    fn node(&mut self, node: &Node) -> Option<String> {
        Some(match node {
            Node::Op(Op::Single(comm)) => self.comm(comm)?,
            Node::Op(Op::Batch(comms)) => {
                let items: Option<Vec<String>> = comms.iter().map(|comm| self.comm(comm)).collect();
                format!("Batch<HList![{}]>", items?.join(", "))
            }
            Node::Op(Op::Compute { name, uses, .. }) => {
                let (mut parts, mut list) = (String::new(), String::new());
                let mut part = format!("{}, {}", self.task(self.name(name)?), indices(name));
                for (role, label) in uses {
                    list += &match role {
                        Role::Name => {
                            parts += &format!("Compute<{part}, HList![{list}]>, ");
                            list.clear();
                            part = format!("{}, {}", self.task(self.name(label)?), indices(label));
                            continue;
                        }
                        Role::Read => format!("Reads<{}>, ", self.value(label, None)?),
                        Role::Write => format!("Writes<{}>, ", self.value(label, None)?),
                        _ => format!("After<{}, {}>, ", self.task(self.name(label)?), indices(label)),
                    };
                }
                let last = format!("Compute<{part}, HList![{list}]>");
                if parts.is_empty() { last } else { format!("Overlap<HList![{parts}{last}]>") }
            }
            Node::Repeat { count, body } => format!("Repeat<Times<{count}>, {}>", self.list(body)?),
            Node::Block(body) => format!("Block<{}>", self.list(body)?),
        })
    }

    fn comm(&mut self, comm: &Comm) -> Option<String> {
        let word = if comm.send { "Send" } else { "Recv" };
        let peer = u32::try_from(comm.peer).ok()?;
        let payload = Some(comm.payload).filter(|payload| payload.is_known())?;
        Some(format!("{word}<Rank<{peer}>, {}>", self.value(&comm.value, Some(payload))?))
    }

    /// A value. A use has no payload of its own: it is that of the family.
    fn value(&mut self, label: &Label, payload: Option<Payload>) -> Option<String> {
        let name = self.name(label)?;
        let of_family = || self.programs.ranks.iter().find_map(|nodes| payload_of(label.family, nodes));
        let payload = payload.or_else(of_family).unwrap_or(Payload::new(counterpart::core::DType::F32, 1));
        let family = format!("{name}_{}_{}", payload.dtype()?, payload.count());
        self.declared.families.insert(family.clone(), (name.to_owned(), payload));
        Some(format!("Val<{family}, {}>", indices(label)))
    }

    fn name(&self, label: &Label) -> Option<&'static str> {
        let name = &self.programs.names[label.family as usize];
        (name != "_").then(|| &*name.clone().leak())
    }

    fn task(&mut self, name: &str) -> String {
        self.declared.tasks.insert(format!("task_{name}"), name.to_owned());
        format!("task_{name}")
    }
}

fn indices(label: &Label) -> String {
    let indices = label.indices.iter().map(|Affine { base, strides }| {
        let used = strides.iter().rposition(|&stride| stride != 0).map_or(0, |last| last + 1);
        let strides: String = strides[..used].iter().map(|stride| format!(", {{ {stride} }}")).collect();
        format!("Ix<{{ {base} }}{strides}>,")
    });
    format!("({})", indices.collect::<Vec<_>>().join(" "))
}

impl Declarations {
    /// What all modules use.
    pub fn text(&self) -> String {
        let mut text = "
            #![allow(non_camel_case_types, dead_code, unused_imports)]
            use counterpart::core::{BatchRule, Channel, Model};
            use counterpart::session::*;
            use counterpart::{Proof, Schedule};
            "
        .to_owned();
        for (family, (name, payload)) in &self.families {
            let (dtype, count) = (payload.dtype().expect("a known payload"), payload.count());
            let element = if dtype.name().contains("f16") { "counterpart::element::" } else { "" };
            text += &format!(
                "pub struct {family};
                impl Family for {family} {{
                    type Elem = {element}{dtype};
                    const NAME: &'static str = {name:?};
                    const SHAPE: &'static [usize] = &[{count}];
                }}
                "
            );
        }
        for (task, name) in &self.tasks {
            text += &format!(
                "pub struct {task};\nimpl Task for {task} {{ const NAME: &'static str = {name:?}; }}\n"
            );
        }
        text
    }
}
