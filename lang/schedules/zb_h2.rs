counterpart::schedule! {
    /// ZB-H2: nearly no bubble, for twice the memory of 1F1B; one stage per rank.
    pub schedule ZBH2(P, M);

    require P > 0 && M > 0, "there is at least one rank, and one micro-batch";

    /// Enters stage `s`.
    message Act[s, m];
    /// Gradient of the loss by what stage `s` was given.
    message Grad[s, m];

    /// Takes micro-batch `m` through stage `s`.
    compute forward(s in 0..P, m in 0..M) on s {
        reads  Act[s, m]      if s > 0;
        writes Act[s + 1, m]  if s + 1 < P;
    }
    /// Takes the gradient of micro-batch `m` back through stage `s`.
    compute backward_input(s in 0..P, m in 0..M) on s {
        after  forward[s, m];
        reads  Grad[s + 1, m] if s + 1 < P;
        writes Grad[s, m]     if s > 0;
    }
    /// The gradient of the parameters of stage `s`, which nothing waits for.
    compute backward_weight(s in 0..P, m in 0..M) on s {
        after  backward_input[s, m];
    }

    memory r <= min(M, 2 * P) forward until backward_weight;
    comms auto;
    order search;
}
