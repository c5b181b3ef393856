// Rank 0 sends half precision where rank 1 receives single precision.
counterpart::schedule! {
    schedule Pair;
    message Act:      [f32; 8];
    message SmallAct: [f16; 8];

    rank 0 { send SmallAct to 1; }
    rank 1 { recv Act from 0; }
}

fn main() {}
