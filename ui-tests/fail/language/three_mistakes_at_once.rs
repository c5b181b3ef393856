// Each mistake is reported at its own place, not only the first.
counterpart::schedule! {
    schedule Pair;
    message Act: [f32; 8];

    rank 0 {
        send Akt to 1;
        forwrad();
        send Act to nobody;
    }
    rank 1 { recv Act from 0; }
}

fn main() {}
