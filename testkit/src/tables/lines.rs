//! One stage per rank.

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
