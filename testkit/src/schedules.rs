//! Schedules of the field at any size, as plans that are safe under every model.
//!
//! All train a model in `S` stages on `M` micro-batches: `Act[s, m]` enters stage `s`, `Grad[s, m]` leaves it. They say
//! what their compute steps read and write, and declare the domain of both.

use counterpart_core::dtype::{DType, Payload};
use counterpart_core::plan::{Comm, Plan};
use counterpart_core::tape::{NONE, Role};
use counterpart_core::value::Value;

/// A micro-batch passes a stage, forward or backward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pass {
    forward: bool,
    stage: usize,
    micro: usize,
}

/// A plan under construction, with the families of a pipeline.
struct Pipeline {
    plan: Plan,
    stages: usize,
    act: u32,
    grad: u32,
    forward: u32,
    backward: u32,
}

impl Pipeline {
    fn new(name: String, stages: usize, micros: usize) -> Pipeline {
        let mut plan = Plan::new(name);
        let (act, grad) = (plan.family("Act", 2), plan.family("Grad", 2));
        let (forward, backward) = (plan.family("forward", 2), plan.family("backward", 2));
        for name in ["forward", "backward"] {
            plan.declare(name, &[0..stages as u64, 0..micros as u64]);
        }
        Pipeline { plan, stages, act, grad, forward, backward }
    }

    fn act(&self, stage: usize, micro: usize) -> Value {
        Value::new(self.act, &[stage as u64, micro as u64])
    }

    fn grad(&self, stage: usize, micro: usize) -> Value {
        Value::new(self.grad, &[stage as u64, micro as u64])
    }

    /// The value that a pass brings about, and the stage that it enters; `None` at the ends of the pipeline.
    fn output(&self, pass: Pass) -> Option<(Value, usize)> {
        let Pass { forward, stage, micro } = pass;
        match forward {
            true if stage + 1 < self.stages => Some((self.act(stage + 1, micro), stage + 1)),
            false if stage > 0 => Some((self.grad(stage, micro), stage - 1)),
            _ => None,
        }
    }

    fn compute(&mut self, pass: Pass) {
        let Pass { forward, stage, micro } = pass;
        let at = [stage as u64, micro as u64];
        let (first, last) = (stage == 0, stage + 1 == self.stages);
        let mut uses = Vec::new();
        if forward {
            uses.extend((!first).then(|| (Role::Read, self.act(stage, micro))));
        } else {
            uses.push((Role::After, Value::new(self.forward, &at)));
            uses.extend((!last).then(|| (Role::Read, self.grad(stage + 1, micro))));
        }
        uses.extend(self.output(pass).map(|(value, _)| (Role::Write, value)));
        let family = if forward { self.forward } else { self.backward };
        self.plan.compute(Value::new(family, &at), &uses, NONE);
    }
}

const fn send(value: Value, to: usize) -> Comm {
    Comm::send(value, to as i32).with(Payload::new(DType::F32, 2048))
}

const fn recv(value: Value, from: usize) -> Comm {
    Comm::recv(value, from as i32).with(Payload::new(DType::F32, 2048))
}

/// One-forward-one-backward, one stage per rank, as Megatron-LM runs it: in the steady state each send is batched with
/// the receive of the opposite direction. About `4 p m` steps.
pub fn one_f1b(p: usize, m: usize) -> Plan {
    let mut line = Pipeline::new(format!("OneF1B<{p},{m}>"), p, m);
    for r in 0..p {
        line.plan.begin_rank();
        let (first, last) = (r == 0, r + 1 == p);
        let warmup = m.min(p - 1 - r);
        for k in 0..warmup {
            line.receive_act(r, k);
            line.compute(Pass { forward: true, stage: r, micro: k });
            line.plan.single(send(line.act(r + 1, k), r + 1));
        }
        if warmup < m {
            line.receive_act(r, warmup);
        }
        for k in 0..m - warmup {
            line.compute(Pass { forward: true, stage: r, micro: warmup + k });
            if !last {
                let items = [send(line.act(r + 1, warmup + k), r + 1), recv(line.grad(r + 1, k), r + 1)];
                line.plan.batch(&items, NONE);
            }
            line.compute(Pass { forward: false, stage: r, micro: k });
            if !first && warmup + k + 1 < m {
                let items = [send(line.grad(r, k), r - 1), recv(line.act(r, warmup + k + 1), r - 1)];
                line.plan.batch(&items, NONE);
            } else {
                line.send_grad(r, k);
            }
        }
        for k in m - warmup..m {
            line.plan.single(recv(line.grad(r + 1, k), r + 1));
            line.compute(Pass { forward: false, stage: r, micro: k });
            line.send_grad(r, k);
        }
    }
    line.plan
}

/// GPipe: all forward passes, then all backward passes, one stage per rank, no batches. About `6 p m` steps.
pub fn gpipe(p: usize, m: usize) -> Plan {
    let mut line = Pipeline::new(format!("GPipe<{p},{m}>"), p, m);
    for r in 0..p {
        line.plan.begin_rank();
        for k in 0..m {
            line.receive_act(r, k);
            line.compute(Pass { forward: true, stage: r, micro: k });
            if r + 1 < p {
                line.plan.single(send(line.act(r + 1, k), r + 1));
            }
        }
        for k in 0..m {
            if r + 1 < p {
                line.plan.single(recv(line.grad(r + 1, k), r + 1));
            }
            line.compute(Pass { forward: false, stage: r, micro: k });
            line.send_grad(r, k);
        }
    }
    line.plan
}

impl Pipeline {
    fn receive_act(&mut self, r: usize, micro: usize) {
        if r > 0 {
            self.plan.single(recv(self.act(r, micro), r - 1));
        }
    }

    fn send_grad(&mut self, r: usize, micro: usize) {
        if r > 0 {
            self.plan.single(send(self.grad(r, micro), r - 1));
        }
    }
}

/// Interleaved one-forward-one-backward: `v` stages per rank, stage `s` on rank `s mod p`, micro-batches in groups of
/// `p`. Each value travels as soon as it is there, send and receive at the same place of one global order. About `6 p v m`
/// steps.
///
/// # Panics
/// When `m` is no multiple of `p`.
pub fn interleaved(p: usize, v: usize, m: usize) -> Plan {
    assert!(m.is_multiple_of(p), "micro-batches come in groups of {p}");
    let mut line = Pipeline::new(format!("Interleaved<{p},{v},{m}>"), p * v, m);
    let orders: Vec<Vec<Pass>> = (0..p).map(|r| interleaved_order(p, v, m, r)).collect();
    let mut programs = vec![Vec::new(); p];
    let mut next = vec![0; p];
    // Passes that have run, forward and backward, by stage and micro-batch.
    let mut ran = [vec![false; p * v * m], vec![false; p * v * m]];
    while (0..p).any(|r| next[r] < orders[r].len()) {
        for r in 0..p {
            let Some(&pass) = orders[r].get(next[r]) else { continue };
            let Pass { forward, stage, micro } = pass;
            let ready = match forward {
                true => stage == 0 || ran[0][(stage - 1) * m + micro],
                false => stage + 1 == p * v || ran[1][(stage + 1) * m + micro],
            };
            if !ready {
                continue;
            }
            next[r] += 1;
            ran[usize::from(!forward)][stage * m + micro] = true;
            programs[r].push(Action::Compute(pass));
            if let Some((value, to)) = line.output(pass).filter(|(_, to)| to % p != r) {
                programs[r].push(Action::Transfer(send(value, to % p)));
                programs[to % p].push(Action::Transfer(recv(value, r)));
            }
        }
    }
    for program in programs {
        line.plan.begin_rank();
        for action in program {
            match action {
                Action::Compute(pass) => line.compute(pass),
                Action::Transfer(comm) => line.plan.single(comm),
            }
        }
    }
    line.plan
}

#[derive(Clone, Copy)]
enum Action {
    Compute(Pass),
    Transfer(Comm),
}

/// The passes of one rank in order.
fn interleaved_order(p: usize, v: usize, m: usize, r: usize) -> Vec<Pass> {
    let n = v * m;
    let warmup = n.min((v - 1) * p + 2 * (p - 1 - r));
    let pass = |forward: bool, k: usize| {
        let (group, inside) = (k / (p * v), k % (p * v));
        let chunk = if forward { inside / p } else { v - 1 - inside / p };
        Pass { forward, stage: chunk * p + r, micro: group * p + inside % p }
    };
    let mut order: Vec<Pass> = (0..warmup).map(|k| pass(true, k)).collect();
    for k in 0..n - warmup {
        order.extend([pass(true, warmup + k), pass(false, k)]);
    }
    order.extend((n - warmup..n).map(|k| pass(false, k)));
    order
}

/// An all-gather in a ring: in each of `p - 1` rounds every rank passes on to the next what it got last. A batch per round
/// ties all ranks together. `p * (p + 1)` steps.
///
/// # Panics
/// With fewer than two ranks.
pub fn ring(p: usize) -> Plan {
    assert!(p >= 2, "a ring has at least two ranks");
    let mut plan = Plan::new(format!("Ring<{p}>"));
    let (block, make, gather) = (plan.family("Block", 1), plan.family("make", 1), plan.family("gather", 1));
    for name in ["make", "gather"] {
        plan.declare(name, std::slice::from_ref(&(0..p as u64)));
    }
    for r in 0..p {
        plan.begin_rank();
        let at = |k: usize| Value::new(block, &[((r + p - k) % p) as u64]);
        plan.compute(Value::new(make, &[r as u64]), &[(Role::Write, at(0))], NONE);
        for k in 0..p - 1 {
            plan.batch(&[send(at(k), (r + 1) % p), recv(at(k + 1), (r + p - 1) % p)], NONE);
        }
        let reads: Vec<_> = (0..p).map(|k| (Role::Read, at(k))).collect();
        plan.compute(Value::new(gather, &[r as u64]), &reads, NONE);
    }
    plan
}
