//! What is known of schedules without running them: makespan and memory as formulas.
//!
//! They speak of the ideal execution: a transfer takes no time, and every chunk takes as long as any other. Where a formula
//! needs more than that, its function says so, and leaves the makespan out where it does not hold.

/// How long the parts of a chunk take, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticks {
    /// The forward.
    pub f: u64,
    /// The gradient of the input, the first half of a backward.
    pub i: u64,
    /// The gradient of the weights, the second half.
    pub w: u64,
}

impl Ticks {
    /// The whole backward.
    pub fn b(self) -> u64 {
        self.i + self.w
    }

    /// A forward and its backward.
    fn all(self) -> u64 {
        self.f + self.b()
    }

    /// Do all three take the same time?
    fn is_even(self) -> bool {
        self.f == self.i && self.i == self.w
    }

    /// Does the second half of a backward fit wherever a forward or a first half is awaited?
    fn has_short_second_half(self) -> bool {
        self.w <= self.f && self.w <= self.i
    }
}

/// Makespan and memory of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// From the begin of the first step to the end of the last, in ticks; `None` where no formula holds.
    pub makespan: Option<u64>,
    /// For each rank the largest number of chunks whose forward has run and whose backward is not complete.
    pub kept: Vec<usize>,
    /// The same until the gradient of the input is there.
    pub kept_until_input: Vec<usize>,
}

impl Form {
    /// A schedule that does not tell the halves of a backward apart, or keeps as much until either.
    fn whole(makespan: Option<u64>, ranks: usize, kept: impl Fn(usize) -> usize) -> Form {
        Form::split(makespan, ranks, &kept, &kept)
    }

    fn split(
        makespan: Option<u64>,
        ranks: usize,
        kept: impl Fn(usize) -> usize,
        until_input: impl Fn(usize) -> usize,
    ) -> Form {
        Form {
            makespan,
            kept: (0..ranks).map(kept).collect(),
            kept_until_input: (0..ranks).map(until_input).collect(),
        }
    }
}

/// GPipe, `(m + p - 1)(F + B)`. Huang et al., "GPipe", 2019.
pub fn gpipe(p: usize, m: usize, t: Ticks) -> Form {
    Form::whole(Some((m + p - 1) as u64 * t.all()), p, |_| m)
}

/// 1F1B, `(m + p - 1)(F + B)`, `min(m, p - r)` on rank `r`. Narayanan et al., "Memory-Efficient
/// Pipeline-Parallel DNN Training", 2020. DeepSpeed's
/// TrainSchedule is the same.
pub fn one_f1b(p: usize, m: usize, t: Ticks) -> Form {
    Form::whole(Some((m + p - 1) as u64 * t.all()), p, |r| m.min(p - r))
}

/// Interleaved 1F1B in groups of `g`: `(v m + p - 1)(F + B)` where `m` and `g` are multiples of `p`. Narayanan et al.,
/// "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM", 2021.
pub fn interleaved(p: usize, v: usize, m: usize, g: usize, t: Ticks) -> Form {
    let holds = m.is_multiple_of(p) && g.is_multiple_of(p);
    let makespan = (v * m + p - 1) as u64 * t.all();
    Form::whole(holds.then_some(makespan), p, |r| (v * m).min((v - 1) * g + 2 * (p - 1 - r) + 1))
}

/// Interleaved zero bubble in groups of `g`: `v m (F + I + W) + (p - 1)(F + I - W)` where `m` and `g` are multiples of `p`, and
/// `W` is no longer than `F` and `I`. The formula of ZB-H1 with `v m` for `m`; computed.
pub fn interleaved_zero_bubble(p: usize, v: usize, m: usize, g: usize, t: Ticks) -> Form {
    let holds = m.is_multiple_of(p) && g.is_multiple_of(p) && t.has_short_second_half();
    let n = v * m;
    Form::split(
        holds.then(|| one_bubble(p, n, t)),
        p,
        |_| n.min((v - 1) * g + p),
        |r| n.min((v - 1) * g + p - r),
    )
}

/// The makespan of `n` chunks per rank when only the wait for the first backward is left: of each hop back to the first rank,
/// what `W` does not fill.
fn one_bubble(p: usize, n: usize, t: Ticks) -> u64 {
    n as u64 * t.all() + (p - 1) as u64 * (t.f + t.i - t.w)
}

/// Looped BFS, `(v m + p - 1)(F + B)`; with `v > 1` and `m < p` every chunk waits for a whole round, `(v p + m - 1)(F + B)`.
/// Lamy-Poirier, "Breadth-First Pipeline Parallelism", 2022; the second computed.
pub fn looped_bfs(p: usize, v: usize, m: usize, t: Ticks) -> Form {
    let slots = if v > 1 && m < p { v * p + m - 1 } else { v * m + p - 1 };
    Form::whole(Some(slots as u64 * t.all()), p, |_| v * m)
}

/// ZB-H1, `m (F + I + W) + (p - 1)(F + I - W)` for `m >= p`, where `W` is no longer than `F` and `I`; at most `p` kept. Qi et al.,
/// "Zero Bubble Pipeline Parallelism", 2023.
pub fn zb_h1(p: usize, m: usize, t: Ticks) -> Form {
    let holds = m >= p && t.has_short_second_half();
    Form::split(holds.then(|| one_bubble(p, m, t)), p, |_| m.min(p), |r| m.min(p - r))
}

/// ZB-H2 for `m >= 2 p - 1` and `F = I = W`: no rank is idle between its first step and its last, `m (F + I + W)`, and the last
/// rank begins `(p - 1) F` later than the first. At most `2 p` kept, and `2 (p - r) - 1` until the gradient of the input. Qi et al.,
/// "Zero Bubble Pipeline Parallelism", 2023, where only the time of a rank is counted: its bubble is `(p - 1)(F + I - 2 W) = 0`.
pub fn zb_h2(p: usize, m: usize, t: Ticks) -> Form {
    let holds = m + 1 >= 2 * p && t.is_even();
    let makespan = m as u64 * t.all() + (p - 1) as u64 * t.f;
    Form::split(holds.then_some(makespan), p, |_| m.min(2 * p), |r| m.min(2 * (p - r) - 1))
}

/// ZBV for `m >= 2 p - 1` and `F = I = W`: `(6 m + p - 1) F`, of which no rank is idle after its first step; `2 p` chunks kept.
/// Qi et al., "Zero Bubble Pipeline Parallelism", 2023, section 6. `None` for fewer micro-batches.
pub fn zbv(p: usize, m: usize, t: Ticks) -> Option<Form> {
    let makespan = (6 * m + p - 1) as u64 * t.f;
    (m + 1 >= 2 * p).then(|| Form::whole(t.is_even().then_some(makespan), p, |_| 2 * p))
}

/// What DualPipeV and DualPipe wait on one half of the way: `(h - 1)(FB + B - 3 W)`, where `FB`, a forward and a backward
/// overlapped, takes the time of both. Holds for `I = F` and `W` no longer than `F`.
fn dual_bubble(h: usize, t: Ticks) -> Option<u64> {
    // `F + 2 B - 3 W` is `3 F - W` there.
    (t.i == t.f && t.w <= t.f).then(|| (h - 1) as u64 * (3 * t.f - t.w))
}

/// DualPipeV, `2 m (F + B) + (p - 1)(FB + B - 3 W)` for `I = F` and `W` no longer than `F`; `2 p + 1` chunks kept. The
/// formula of DualPipe with all ranks on the way; computed.
pub fn dual_pipe_v(p: usize, m: usize, t: Ticks) -> Form {
    let makespan = dual_bubble(p, t).map(|bubble| 2 * m as u64 * t.all() + bubble);
    Form::whole(makespan, p, |_| 2 * p + 1)
}

/// DualPipe, `m (F + B) + (p / 2 - 1)(FB + B - 3 W)` for `I = F` and `W` no longer than `F`; `p + 1` chunks kept. DeepSeek-AI,
/// "DeepSeek-V3 Technical Report", 2024; the conditions computed.
pub fn dual_pipe(p: usize, m: usize, t: Ticks) -> Form {
    let makespan = dual_bubble(p / 2, t).map(|bubble| m as u64 * t.all() + bubble);
    Form::whole(makespan, p, |_| p + 1)
}

/// Chimera in `m / p` units, for `B` no shorter than `F`: `p F + (2 p - 2) B` for the first unit and `2 F + (2 p - 2) B` for each
/// further one, so with `F = B` only `p - 2` slots of each rank are empty. From `p / 2 + 1` chunks kept on the outer ranks to `p` in
/// the middle. Li and Hoefler, "Chimera", 2021; the formula computed.
pub fn chimera(p: usize, m: usize, t: Ticks) -> Form {
    let (ranks, units) = (p as u64, (m / p) as u64);
    let backwards = 2 * (ranks - 1) * units * t.b();
    let makespan = (ranks + 2 * (units - 1)) * t.f + backwards;
    Form::whole((t.b() >= t.f).then_some(makespan), p, |r| p / 2 + 1 + r.min(p - 1 - r))
}
