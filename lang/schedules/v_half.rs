counterpart::schedule! {
    /// V-Half: half the memory of 1F1B; two stages per rank, `r` and `2 P - 1 - r`.
    ///
    /// Source: Qi et al., "Pipeline Parallelism with Controllable Memory" (2024). The order is searched for; with P = 4
    /// and M = 8 it takes as long as that of the authors, 53 F, where F = I = W.
    ///
    /// Each rank keeps at most P + 2 chunks, as much as P / 2 + 1 full stages.
    ///
    /// ```text
    /// $ counterpart schedule v-half p=3 m=3 -q | counterpart show -
    /// slot     0       2       4       6       8       10      12      14      16      18      20      22
    /// rank 0 │ F0a F2a F1a ·   ·   F0b I0b F1b I1b W0b W1b ·   I0a W0a F2b I2b I1a W2b W1a ·   ·   I2a W2a
    /// rank 1 │ ·   F0a F2a F1a F0b ·   F1b I0b ·   W0b I1b I0a W1b F2b W0a I1a I2b W2b W1a ·   I2a W2a ·
    /// rank 2 │ ·   ·   F0a F0b F1a F1b F2a ·   I0b I0a W0b F2b I1b I1a W1b ·   ·   W1a I2b I2a W2b W2a W0a
    /// ```
    pub schedule VHalf(P, M);

    require P > 0 && M > 0, "there is at least one rank, and one micro-batch";

    /// Enters stage `s`.
    message Act[s, m];
    /// Gradient of the loss by what stage `s` was given.
    message Grad[s, m];

    /// Takes micro-batch `m` through stage `s`.
    compute forward(s in 0..2 * P, m in 0..M) on min(s, 2 * P - 1 - s) {
        reads  Act[s, m]      if s > 0;
        writes Act[s + 1, m]  if s + 1 < 2 * P;
    }
    /// Takes the gradient of micro-batch `m` back through stage `s`.
    compute backward_input(s in 0..2 * P, m in 0..M) on min(s, 2 * P - 1 - s) {
        after  forward[s, m];
        reads  Grad[s + 1, m] if s + 1 < 2 * P;
        writes Grad[s, m]     if s > 0;
    }
    /// The gradient of the parameters of stage `s`, which nothing waits for.
    compute backward_weight(s in 0..2 * P, m in 0..M) on min(s, 2 * P - 1 - s) {
        after  backward_input[s, m];
    }

    memory r <= min(2 * M, P + 2) forward until backward_weight;
    comms auto;
    order search;
}
