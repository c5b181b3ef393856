counterpart::schedule! {
    /// GPipe: all forwards, then all backwards; one stage per rank.
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
