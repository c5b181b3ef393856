const WIDTH: usize = 64;

counterpart::schedule! {
    /// One-forward-one-backward, one stage per rank.
    pub schedule OneF1B(P, M);

    message Act[s, m]:  [f32; WIDTH]; // enters stage s
    message Grad[s, m]: [f32; WIDTH]; // leaves stage s

    compute forward(s in 0..P, m in 0..M) {
        reads  Act[s, m]     if s > 0;
        writes Act[s + 1, m] if s + 1 < P;
    }
    compute backward(s in 0..P, m in 0..M) {
        after  forward[s, m];
        reads  Grad[s + 1, m] if s + 1 < P;
        writes Grad[s, m]     if s > 0;
    }

    rank r in 0..P {
        let warmup = min(M, P - 1 - r);
        for m in 0..warmup {
            recv Act[r, m] from r - 1 if r > 0;
            forward(r, m);
            send Act[r + 1, m] to r + 1 if r + 1 < P;
        }
        for k in 0..M - warmup {
            recv Act[r, warmup + k] from r - 1 if r > 0;
            forward(r, warmup + k);
            batch {
                send Act[r + 1, warmup + k] to r + 1 if r + 1 < P;
                recv Grad[r + 1, k] from r + 1 if r + 1 < P;
            }
            backward(r, k);
            send Grad[r, k] to r - 1 if r > 0;
        }
        for k in M - warmup..M {
            recv Grad[r + 1, k] from r + 1 if r + 1 < P;
            backward(r, k);
            send Grad[r, k] to r - 1 if r > 0;
        }
    }

    instance OneF1B<2, 4>;
    instance OneF1B<4, 8>;
}
