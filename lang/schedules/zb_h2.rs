counterpart::schedule! {
    /// ZB-H2: no rank idles once it has begun, for up to twice the memory of 1F1B; one stage per rank.
    ///
    /// Source: Qi et al., "Zero Bubble Pipeline Parallelism" (2023), where the order is searched for, as it is here.
    ///
    /// Where M >= 2 P - 1 and F = I = W it takes M (F + I + W) + (P - 1) F; each rank keeps the activations of
    /// 2 P micro-batches at most.
    ///
    /// ```text
    /// $ counterpart schedule zb-h2 p=4 m=6 -q | counterpart show -
    /// slot     0              5              10             15             20
    /// rank 0 │ F0 F1 F2 F3 F4 F5 ·  I0 W0 ·  I1 W1 ·  I2 W2 I3 W3 I4 W4 I5 W5
    /// rank 1 │ ·  F0 F1 F2 F3 F4 I0 W0 F5 I1 W1 ·  I2 W2 I3 W3 I4 W4 I5 W5 ·
    /// rank 2 │ ·  ·  F0 F1 F2 I0 W0 F3 I1 W1 F4 I2 F5 I3 W2 I4 W3 I5 W4 W5 ·
    /// rank 3 │ ·  ·  ·  F0 I0 W0 F1 I1 W1 F2 I2 F3 I3 F4 I4 F5 I5 W2 W3 W4 W5
    /// ```
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
