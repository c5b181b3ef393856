counterpart::schedule! {
    /// ZB-H1: the memory of 1F1B, and a third of its bubble; one stage per rank.
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
