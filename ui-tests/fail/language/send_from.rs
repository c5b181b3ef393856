// A send goes `to` a rank.
counterpart::schedule! {
    schedule Pair;
    message Act: [f32; 8];

    rank 0 { send Act from 1; }
    rank 1 { recv Act from 0; }
}

fn main() {}
