counterpart::schedule! {
    /// One-forward-one-backward; one stage per rank.
    ///
    /// Source: Narayanan et al., "Memory-Efficient Pipeline-Parallel DNN Training" (2020); the order is that of
    /// Megatron-LM and of PyTorch's `Schedule1F1B`.
    ///
    /// It takes (M + P - 1)(F + B), of which each rank is idle for (P - 1)(F + B), a share of (P - 1) / (M + P - 1);
    /// rank r keeps the activations of min(M, P - r) micro-batches.
    ///
    /// ```text
    /// $ counterpart schedule 1f1b p=4 m=6 -q | counterpart show -
    /// slot     0              5              10             15
    /// rank 0 │ F0 F1 F2 F3 ·  ·  ·  B0 F4 B1 F5 B2 ·  B3 ·  B4 ·  B5
    /// rank 1 │ ·  F0 F1 F2 ·  ·  B0 F3 B1 F4 B2 F5 B3 ·  B4 ·  B5 ·
    /// rank 2 │ ·  ·  F0 F1 ·  B0 F2 B1 F3 B2 F4 B3 F5 B4 ·  B5 ·  ·
    /// rank 3 │ ·  ·  ·  F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 ·  ·  ·
    /// ```
    pub schedule OneF1B(P, M);

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
    compute backward(s in 0..P, m in 0..M) on s {
        after  forward[s, m];
        reads  Grad[s + 1, m] if s + 1 < P;
        writes Grad[s, m]     if s > 0;
    }
    cost backward = 2;

    memory r <= min(M, P - r) forward until backward;
    comms auto;

    rank r in 0..P {
        let warmup = min(M, P - 1 - r);
        for m in 0..warmup { forward(r, m); }
        for k in 0..M - warmup {
            forward(r, warmup + k);
            backward(r, k);
        }
        for m in M - warmup..M { backward(r, m); }
    }
}
