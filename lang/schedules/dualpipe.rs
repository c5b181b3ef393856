counterpart::schedule! {
    /// DualPipe: two chains in opposite directions, half of the micro-batches through each, forwards and backwards
    /// overlapped.
    ///
    /// Source: DeepSeek-AI, "DeepSeek-V3 Technical Report" (2024). Stage s of the second chain is a copy of stage s of
    /// the first, on rank P - 1 - s; their gradients have to be added up after the last step.
    ///
    /// Where I = F and W is no longer than F it takes M (F + B) + (P / 2 - 1)(FB + B - 3 W), FB being the time of an
    /// overlapped pair, here F + B; each rank keeps at most P + 1 chunks.
    ///
    /// ```text
    /// $ counterpart schedule dualpipe p=4 m=8 -q | counterpart show -
    /// slot     0             2             4             6             8             10            12
    /// rank 0 │ F0a    F1a    F2a    F0b    I0b    W0b    F1b    F3aB1b F2bB0a B2b    F3bB1a B3b    I2a    W2a
    /// rank 1 │ ·      F0a    F0b    F1a    F1b    F2a    B0b    F2bB0a F3aB1b F3bB1a B2b    B2a    I3b    I3a
    /// rank 2 │ ·      F0b    F0a    F1b    F1a    F2b    B0a    F2aB0b F3bB1a F3aB1b B2a    B2b    I3a    I3b
    /// rank 3 │ F0b    F1b    F2b    F0a    I0a    W0a    F1a    F3bB1a F2aB0b B2a    F3aB1b B3a    I2b    ·
    /// ```
    pub schedule DualPipe(P, M);

    require P > 0 && M > 0, "there is at least one rank, and one micro-batch";
    require P % 2 == 0 && M % 2 == 0, "DualPipe takes an even number of ranks, and of micro-batches";
    require M >= 2 * P, "DualPipe takes at least 2 P micro-batches";

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
    compute backward_input(c in 0..2, s in 0..P, m in 0..M / 2) on rank_of(c, s) {
        after  forward[c, s, m];
        reads  Grad[c, s + 1, m] if s + 1 < P;
        writes Grad[c, s, m]     if s > 0;
    }
    /// The gradient of the parameters of stage `s`, which nothing waits for.
    compute backward_weight(c in 0..2, s in 0..P, m in 0..M / 2) on rank_of(c, s) {
        after  backward_input[c, s, m];
    }

    memory r <= P + 1 forward until backward_weight;
    comms auto;

    rank r in 0..P {
        // How far the rank is from the nearer end, in the first half of the ranks that is how far from the beginning of
        // the first chain; the other half sees the chains the other way round.
        let near = min(r, P - 1 - r);
        let far = P - 1 - near;
        let x = if r == near { 0 } else { 1 };
        let y = 1 - x;
        let h = P / 2;
        // How many forwards and backwards of each chain there have been: of `x`, at whose beginning the rank is, and of `y`.
        let mut fx = 0; let mut fy = 0;
        let mut bx = 0; let mut by = 0;

        for turn in 0..2 * (h - 1 - near) { forward(x, near, fx); fx += 1; }
        for turn in 0..near + 1 {
            forward(x, near, fx); fx += 1;
            forward(y, far, fy); fy += 1;
        }
        for turn in 0..h - 1 - near {
            backward_input(y, far, by);
            defer backward_weight(y, far, by);
            by += 1;
            resume backward_weight;
            forward(y, far, fy); fy += 1;
        }
        for turn in 0..M / 2 - P + near + 1 {
            if turn == 0 && near == h - 1 {
                forward(x, near, fx);
                overlap { backward_input(y, far, by); backward_weight(y, far, by); }
            } else {
                overlap { forward(x, near, fx); backward_input(y, far, by); backward_weight(y, far, by); }
            }
            fx += 1; by += 1;
            overlap { forward(y, far, fy); backward_input(x, near, bx); backward_weight(x, near, bx); }
            fy += 1; bx += 1;
        }
        for turn in 0..h - 1 - near {
            overlap { backward_input(y, far, by); backward_weight(y, far, by); }
            by += 1;
            overlap { forward(y, far, fy); backward_input(x, near, bx); backward_weight(x, near, bx); }
            fy += 1; bx += 1;
        }
        // From half-way on the backwards fall into halves: where `near` is odd before that of chain `y`, else after it.
        let half = (near + 1) / 2;
        for turn in 0..near + 1 {
            if turn > half || turn == half && near % 2 == 1 {
                backward_input(y, far, by);
                defer backward_weight(y, far, by);
            } else {
                overlap { backward_input(y, far, by); backward_weight(y, far, by); }
            }
            by += 1;
            if turn >= half {
                backward_input(x, near, bx);
                defer backward_weight(x, near, bx);
            } else {
                overlap { backward_input(x, near, bx); backward_weight(x, near, bx); }
            }
            bx += 1;
        }
        for turn in 0..h - 1 - near {
            resume backward_weight;
            backward_input(x, near, bx);
            defer backward_weight(x, near, bx);
            bx += 1;
        }
        resume all backward_weight;
    }
}
