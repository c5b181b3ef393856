// The schedule has two parameters.
counterpart::schedule! {
    schedule Chain(P, M);
    message Act[s, m]: [f32; 8];

    rank r in 0..P {
        for m in 0..M {
            recv Act[r, m] from r - 1 if r > 0;
            send Act[r + 1, m] to r + 1 if r + 1 < P;
        }
    }

    instance Chain<3>;
}

fn main() {}
