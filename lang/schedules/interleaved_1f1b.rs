counterpart::schedule! {
    /// Interleaved one-forward-one-backward; `V` stages per rank, dealt out in a loop.
    ///
    /// Source: Narayanan et al., "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM"
    /// (2021). `G` micro-batches go through one chunk before the next; where it is 0, that is M / max(1, M / P), as in
    /// PyTorch's `ScheduleInterleaved1F1B`, else it is Megatron-LM's group size.
    ///
    /// Where P divides M and G it takes (V M + P - 1)(F + B), F and B being the times of one chunk, of which each rank
    /// is idle for (P - 1)(F + B), a share of (P - 1) / (V M + P - 1); rank r keeps min(V M, (V - 1) G + 2
    /// (P - 1 - r) + 1) chunks.
    ///
    /// ```text
    /// $ counterpart schedule interleaved-1f1b p=3 v=2 m=3 -q | counterpart show -
    /// slot     0       2       4       6       8       10      12      14
    /// rank 0 │ F0a F1a F2a F0b F1b F2b ·   ·   B0b ·   B1b ·   B2b B0a B1a B2a
    /// rank 1 │ ·   F0a F1a F2a F0b F1b F2b B0b ·   B1b ·   B2b B0a B1a B2a ·
    /// rank 2 │ ·   ·   F0a F1a F2a F0b B0b F1b B1b F2b B2b B0a B1a B2a ·   ·
    /// ```
    pub schedule Interleaved1F1B(P, V, M, G = 0);

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
    compute backward(s in 0..V * P, m in 0..M) on s % P {
        after  forward[s, m];
        reads  Grad[s + 1, m] if s + 1 < V * P;
        writes Grad[s, m]     if s > 0;
    }
    cost backward = 2;

    memory r <= min(V * M, (V - 1) * group + 2 * (P - 1 - r) + 1) forward until backward;
    comms auto;

    rank r in 0..P {
        let n = V * M;
        let warmup = min(n, (V - 1) * group + 2 * (P - 1 - r));
        for k in 0..warmup { forward(down(k, r), micro(k)); }
        for k in 0..n - warmup {
            forward(down(warmup + k, r), micro(warmup + k));
            backward(up(k, r), micro(k));
        }
        for k in n - warmup..n { backward(up(k, r), micro(k)); }
    }
}
