counterpart::schedule! {
    /// Interleaved zero bubble; `V` stages per rank, dealt out in a loop.
    ///
    /// Source: PyTorch's `ScheduleInterleavedZeroBubble`, after Qi et al., "Zero Bubble Pipeline Parallelism" (2023).
    /// Backwards are in halves, I for the input and W for the weights, which lag behind by r chunks.
    ///
    /// Where P divides M and G, and W is no longer than F and I, it takes V M (F + I + W) + (P - 1)(F + I - W); each
    /// rank keeps min(V M, (V - 1) G + P) chunks.
    ///
    /// ```text
    /// $ counterpart schedule interleaved-zb p=3 v=2 m=3 -q | counterpart show -
    /// slot     0       2       4       6       8       10      12      14      16      18
    /// rank 0 │ F0a F1a F2a F0b F1b F2b ·   ·   I0b W0b I1b W1b I2b W2b I0a W0a I1a W1a I2a W2a
    /// rank 1 │ ·   F0a F1a F2a F0b F1b ·   I0b F2b I1b W0b I2b W1b I0a W2b I1a W0a I2a W1a W2a
    /// rank 2 │ ·   ·   F0a F1a F2a F0b I0b F1b I1b F2b I2b W0b I0a W1b I1a W2b I2a W0a W1a W2a
    /// ```
    pub schedule InterleavedZeroBubble(P, V, M, G = 0);

    require P > 0 && V > 0 && M > 0, "there is at least one rank, one chunk and one micro-batch";
    require G > 0 || M % max(1, M / P) == 0,
        "the micro-batches do not fall into M / P equal groups; give a size of the groups, G";
    require G == 0 || P <= G && G <= M && (M % G == 0 || M % G >= P),
        "a group has from P to M micro-batches, and the last one at least P, too";

    let group = if G > 0 { G } else { M / max(1, M / P) };

    // The units of a rank go through groups of micro-batches, inside a group chunk by chunk; the last may be shorter.
    fn begin(k) { k / (group * V) * group }
    fn size(k) { min(group, M - begin(k)) }
    fn inside(k) { k - begin(k) * V }
    fn chunk(k) { inside(k) / size(k) }
    fn micro(k) { begin(k) + inside(k) % size(k) }
    fn down(k, r) { chunk(k) * P + r }
    fn up(k, r) { (V - 1 - chunk(k)) * P + r }

    /// Enters stage `s`.
    message Act[s, m];
    /// Gradient of the loss by what stage `s` was given.
    message Grad[s, m];

    /// Takes micro-batch `m` through stage `s`.
    compute forward(s in 0..V * P, m in 0..M) on s % P {
        reads  Act[s, m]      if s > 0;
        writes Act[s + 1, m]  if s + 1 < V * P;
    }
    /// Takes the gradient of micro-batch `m` back through stage `s`.
    compute backward_input(s in 0..V * P, m in 0..M) on s % P {
        after  forward[s, m];
        reads  Grad[s + 1, m] if s + 1 < V * P;
        writes Grad[s, m]     if s > 0;
    }
    /// The gradient of the parameters of stage `s`, which nothing waits for.
    compute backward_weight(s in 0..V * P, m in 0..M) on s % P {
        after  backward_input[s, m];
    }

    memory r <= min(V * M, (V - 1) * group + P) forward until backward_weight;
    comms auto;

    rank r in 0..P {
        let n = V * M;
        let warmup = min(n, (V - 1) * group + P - 1 - r);
        for k in 0..n + warmup {
            forward(down(k, r), micro(k)) if k < n;
            if k >= warmup {
                let b = k - warmup;
                backward_input(up(b, r), micro(b));
                defer backward_weight(up(b, r), micro(b));
                resume backward_weight if b >= r;
            }
        }
        resume all backward_weight;
    }
}
