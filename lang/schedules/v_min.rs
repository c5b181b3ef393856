counterpart::schedule! {
    /// V-Min: a third of the memory of 1F1B; two stages per rank, `r` and `2 P - 1 - r`.
    pub schedule VMin(P, M);

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

    memory r <= min(2 * M, (P + 4) / 3 * 2) forward until backward_weight;
    comms auto;
    order search;
}
