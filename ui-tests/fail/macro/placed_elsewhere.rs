// Stage 2 of a V is on the second rank again.
counterpart::schedule! {
    schedule Valley(P, M);
    message Act[s, m]: [f32; 8];
    compute forward(s in 0..2 * P, m in 0..M) on min(s, 2 * P - 1 - s) {
        reads  Act[s, m]     if s > 0;
        writes Act[s + 1, m] if s + 1 < 2 * P;
    }
    comms auto;
    rank r in 0..P {
        for m in 0..M {
            forward(r, m);
            forward(P + r, m);
        }
    }
    instance Valley<2, 2>;
}

fn main() {}
