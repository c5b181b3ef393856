//! Compute orders of the field, as tables of `torch.distributed.pipelining` without communication.
//!
//! [`Order`] is a table in the plainest form: [`Order::csv`] writes it, [`Order::plan`] is the plan that it stands for, made
//! from the definition. One function per schedule; [`all`] makes many sizes of most, [`every`]
//! goes through all sizes of each.

mod bidirectional;
mod chunks;
pub mod forms;
mod lines;

use counterpart_core::Plan;
use counterpart_core::plan::Comm;
use counterpart_core::tape::{NONE, Role};

pub use bidirectional::{chimera, dual_pipe, dual_pipe_v, zbv};
pub use chunks::{
    equal_groups, interleaved, interleaved_in_groups, interleaved_zero_bubble,
    interleaved_zero_bubble_in_groups, is_group, looped_bfs,
};
pub use lines::{deepspeed, deepspeed_comms, gpipe, one_f1b, zb_h1, zb_h2};

/// What is computed: `F`, `B`, `I` or `W`, on a stage, for a micro-batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pass {
    /// `F` forward, `B` the whole backward, `I` and `W` its two halves.
    pub kind: char,
    /// The stage.
    pub stage: usize,
    /// The micro-batch.
    pub micro: usize,
}

/// Which rank has which stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Stage `s` on rank `s mod p`.
    Loop,
    /// Stages `0..p` down, `p..2p` up again.
    V,
    /// The same, but stages `p..2p` are a second chain.
    Bidirectional,
}

/// The compute steps of all ranks in their order.
#[derive(Clone, Debug)]
pub struct Order {
    /// What it is called, with its sizes.
    pub name: String,
    /// How many stages there are.
    pub stages: usize,
    /// How many micro-batches.
    pub micros: usize,
    /// Where the stages are.
    pub placement: Placement,
    /// For each rank its steps. A step of several passes overlaps them.
    pub programs: Vec<Vec<Vec<Pass>>>,
}

impl Order {
    /// Does a chain end with this stage?
    fn is_last(&self, stage: usize) -> bool {
        stage + 1 == self.stages || self.is_first(stage + 1)
    }

    /// Does a chain begin with this stage?
    fn is_first(&self, stage: usize) -> bool {
        stage == 0 || self.placement == Placement::Bidirectional && stage == self.programs.len()
    }

    /// The table as text.
    pub fn csv(&self) -> String {
        let pass = |pass: &Pass| format!("{}{}{}", pass.stage, pass.kind, pass.micro);
        let step = |step: &Vec<Pass>| match &step[..] {
            [one] => pass(one),
            several => format!("({})OVERLAP_F_B", several.iter().map(pass).collect::<Vec<_>>().join(";")),
        };
        let row = |steps: &Vec<Vec<Pass>>| steps.iter().map(step).collect::<Vec<_>>().join(",") + "\n";
        self.programs.iter().map(row).collect()
    }

    /// Does it tell the two halves of a backward apart?
    fn is_split(&self) -> bool {
        self.programs.iter().flatten().flatten().any(|pass| pass.kind == 'I')
    }

    /// A plan without ranks that declares what the table has to compute.
    fn declared(&self) -> Plan {
        let mut plan = Plan::new(self.name.clone());
        let kinds: &[&str] = if self.is_split() { &["F", "I", "W"] } else { &["F", "B"] };
        if self.placement != Placement::Bidirectional {
            for kind in kinds {
                plan.declare(kind, &[0..self.stages as u64, 0..self.micros as u64]);
            }
        }
        plan
    }

    /// The plan that the table stands for.
    pub fn plan(&self) -> Plan {
        let mut plan = self.declared();
        for program in &self.programs {
            plan.begin_rank();
            program.iter().for_each(|step| self.add(&mut plan, step));
        }
        plan
    }

    /// The plan in its ideal execution: every rank offers all its receives before it begins, and sends a value once it is
    /// there. Under [`Channel::Eager`](counterpart_core::Channel::Eager) nothing then waits for anything but for what it reads
    /// and for the step before it.
    pub fn ideal(&self) -> Plan {
        let mut plan = self.declared();
        let mut rank_of = vec![0; self.stages];
        for (rank, program) in self.programs.iter().enumerate() {
            program.iter().flatten().for_each(|pass| rank_of[pass.stage] = rank);
        }
        // What a step sends: the value, and the rank that reads it.
        let sent = |rank: usize, step: &[Pass]| {
            let written = |pass: &Pass| {
                let reader = if pass.kind == 'F' { pass.stage + 1 } else { pass.stage.wrapping_sub(1) };
                let writes = self.uses(*pass).into_iter().filter(|(role, _)| *role == Role::Write);
                writes.map(|(_, label)| (label, rank_of[reader])).collect::<Vec<_>>()
            };
            step.iter().flat_map(written).filter(|(_, to)| *to != rank).collect::<Vec<_>>()
        };
        for (rank, program) in self.programs.iter().enumerate() {
            plan.begin_rank();
            for (from, theirs) in self.programs.iter().enumerate().filter(|(from, _)| *from != rank) {
                let labels = theirs.iter().flat_map(|step| sent(from, step)).filter(|(_, to)| *to == rank);
                for (label, _) in labels {
                    let comm = Comm::recv(plan.value(&label), from as i32);
                    plan.single(comm);
                }
            }
            for step in program {
                self.add(&mut plan, step);
                for (label, to) in sent(rank, step) {
                    let comm = Comm::send(plan.value(&label), to as i32);
                    plan.single(comm);
                }
            }
        }
        plan
    }

    /// For each rank the largest number of chunks whose forward has run and whose backward has not: the whole of it, or the
    /// half that `until` names, `I` or `W`.
    pub fn most_kept(&self, until: char) -> Vec<usize> {
        let most = |program: &Vec<Vec<Pass>>| {
            let (mut kept, mut most) = (0, 0);
            for step in program {
                // Overlapped, the forward runs while the backward still needs what it reads.
                kept += step.iter().filter(|pass| pass.kind == 'F').count();
                most = most.max(kept);
                kept -= step.iter().filter(|pass| pass.kind == 'B' || pass.kind == until).count();
            }
            most
        };
        self.programs.iter().map(most).collect()
    }

    /// Adds a step to the last rank of a plan.
    fn add(&self, plan: &mut Plan, step: &[Pass]) {
        let mut uses = Vec::new();
        for pass in step {
            let halves: &[char] =
                if pass.kind == 'B' && self.is_split() { &['I', 'W'] } else { &[pass.kind] };
            let label = |kind: &char| format!("{kind}[{},{}]", pass.stage, pass.micro);
            uses.extend(halves.iter().map(|kind| (Role::Name, plan.value(&label(kind)))));
        }
        for pass in step {
            for (role, label) in self.uses(*pass) {
                uses.push((role, plan.value(&label)));
            }
        }
        plan.compute(uses[0].1, &uses[1..], NONE);
    }

    /// What a pass reads, writes and follows.
    fn uses(&self, Pass { kind, stage, micro }: Pass) -> Vec<(Role, String)> {
        let mut uses = Vec::new();
        let label = |name: &str, stage: usize| format!("{name}[{stage},{micro}]");
        match kind {
            'F' => {
                uses.extend((!self.is_first(stage)).then(|| (Role::Read, label("Act", stage))));
                uses.extend((!self.is_last(stage)).then(|| (Role::Write, label("Act", stage + 1))));
            }
            'W' => uses.push((Role::After, label("I", stage))),
            _ => {
                uses.extend((!self.is_last(stage)).then(|| (Role::Read, label("Grad", stage + 1))));
                uses.extend((!self.is_first(stage)).then(|| (Role::Write, label("Grad", stage))));
                uses.push((Role::After, label("F", stage)));
            }
        }
        uses
    }
}

/// Every schedule at the sizes of `ps`, `vs` and `ms` that it can have. Interleaved ones want `m` to be a multiple of `p`,
/// DualPipe and DualPipeV at least `2 p` micro-batches, DualPipe even numbers.
pub fn all(ps: &[usize], vs: &[usize], ms: &[usize]) -> Vec<Order> {
    let mut orders = Vec::new();
    for &p in ps {
        for &m in ms {
            orders.extend([gpipe(p, m), one_f1b(p, m), zbv(p, m)]);
            for &v in vs {
                orders.push(looped_bfs(p, v, m));
                if m % p == 0 {
                    orders.extend([interleaved(p, v, m), interleaved_zero_bubble(p, v, m)]);
                }
            }
            if m >= 2 * p {
                orders.push(dual_pipe_v(p, m));
                orders.extend((p % 2 == 0 && m % 2 == 0).then(|| dual_pipe(p, m)));
            }
        }
    }
    orders
}

/// Numbers of ranks that [`every`] goes through.
pub const RANKS: [usize; 6] = [1, 2, 3, 4, 6, 8];
/// Numbers of stages per rank, for schedules that have several.
pub const CHUNKS: [usize; 4] = [1, 2, 3, 4];
/// The largest number of micro-batches; all from one on are gone through.
pub const MOST_MICROS: usize = 32;

/// Calls `visit` with every schedule at every size up to [`MOST_MICROS`] that the original allows, in all sizes of groups.
pub fn every(visit: &mut dyn FnMut(Order)) {
    for p in RANKS {
        for m in 1..=MOST_MICROS {
            [gpipe, one_f1b, deepspeed, zb_h1, zb_h2, zbv].into_iter().for_each(|order| visit(order(p, m)));
            if m >= 2 * p {
                visit(dual_pipe_v(p, m));
            }
            if p.is_multiple_of(2) {
                if m.is_multiple_of(p) {
                    visit(chimera(p, m));
                }
                if m.is_multiple_of(2) && m >= 2 * p {
                    visit(dual_pipe(p, m));
                }
            }
            for v in CHUNKS {
                visit(looped_bfs(p, v, m));
                if equal_groups(p, m).is_some() {
                    visit(interleaved(p, v, m));
                    visit(interleaved_zero_bubble(p, v, m));
                }
                for g in (p..=m).filter(|&g| is_group(p, m, g)) {
                    visit(interleaved_in_groups(p, v, m, g));
                    visit(interleaved_zero_bubble_in_groups(p, v, m, g));
                }
            }
        }
    }
}
