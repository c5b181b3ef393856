//! Two stages per rank, one on the way down and one on the way up.

use std::collections::{BTreeMap, VecDeque};

use super::{Order, Pass, Placement};

/// The program of one rank under construction. Phase 0 and phase 1 are its two stages.
struct Program {
    stages: [usize; 2],
    /// Micro-batches from `first[phase]` on, below `end[phase]`; later ones are left out.
    first: [usize; 2],
    count: usize,
    /// How many passes of each kind and phase there were: `F`, then `I` or `B`.
    next: [[usize; 2]; 2],
    /// Second halves of backwards that are still to come.
    pending: VecDeque<Pass>,
    steps: Vec<Vec<Pass>>,
}

impl Program {
    fn new(stages: [usize; 2], first: [usize; 2], count: usize) -> Program {
        Program { stages, first, count, next: [[0; 2]; 2], pending: VecDeque::new(), steps: Vec::new() }
    }

    /// The next pass of a kind and phase; `None` for one beyond the last micro-batch.
    fn take(&mut self, kind: char, phase: usize) -> Option<Pass> {
        let next = &mut self.next[usize::from(kind != 'F')][phase];
        *next += 1;
        let micro = *next - 1;
        (micro < self.count).then(|| Pass {
            kind,
            stage: self.stages[phase],
            micro: self.first[phase] + micro,
        })
    }

    /// `F`, `B` or `I` as a step of its own.
    fn run(&mut self, kind: char, phase: usize) {
        if let Some(pass) = self.take(kind, phase) {
            self.steps.push(vec![pass]);
            if kind == 'I' {
                self.pending.push_back(Pass { kind: 'W', ..pass });
            }
        }
    }

    /// The oldest pending half of a backward.
    fn weight(&mut self) {
        self.steps.extend(self.pending.pop_front().map(|pass| vec![pass]));
    }

    /// The oldest pending half of a backward of one phase.
    fn weight_of(&mut self, phase: usize) {
        let at = self.pending.iter().position(|pass| pass.stage == self.stages[phase]);
        self.steps.extend(at.and_then(|at| self.pending.remove(at)).map(|pass| vec![pass]));
    }

    /// A forward and a backward at once.
    fn overlap(&mut self, forward: usize, backward: usize) {
        let passes = [self.take('F', forward), self.take('B', backward)];
        self.steps.push(passes.into_iter().flatten().collect());
    }
}

/// Zero bubble on a V.
pub fn zbv(p: usize, m: usize) -> Order {
    let n = m.max(2 * p - 1);
    let program = |r: usize| {
        let mut run = Program::new([r, 2 * p - 1 - r], [0, 0], m);
        (0..2 * (p - r) - 1).for_each(|_| run.run('F', 0));
        for _ in 0..r {
            run.run('F', 1);
            run.run('F', 0);
        }
        for _ in 0..p - r {
            run.run('F', 1);
            run.run('I', 1);
            run.weight_of(1);
        }
        while run.next[0][1] < run.next[0][0] || run.next[0][0] < n {
            if run.next[0][0] < n {
                run.run('F', 0);
            }
            run.run('I', 0);
            run.weight_of(0);
            run.run('F', 1);
            run.run('I', 1);
            run.weight_of(1);
        }
        for _ in 0..r {
            run.run('I', 0);
            run.run('I', 1);
        }
        for _ in 0..p - r {
            run.run('I', 0);
            run.weight_of(0);
        }
        while run.pending.iter().any(|pass| pass.stage == run.stages[1]) {
            run.weight_of(1);
        }
        while !run.pending.is_empty() {
            run.weight();
        }
        run.steps
    };
    Order {
        name: format!("ZBV p {p} m {m}"),
        stages: 2 * p,
        micros: m,
        placement: Placement::V,
        programs: (0..p).map(program).collect(),
    }
}

/// The program of rank `r` of `p` in DualPipeV, `m` micro-batches through each phase.
fn dual(mut run: Program, (r, p): (usize, usize), steady: usize) -> Vec<Vec<Pass>> {
    (0..2 * (p - 1 - r)).for_each(|_| run.run('F', 0));
    for _ in 0..r + 1 {
        run.run('F', 0);
        run.run('F', 1);
    }
    for _ in 0..p - 1 - r {
        run.run('I', 1);
        run.weight();
        run.run('F', 1);
    }
    for k in 0..steady {
        if k == 0 && r + 1 == p {
            run.run('F', 0);
            run.run('B', 1);
        } else {
            run.overlap(0, 1);
        }
        run.overlap(1, 0);
    }
    for _ in 0..p - 1 - r {
        run.run('B', 1);
        run.overlap(1, 0);
    }
    let half = r.div_ceil(2);
    for k in 0..r + 1 {
        // Half-way the backward falls into halves: on even ranks after phase 1, on odd ones before it.
        let is_split = |odd: bool| k > half || k == half && odd;
        run.run(if is_split(r % 2 == 1) { 'I' } else { 'B' }, 1);
        run.run(if is_split(true) { 'I' } else { 'B' }, 0);
    }
    for _ in 0..p - 1 - r {
        run.weight();
        run.run('I', 0);
    }
    (0..r + 1).for_each(|_| run.weight());
    run.steps
}

/// DualPipeV: both directions of a V at once, forwards and backwards overlapped.
///
/// # Panics
/// With fewer than `2 p` micro-batches.
pub fn dual_pipe_v(p: usize, m: usize) -> Order {
    assert!(m >= 2 * p, "{m} micro-batches are fewer than {}", 2 * p);
    let program = |r: usize| {
        let run = Program::new([r, 2 * p - 1 - r], [0, 0], m);
        dual(run, (r, p), m + r + 1 - 2 * p)
    };
    Order {
        name: format!("DualPipeV p {p} m {m}"),
        stages: 2 * p,
        micros: m,
        placement: Placement::V,
        programs: (0..p).map(program).collect(),
    }
}

/// DualPipe: two chains in opposite directions, half of the micro-batches through each.
///
/// # Panics
/// With an odd number of ranks or of micro-batches, or with fewer than `2 p` micro-batches.
pub fn dual_pipe(p: usize, m: usize) -> Order {
    assert!(p.is_multiple_of(2) && m.is_multiple_of(2) && m >= 2 * p, "no DualPipe of {p} and {m}");
    let program = |r: usize| {
        let near = r.min(p - 1 - r);
        let (down, up) = ((r, 0), (2 * p - 1 - r, m / 2));
        let [first, second] = if r < p / 2 { [down, up] } else { [up, down] };
        let run = Program::new([first.0, second.0], [first.1, second.1], m / 2);
        dual(run, (near, p / 2), m / 2 + near + 1 - p)
    };
    Order {
        name: format!("DualPipe p {p} m {m}"),
        stages: 2 * p,
        micros: m,
        placement: Placement::Bidirectional,
        programs: (0..p).map(program).collect(),
    }
}

/// Chimera: two chains in opposite directions, half of the micro-batches through each, in units of `p` micro-batches.
///
/// Every pass has its slot. A unit takes `3 p - 2` slots and leaves `p - 2` of them empty on each rank; the next unit begins
/// `2 p` slots later, so that its first forwards fill what the one before leaves empty. This is the *direct concatenation* as
/// the generator of the paper's authors does it: a chain begins its next unit when the first backward of its unit is through.
/// (With six ranks and more, that generator puts several passes into one slot from the third unit on; with two it drops all
/// units but the first. Here these go on like the others.)
///
/// # Panics
/// With an odd number of ranks, or when `m` is no multiple of `p`.
pub fn chimera(p: usize, m: usize) -> Order {
    assert!(p.is_multiple_of(2) && m.is_multiple_of(p), "no Chimera of {p} and {m}");
    let program = |r: usize| {
        let mut slots = BTreeMap::new();
        for k in 0..m / 2 {
            let begin = k / (p / 2) * 2 * p + k % (p / 2) * 2;
            for (chain, stage) in [(0, r), (1, p - 1 - r)] {
                let pass = |kind| Pass { kind, stage: chain * p + stage, micro: chain * m / 2 + k };
                let taken = [
                    slots.insert(begin + stage, vec![pass('F')]),
                    slots.insert(begin + 2 * p - 1 - stage, vec![pass('B')]),
                ];
                assert_eq!(taken, [None, None], "each slot is taken once");
            }
        }
        slots.into_values().collect()
    };
    Order {
        name: format!("Chimera p {p} m {m}"),
        stages: 2 * p,
        micros: m,
        placement: Placement::Bidirectional,
        programs: (0..p).map(program).collect(),
    }
}
