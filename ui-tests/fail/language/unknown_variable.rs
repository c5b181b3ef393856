// `p` is not a parameter, `P` is.
counterpart::schedule! {
    schedule Chain(P);
    message Act[s]: [f32; 8];

    rank r in 0..P {
        recv Act[r] from r - 1 if r > 0;
        send Act[r + 1] to r + 1 if r + 1 < p;
    }

    instance Chain<3>;
}

fn main() {}
