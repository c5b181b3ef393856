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

/// Chunk and micro-batch of the `k`-th pass of a rank, in groups of `g` micro-batches.
fn unit(k: usize, g: usize, v: usize) -> (usize, usize) {
    let (group, inside) = (k / (g * v), k % (g * v));
    (inside / g, group * g + inside % g)
}

/// How many micro-batches a group has: `p`, or a little more where `m` is no multiple of it.
fn group(p: usize, m: usize) -> usize {
    let rounds = (m / p).max(1);
    assert!(m.is_multiple_of(rounds), "{m} micro-batches make no {rounds} equal groups");
    m / rounds
}

/// Interleaved one-forward-one-backward.
///
/// # Panics
/// When `m` micro-batches do not fall into `max(1, m / p)` equal groups.
pub fn interleaved(p: usize, v: usize, m: usize) -> Order {
    let g = group(p, m);
    chunked("interleaved 1F1B", (p, v, m), |r| {
        let n = v * m;
        let warmup = n.min((v - 1) * g + 2 * (p - 1 - r));
        let forward = |k: usize| {
            let (chunk, micro) = unit(k, g, v);
            ('F', chunk, micro)
        };
        let backward = |k: usize| {
            let (chunk, micro) = unit(k, g, v);
            ('B', v - 1 - chunk, micro)
        };
        let mut program: Vec<_> = (0..warmup).map(forward).collect();
        program.extend((0..n - warmup).flat_map(|k| [forward(warmup + k), backward(k)]));
        program.extend((n - warmup..n).map(backward));
        program
    })
}

/// Interleaved one-forward-one-backward with the backward in two halves, the second of which fills the gaps.
///
/// # Panics
/// When `m` micro-batches do not fall into `max(1, m / p)` equal groups.
pub fn interleaved_zero_bubble(p: usize, v: usize, m: usize) -> Order {
    let g = group(p, m);
    chunked("interleaved zero bubble", (p, v, m), |r| {
        let n = v * m;
        let warmup = n.min((v - 1) * g + (p - 1 - r));
        let mut program = Vec::new();
        let mut pending = VecDeque::new();
        for k in 0..n + warmup {
            if k < n {
                let (chunk, micro) = unit(k, g, v);
                program.push(('F', chunk, micro));
            }
            if k >= warmup {
                let (chunk, micro) = unit(k - warmup, g, v);
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
