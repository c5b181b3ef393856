counterpart::schedule! {
    /// ZBV: zero bubble on a V, in the memory of 1F1B; two stages per rank, `r` and `2 P - 1 - r`.
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
