counterpart::schedule! {
    /// ZB-H1: the memory of 1F1B, and a third of its bubble; one stage per rank.
    ///
    /// Source: Qi et al., "Zero Bubble Pipeline Parallelism" (2023). The order of 1F1B with the backward in halves; the
    /// second lags behind by r micro-batches and fills what would be idle.
    ///
    /// Where M >= P, and W is no longer than F and I, it takes M (F + I + W) + (P - 1)(F + I - W); each rank keeps the
    /// activations of P micro-batches.
    ///
    /// ```text
    /// $ counterpart schedule zb-h1 p=4 m=6 -q | counterpart show -
    /// slot     0              5              10             15             20
    /// rank 0 │ F0 F1 F2 F3 ·  ·  ·  I0 W0 F4 I1 W1 F5 I2 W2 ·  I3 W3 ·  I4 W4 ·  I5 W5
    /// rank 1 │ ·  F0 F1 F2 ·  ·  I0 F3 I1 ·  W0 F4 I2 W1 F5 I3 W2 ·  I4 W3 ·  I5 W4 W5
    /// rank 2 │ ·  ·  F0 F1 ·  I0 F2 I1 F3 I2 ·  ·  W0 F4 I3 W1 F5 I4 W2 ·  I5 W3 W4 W5
    /// rank 3 │ ·  ·  ·  F0 I0 F1 I1 F2 I2 F3 I3 ·  ·  ·  W0 F4 I4 W1 F5 I5 W2 W3 W4 W5
    /// ```
    pub schedule ZBH1(P, M);

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

    memory r <= min(M, P) forward until backward_weight;
    comms auto;

    rank r in 0..P {
        let warmup = min(M, P - 1 - r);
        for k in 0..M + warmup {
            forward(r, k) if k < M;
            if k >= warmup {
                let b = k - warmup;
                backward_input(r, b);
                defer backward_weight(r, b);
                resume backward_weight if b >= r;
            }
        }
        resume all backward_weight;
    }
}
