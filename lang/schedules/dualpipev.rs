counterpart::schedule! {
    /// DualPipeV: DualPipe cut in half; two stages per rank, `r` and `2 P - 1 - r`, forwards and backwards overlapped.
    ///
    /// Source: DeepSeek's DualPipe repository (2025), after Sea AI Lab; the order is that of PyTorch's
    /// `ScheduleDualPipeV`.
    ///
    /// Where I = F and W is no longer than F, the times of one chunk, it takes 2 M (F + B) + (P - 1)(FB + B - 3 W), FB
    /// being the time of an overlapped pair, here F + B; each rank keeps at most 2 P + 1 chunks.
    ///
    /// ```text
    /// $ counterpart schedule dualpipev p=2 m=4 -q | counterpart show -
    /// slot     0             2             4             6             8             10            12
    /// rank 0 │ F0a    F1a    F2a    F0b    I0b    W0b    F1b    F3aB1b F2bB0a B2b    F3bB1a B3b    I2a    ·
    /// rank 1 │ ·      F0a    F0b    F1a    F1b    F2a    B0b    F2bB0a F3aB1b F3bB1a B2b    B2a    I3b    I3a
    /// ```
    pub schedule DualPipeV(P, M);

    require P > 0 && M > 0, "there is at least one rank, and one micro-batch";
    require M >= 2 * P, "DualPipeV takes at least 2 P micro-batches";

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

    memory r <= 2 * P + 1 forward until backward_weight;
    comms auto;

    rank r in 0..P {
        let a = r;
        let b = 2 * P - 1 - r;
        // How many forwards and backwards of each stage there have been.
        let mut fa = 0; let mut fb = 0;
        let mut ba = 0; let mut bb = 0;

        for turn in 0..2 * (P - 1 - r) { forward(a, fa); fa += 1; }
        for turn in 0..r + 1 {
            forward(a, fa); fa += 1;
            forward(b, fb); fb += 1;
        }
        for turn in 0..P - 1 - r {
            backward_input(b, bb);
            defer backward_weight(b, bb);
            bb += 1;
            resume backward_weight;
            forward(b, fb); fb += 1;
        }
        for turn in 0..M - 2 * P + r + 1 {
            if turn == 0 && r == P - 1 {
                // The last rank has just made what its first backward needs.
                forward(a, fa);
                overlap { backward_input(b, bb); backward_weight(b, bb); }
            } else {
                overlap { forward(a, fa); backward_input(b, bb); backward_weight(b, bb); }
            }
            fa += 1; bb += 1;
            overlap { forward(b, fb); backward_input(a, ba); backward_weight(a, ba); }
            fb += 1; ba += 1;
        }
        for turn in 0..P - 1 - r {
            overlap { backward_input(b, bb); backward_weight(b, bb); }
            bb += 1;
            overlap { forward(b, fb); backward_input(a, ba); backward_weight(a, ba); }
            fb += 1; ba += 1;
        }
        // From half-way on the backwards fall into halves: on odd ranks before that of stage `b`, on even ones after it.
        let half = (r + 1) / 2;
        for turn in 0..r + 1 {
            if turn > half || turn == half && r % 2 == 1 {
                backward_input(b, bb);
                defer backward_weight(b, bb);
            } else {
                overlap { backward_input(b, bb); backward_weight(b, bb); }
            }
            bb += 1;
            if turn >= half {
                backward_input(a, ba);
                defer backward_weight(a, ba);
            } else {
                overlap { backward_input(a, ba); backward_weight(a, ba); }
            }
            ba += 1;
        }
        for turn in 0..P - 1 - r {
            resume backward_weight;
            backward_input(a, ba);
            defer backward_weight(a, ba);
            ba += 1;
        }
        resume all backward_weight;
    }
}
