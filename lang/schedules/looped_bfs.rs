counterpart::schedule! {
    /// Looped breadth-first: all micro-batches through one chunk after the other, and back; `V` stages per rank.
    ///
    /// Source: Lamy-Poirier, "Breadth-First Pipeline Parallelism" (2022); the order is that of PyTorch's
    /// `ScheduleLoopedBFS`.
    ///
    /// It takes (V M + P - 1)(F + B) where M >= P, F and B being the times of one chunk; a rank keeps all V M chunks.
    ///
    /// ```text
    /// $ counterpart schedule looped-bfs p=3 v=2 m=3 -q | counterpart show -
    /// slot     0       2       4       6       8       10      12      14
    /// rank 0 │ F0a F1a F2a F0b F1b F2b ·   ·   ·   ·   B2b B1b B0b B2a B1a B0a
    /// rank 1 │ ·   F0a F1a F2a F0b F1b F2b ·   ·   B2b B1b B0b B2a B1a B0a ·
    /// rank 2 │ ·   ·   F0a F1a F2a F0b F1b F2b B2b B1b B0b B2a B1a B0a ·   ·
    /// ```
    pub schedule LoopedBFS(P, V, M);

    require P > 0 && V > 0 && M > 0, "there is at least one rank, one chunk and one micro-batch";

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

    memory r <= V * M forward until backward;
    comms auto;

    rank r in 0..P {
        for chunk in 0..V {
            for m in 0..M { forward(chunk * P + r, m); }
        }
        for chunk in (0..V).rev() {
            for m in (0..M).rev() { backward(chunk * P + r, m); }
        }
    }
}
