// Comparisons do not chain.
counterpart::schedule! {
    schedule Chain(P);
    message Act[s]: [f32; 8];

    rank r in 0..P {
        recv Act[r] from r - 1 if 0 < r < P;
        send Act[r + 1] to r + 1 if r + 1 < P;
    }

    instance Chain<3>;
}

fn main() {}
