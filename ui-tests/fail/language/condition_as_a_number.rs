// A condition stands where a number belongs.
counterpart::schedule! {
    schedule Chain(P);
    message Act[s]: [f32; 8];

    rank r in 0..P {
        let warmup = r < P;
        for m in 0..warmup { send Act[m] to r + 1; }
    }

    instance Chain<3>;
}

fn main() {}
