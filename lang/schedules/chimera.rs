counterpart::schedule! {
    /// Chimera: two chains in opposite directions; units of `P` micro-batches, half of them through each chain.
    ///
    /// Source: Li and Hoefler, "Chimera" (2021); units follow each other as in the generator of the authors. Stage s of
    /// the second chain is a copy of stage s of the first, on rank P - 1 - s; their gradients have to be added up after
    /// the last step.
    ///
    /// Where B >= F, a unit takes P F + (2 P - 2) B, and each further one 2 F + (2 P - 2) B more; rank r keeps
    /// P / 2 + 1 + min(r, P - 1 - r) chunks.
    ///
    /// ```text
    /// $ counterpart schedule chimera p=4 m=4 -q | counterpart show -
    /// slot     0       2       4       6       8
    /// rank 0 │ F0a F1a ·   F0b B0b F1b B1b B0a ·   B1a
    /// rank 1 │ ·   F0a F0b F1a F1b B0b B0a B1b B1a ·
    /// rank 2 │ ·   F0b F0a F1b F1a B0a B0b B1a B1b ·
    /// rank 3 │ F0b F1b ·   F0a B0a F1a B1a B0b ·   B1b
    /// ```
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
