// `float` is no element type.
counterpart::schedule! {
    schedule Pair;
    message Act: [float; 8];

    rank 0 { send Act to 1; }
    rank 1 { recv Act from 0; }
}

fn main() {}
