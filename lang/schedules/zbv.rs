counterpart::schedule! {
    /// ZBV: zero bubble on a V, in the memory of 1F1B; two stages per rank, `r` and `2 P - 1 - r`.
    ///
    /// Source: Qi et al., "Zero Bubble Pipeline Parallelism" (2023), section 6; the order is that of PyTorch's
    /// `ScheduleZBVZeroBubble`.
    ///
    /// Where M >= 2 P - 1 and F = I = W, the times of one chunk, it takes (6 M + P - 1) F, and no rank idles once it
    /// has begun; each rank keeps 2 P chunks, as much as P full stages.
    ///
    /// ```text
    /// $ counterpart schedule zbv p=3 m=3 -q | counterpart show -
    /// slot     0       2       4       6       8       10      12      14      16      18      20
    /// rank 0 │ F0a F1a F2a ·   ·   F0b I0b W0b F1b I1b W1b F2b I2b W2b I0a W0a ·   I1a W1a ·   I2a W2a
    /// rank 1 │ ·   F0a F1a F2a F0b ·   F1b I0b W0b F2b I1b W1b I0a W0a I2b W2b I1a W1a ·   I2a W2a ·
    /// rank 2 │ ·   ·   F0a F0b F1a F1b F2a F2b I0b W0b I0a W0a I1b W1b I1a W1a I2b W2b I2a W2a ·   ·
    /// ```
    pub schedule ZBV(P, M);

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

    memory r <= min(2 * M, 2 * P) forward until backward_weight;
    comms auto;

    rank r in 0..P {
        let a = r;
        let b = 2 * P - 1 - r;
        // The pattern is made for at least 2 P - 1 micro-batches; of fewer, those that are not there are left out.
        let n = max(2 * P - 1, M);
        // How many forwards, input gradients and weight gradients of each stage there have been.
        let mut fa = 0; let mut ia = 0; let mut wa = 0;
        let mut fb = 0; let mut ib = 0; let mut wb = 0;

        while fa < 2 * (P - r) - 1 { forward(a, fa) if fa < M; fa += 1; }
        for turn in 0..r {
            forward(b, fb) if fb < M; fb += 1;
            forward(a, fa) if fa < M; fa += 1;
        }
        for turn in 0..P - r {
            forward(b, fb) if fb < M; fb += 1;
            backward_input(b, ib) if ib < M; ib += 1;
            backward_weight(b, wb) if wb < M; wb += 1;
        }
        while fb < fa || fa < n {
            if fa < n { forward(a, fa) if fa < M; fa += 1; }
            backward_input(a, ia) if ia < M; ia += 1;
            backward_weight(a, wa) if wa < M; wa += 1;
            forward(b, fb) if fb < M; fb += 1;
            backward_input(b, ib) if ib < M; ib += 1;
            backward_weight(b, wb) if wb < M; wb += 1;
        }
        for turn in 0..r {
            backward_input(a, ia) if ia < M; ia += 1;
            backward_input(b, ib) if ib < M; ib += 1;
        }
        for turn in 0..P - r {
            backward_input(a, ia) if ia < M; ia += 1;
            backward_weight(a, wa) if wa < M; wa += 1;
        }
        while wb < M { backward_weight(b, wb); wb += 1; }
        while wa < M { backward_weight(a, wa); wa += 1; }
    }
}
