// Rank 0 sends the whole batch where rank 1 receives a half of it.
counterpart::schedule! {
    schedule Pair;
    message Whole: [f32; 16, 8];
    message Half:  [f32; 8, 8];

    rank 0 { send Whole to 1; }
    rank 1 { recv Half from 0; }
}

fn main() {}
