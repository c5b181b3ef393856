counterpart::schedule! {
    /// Chimera: two chains in opposite directions; units of `P` micro-batches, half of them through each chain.
    pub schedule Chimera(P, M);

    require P > 0 && M > 0, "there is at least one rank, and one micro-batch";
    require P % 2 == 0 && M % P == 0, "Chimera takes an even number of ranks, and a multiple of it of micro-batches";

    /// Enters stage `s` of chain `c`.
    message Act[c, s, m];
    /// Gradient of the loss by what stage `s` of chain `c` was given.
    message Grad[c, s, m];

    /// Stage `s` of the second chain is on the rank that is as far from the other end.
    fn rank_of(c, s) { if c == 0 { s } else { P - 1 - s } }

    /// Takes micro-batch `m` of chain `c` through stage `s`.
    compute forward(c in 0..2, s in 0..P, m in 0..M / 2) on rank_of(c, s) {
        reads  Act[c, s, m]      if s > 0;
        writes Act[c, s + 1, m]  if s + 1 < P;
    }
    /// Takes the gradient of micro-batch `m` of chain `c` back through stage `s`.
    compute backward(c in 0..2, s in 0..P, m in 0..M / 2) on rank_of(c, s) {
        after  forward[c, s, m];
        reads  Grad[c, s + 1, m] if s + 1 < P;
        writes Grad[c, s, m]     if s > 0;
    }
    cost backward = 2;

    memory r <= P forward until backward;
    comms auto;

    // A unit of `P` micro-batches begins every `2 P` slots; its micro-batches enter each chain in every second slot. What is
    // done for a micro-batch that entered in slot `t`:
    fn is_slot(t) -> bool { t >= 0 && t % 2 == 0 && t % (2 * P) < P && t / (2 * P) < M / P }
    fn micro(t) { t / (2 * P) * (P / 2) + t % (2 * P) / 2 }

    rank r in 0..P {
        let u = P - 1 - r;
        for slot in 0..2 * M + P {
            // At most one of the four.
            forward(0, r, micro(slot - r)) if is_slot(slot - r);
            forward(1, u, micro(slot - u)) if is_slot(slot - u);
            backward(0, r, micro(slot - (2 * P - 1 - r))) if is_slot(slot - (2 * P - 1 - r));
            backward(1, u, micro(slot - (2 * P - 1 - u))) if is_slot(slot - (2 * P - 1 - u));
        }
    }
}
