// On rank 0 there is no stage before this one: `if r > 0` is missing.
counterpart::schedule! {
    schedule Chain(P);
    message Act[s]: [f32; 8];

    rank r in 0..P {
        recv Act[r - 1] from r - 1;
        send Act[r] to r + 1 if r + 1 < P;
    }

    instance Chain<3>;
}

fn main() {}
