// The last rank sends on to a rank that does not exist: `if r + 1 < P` is missing.
counterpart::schedule! {
    schedule Chain(P);
    message Act[s]: [f32; 8];

    compute forward(s in 0..P) {
        reads  Act[s] if s > 0;
        writes Act[s + 1];
    }

    rank r in 0..P {
        recv Act[r] from r - 1 if r > 0;
        forward(r);
        send Act[r + 1] to r + 1;
    }

    instance Chain<3>;
}

fn main() {}
