// Rank 1 sends to itself.
counterpart::schedule! {
    schedule Pair;
    message Act: [f32; 8];

    rank 0 { send Act to 1; }
    rank 1 { recv Act from 0; send Act to 1; }
}

fn main() {}
