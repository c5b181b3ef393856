//! Several stages per rank, dealt out in a loop.

use std::collections::VecDeque;

use super::{Order, Pass, Placement};

fn chunked(
    name: &str,
    (p, v, m): (usize, usize, usize),
    program: impl Fn(usize) -> Vec<(char, usize, usize)>,
) -> Order {
    let steps = |r: usize| {
        let passes = program(r).into_iter();
        passes.map(|(kind, chunk, micro)| vec![Pass { kind, stage: chunk * p + r, micro }]).collect()
    };
    Order {
        name: format!("{name} p {p} v {v} m {m}"),
        stages: p * v,
        micros: m,
        placement: Placement::Loop,
        programs: (0..p).map(steps).collect(),
    }
}

/// Chunk and micro-batch of every pass of a rank in turn: group after group of `g` micro-batches, the last may be shorter;
/// inside a group chunk after chunk.
fn units(v: usize, m: usize, g: usize) -> Vec<(usize, usize)> {
    let mut units = Vec::new();
    for begin in (0..m).step_by(g) {
        for chunk in 0..v {
            units.extend((begin..m.min(begin + g)).map(|micro| (chunk, micro)));
        }
    }
    units
}

/// The size of the groups in PyTorch: `p`, or a little more where `m` is no multiple of it, or all of fewer micro-batches.
/// `None` where they would not be equal, which PyTorch refuses.
pub fn equal_groups(p: usize, m: usize) -> Option<usize> {
    let rounds = (m / p).max(1);
    m.is_multiple_of(rounds).then_some(m / rounds)
}

/// Does Megatron take groups of `g`? They have at least `p` micro-batches, the last one too.
pub fn is_group(p: usize, m: usize, g: usize) -> bool {
    p <= g && g <= m && (m.is_multiple_of(g) || m % g >= p)
}

/// The name of a schedule with groups of a given size.
fn grouped(name: &str, g: usize) -> String {
    format!("{name} in groups of {g}")
}

/// Interleaved one-forward-one-backward in the groups of PyTorch.
///
/// # Panics
/// When `m` micro-batches do not fall into `max(1, m / p)` equal groups.
pub fn interleaved(p: usize, v: usize, m: usize) -> Order {
    let g = equal_groups(p, m).expect("equal groups");
    interleaved_named("interleaved 1F1B", (p, v, m), g)
}

/// Interleaved one-forward-one-backward in groups of `g` micro-batches, the last of which may be shorter. Megatron's, for
/// the sizes of [`is_group`].
pub fn interleaved_in_groups(p: usize, v: usize, m: usize, g: usize) -> Order {
    interleaved_named(&grouped("interleaved 1F1B", g), (p, v, m), g)
}

fn interleaved_named(name: &str, (p, v, m): (usize, usize, usize), g: usize) -> Order {
    let units = units(v, m, g);
    chunked(name, (p, v, m), |r| {
        let n = units.len();
        let warmup = n.min((v - 1) * g + 2 * (p - 1 - r));
        let forward = |k: usize| ('F', units[k].0, units[k].1);
        let backward = |k: usize| ('B', v - 1 - units[k].0, units[k].1);
        let mut program: Vec<_> = (0..warmup).map(forward).collect();
        program.extend((0..n - warmup).flat_map(|k| [forward(warmup + k), backward(k)]));
        program.extend((n - warmup..n).map(backward));
        program
    })
}

/// Interleaved one-forward-one-backward with the backward in two halves, the second of which fills the gaps, in the groups
/// of PyTorch.
///
/// # Panics
/// When `m` micro-batches do not fall into `max(1, m / p)` equal groups.
pub fn interleaved_zero_bubble(p: usize, v: usize, m: usize) -> Order {
    let g = equal_groups(p, m).expect("equal groups");
    interleaved_zero_bubble_named("interleaved zero bubble", (p, v, m), g)
}

/// [`interleaved_zero_bubble`] in groups of `g` micro-batches, the last of which may be shorter. PyTorch has it for equal
/// groups only.
pub fn interleaved_zero_bubble_in_groups(p: usize, v: usize, m: usize, g: usize) -> Order {
    interleaved_zero_bubble_named(&grouped("interleaved zero bubble", g), (p, v, m), g)
}

fn interleaved_zero_bubble_named(name: &str, (p, v, m): (usize, usize, usize), g: usize) -> Order {
    let units = units(v, m, g);
    chunked(name, (p, v, m), |r| {
        let n = units.len();
        let warmup = n.min((v - 1) * g + (p - 1 - r));
        let mut program = Vec::new();
        let mut pending = VecDeque::new();
        for k in 0..n + warmup {
            program.extend(units.get(k).map(|&(chunk, micro)| ('F', chunk, micro)));
            if k >= warmup {
                let (chunk, micro) = units[k - warmup];
                program.push(('I', v - 1 - chunk, micro));
                pending.push_back(('W', v - 1 - chunk, micro));
                if k - warmup >= r {
                    program.extend(pending.pop_front());
                }
            }
        }
        program.extend(pending);
        program
    })
}

/// Breadth first: all micro-batches through one chunk after the other, and back in the opposite order.
pub fn looped_bfs(p: usize, v: usize, m: usize) -> Order {
    chunked("looped BFS", (p, v, m), |_| {
        let forward = (0..v).flat_map(|chunk| (0..m).map(move |micro| ('F', chunk, micro)));
        let backward = (0..v).rev().flat_map(|chunk| (0..m).rev().map(move |micro| ('B', chunk, micro)));
        forward.chain(backward).collect()
    })
}
