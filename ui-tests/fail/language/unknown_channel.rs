// There is no channel called `buffered`.
counterpart::schedule! {
    schedule Pair;
    model buffered;
    message Act: [f32; 8];

    rank 0 { send Act to 1; }
    rank 1 { recv Act from 0; }
}

fn main() {}
