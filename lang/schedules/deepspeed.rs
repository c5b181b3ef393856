counterpart::schedule! {
    /// DeepSpeed's TrainSchedule: one-forward-one-backward in lockstep; one stage per rank.
    ///
    /// Source: the class `TrainSchedule` of DeepSpeed. In step t rank r runs a forward where t and r are both even or
    /// both odd, else a backward.
    ///
    /// It computes in the order of 1F1B and takes as long, (M + P - 1)(F + B); rank r keeps the activations of min(M,
    /// P - r) micro-batches.
    ///
    /// ```text
    /// $ counterpart schedule deepspeed p=4 m=6 -q | counterpart show -
    /// slot     0              5              10             15
    /// rank 0 │ F0 F1 F2 F3 ·  ·  ·  B0 F4 B1 F5 B2 ·  B3 ·  B4 ·  B5
    /// rank 1 │ ·  F0 F1 F2 ·  ·  B0 F3 B1 F4 B2 F5 B3 ·  B4 ·  B5 ·
    /// rank 2 │ ·  ·  F0 F1 ·  B0 F2 B1 F3 B2 F4 B3 F5 B4 ·  B5 ·  ·
    /// rank 3 │ ·  ·  ·  F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 ·  ·  ·
    /// ```
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
