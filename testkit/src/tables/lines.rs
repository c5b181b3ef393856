//! One stage per rank.

use counterpart_core::Plan;
use counterpart_core::plan::Comm;

use super::{Order, Pass, Placement};

fn line(name: &str, p: usize, m: usize, program: impl Fn(usize) -> Vec<(char, usize)>) -> Order {
    let steps =
        |r: usize| program(r).into_iter().map(|(kind, micro)| vec![Pass { kind, stage: r, micro }]).collect();
    Order {
        name: format!("{name} p {p} m {m}"),
        stages: p,
        micros: m,
        placement: Placement::Loop,
        programs: (0..p).map(steps).collect(),
    }
}

/// GPipe: all forwards, then all backwards.
pub fn gpipe(p: usize, m: usize) -> Order {
    line("GPipe", p, m, |_| (0..m).map(|k| ('F', k)).chain((0..m).map(|k| ('B', k))).collect())
}

/// One forward, one backward.
pub fn one_f1b(p: usize, m: usize) -> Order {
    line("1F1B", p, m, |r| {
        let warmup = m.min(p - 1 - r);
        let mut program: Vec<(char, usize)> = (0..warmup).map(|k| ('F', k)).collect();
        program.extend((0..m - warmup).flat_map(|k| [('F', warmup + k), ('B', k)]));
        program.extend((m - warmup..m).map(|k| ('B', k)));
        program
    })
}

/// ZB-H1: one-forward-one-backward with the backward in two halves, of which the second lags behind by `r` micro-batches, so
/// that no rank keeps more than the first.
pub fn zb_h1(p: usize, m: usize) -> Order {
    line("ZB-H1", p, m, |r| {
        let warmup = m.min(p - 1 - r);
        let mut program: Vec<(char, usize)> = (0..warmup).map(|k| ('F', k)).collect();
        for k in 0..m {
            program.extend((warmup + k < m).then_some(('F', warmup + k)));
            program.push(('I', k));
            program.extend((k >= r).then(|| ('W', k - r)));
        }
        program.extend((m.saturating_sub(r)..m).map(|k| ('W', k)));
        program
    })
}

/// ZB-H2: enough forwards before the first backward that no rank is ever idle after it has begun, for about twice the memory.
///
/// The original searches for an order that keeps `2 p` forwards until the second halves of their backwards. This rule gives its
/// orders, pass by pass, for up to `2 p` micro-batches, and its makespans for any number: the second halves wait until there
/// is no room for a forward, or no forward left; the first rank does all that are pending once its last forward is through.
pub fn zb_h2(p: usize, m: usize) -> Order {
    line("ZB-H2", p, m, |r| {
        let (mut forwards, mut weights) = (m.min(2 * (p - 1 - r) + 1), 0);
        let mut program: Vec<(char, usize)> = (0..forwards).map(|k| ('F', k)).collect();
        for k in 0..m {
            program.push(('I', k));
            if forwards == m || forwards - weights == 2 * p {
                program.push(('W', weights));
                weights += 1;
            }
            if forwards < m {
                program.push(('F', forwards));
                forwards += 1;
                if r == 0 && forwards == m {
                    program.extend((weights..=k).map(|k| ('W', k)));
                    weights = k + 1;
                }
            }
        }
        program.extend((weights..m).map(|k| ('W', k)));
        program
    })
}

/// A step of DeepSpeed's TrainSchedule on a stage: whether it is a forward, and the micro-batch, where there is one.
fn deepspeed_step(p: usize, m: usize, stage: usize, step: usize) -> (bool, Option<usize>) {
    let is_forward = step % 2 == stage % 2;
    // The first forward of a stage has the number of the stage; the first backward comes down from the last stage.
    let first = if is_forward { stage } else { 2 * p - 1 - stage };
    (is_forward, step.checked_sub(first).map(|twice| twice / 2).filter(|&micro| micro < m))
}

/// DeepSpeed's TrainSchedule: forwards and backwards in lockstep.
pub fn deepspeed(p: usize, m: usize) -> Order {
    line("DeepSpeed", p, m, |stage| {
        let steps = (0..2 * (m + p - 1)).map(|step| deepspeed_step(p, m, stage, step));
        steps.filter_map(|(is_forward, micro)| Some((if is_forward { 'F' } else { 'B' }, micro?))).collect()
    })
}

/// DeepSpeed's TrainSchedule with its own communication: before a forward the gradient of the step before is sent and the
/// activation received, before a backward the gradient is received and the activation of the step before sent.
pub fn deepspeed_comms(p: usize, m: usize) -> Plan {
    let order = deepspeed(p, m);
    let mut plan = order.declared();
    for stage in 0..p {
        plan.begin_rank();
        let mut before = None;
        for step in 0..2 * (m + p - 1) {
            let (is_forward, micro) = deepspeed_step(p, m, stage, step);
            let peer =
                if is_forward { stage.checked_sub(1) } else { Some(stage + 1).filter(|&next| next < p) };
            let (sent, received) = if is_forward { ("Grad", "Act") } else { ("Act", "Grad") };
            // What crosses the boundary to the stage before has the number of this stage, and so on.
            let boundary = if is_forward { stage } else { stage + 1 };
            if let Some(peer) = peer {
                let mut value = |name: &str, micro: usize| plan.value(&format!("{name}[{boundary},{micro}]"));
                let send = before.map(|micro| Comm::send(value(sent, micro), peer as i32));
                let recv = micro.map(|micro| Comm::recv(value(received, micro), peer as i32));
                let comms = if is_forward { [send, recv] } else { [recv, send] };
                comms.into_iter().flatten().for_each(|comm| plan.single(comm));
            }
            if let Some(micro) = micro {
                order.add(&mut plan, &[Pass { kind: if is_forward { 'F' } else { 'B' }, stage, micro }]);
            }
            before = micro;
        }
    }
    plan
}
