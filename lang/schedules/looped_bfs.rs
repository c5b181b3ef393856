counterpart::schedule! {
    /// Looped breadth-first: all micro-batches through one chunk after the other, and back; `V` stages per rank.
    pub schedule LoopedBFS(P, V, M);

    require P > 0 && V > 0 && M > 0, "there is at least one rank, one chunk and one micro-batch";

    /// Enters stage `s`.
    message Act[s, m];
    /// Gradient of the loss by what stage `s` was given.
    message Grad[s, m];

    /// Takes micro-batch `m` through stage `s`.
    compute forward(s in 0..V * P, m in 0..M) on s % P {
        reads  Act[s, m]      if s > 0;
        writes Act[s + 1, m]  if s + 1 < V * P;
    }
    /// Takes the gradient of micro-batch `m` back through stage `s`.
    compute backward(s in 0..V * P, m in 0..M) on s % P {
        after  forward[s, m];
        reads  Grad[s + 1, m] if s + 1 < V * P;
        writes Grad[s, m]     if s > 0;
    }
    cost backward = 2;

    memory r <= V * M forward until backward;
    comms auto;

    rank r in 0..P {
        for chunk in 0..V {
            for m in 0..M { forward(chunk * P + r, m); }
        }
        for chunk in (0..V).rev() {
            for m in (0..M).rev() { backward(chunk * P + r, m); }
        }
    }
}
