counterpart::schedule! {
    /// DeepSpeed's TrainSchedule: one-forward-one-backward in lockstep; one stage per rank.
    pub schedule DeepSpeed(P, M);

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
        for t in 0..2 * (M + P - 1) {
            // Twice the micro-batch whose turn it is; forwards on steps as even or odd as the stage, else backwards.
            let f = t - r;
            let b = t - (2 * P - 1 - r);
            forward(r, f / 2) if f % 2 == 0 && f >= 0 && f < 2 * M;
            backward(r, b / 2) if b % 2 == 0 && b >= 0 && b < 2 * M;
        }
    }
}
