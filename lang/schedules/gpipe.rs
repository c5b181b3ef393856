counterpart::schedule! {
    /// GPipe: all forwards, then all backwards; one stage per rank.
    ///
    /// Source: Huang et al., "GPipe" (2019).
    ///
    /// It takes (M + P - 1)(F + B), of which each rank is idle for (P - 1)(F + B); a rank keeps the activations of all
    /// M micro-batches.
    ///
    /// ```text
    /// $ counterpart schedule gpipe p=4 m=6 -q | counterpart show -
    /// slot     0              5              10             15
    /// rank 0 │ F0 F1 F2 F3 F4 F5 ·  ·  ·  ·  ·  ·  B0 B1 B2 B3 B4 B5
    /// rank 1 │ ·  F0 F1 F2 F3 F4 F5 ·  ·  ·  ·  B0 B1 B2 B3 B4 B5 ·
    /// rank 2 │ ·  ·  F0 F1 F2 F3 F4 F5 ·  ·  B0 B1 B2 B3 B4 B5 ·  ·
    /// rank 3 │ ·  ·  ·  F0 F1 F2 F3 F4 F5 B0 B1 B2 B3 B4 B5 ·  ·  ·
    /// ```
    pub schedule GPipe(P, M);

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

    memory r <= M forward until backward;
    comms auto;

    rank r in 0..P {
        for m in 0..M { forward(r, m); }
        for m in 0..M { backward(r, m); }
    }
}
