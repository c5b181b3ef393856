// The schedule is safe with at least as many micro-batches as ranks, but one instance has fewer.
counterpart::schedule! {
    schedule Fill(P, M);
    message Act[s, m]: [f32; 8];

    rank r in 0..P {
        for m in 0..M { recv Act[r, m] from r - 1 if r > 0; }
        for m in 0..max(M, P) { send Act[r + 1, m] to r + 1 if r + 1 < P; }
    }

    instance Fill<4, 8>;
    instance Fill<4, 2>;
}

fn main() {}
