// There are ranks 0 and 2, but no rank 1.
counterpart::schedule! {
    schedule Three;
    message Act: [f32; 8];

    rank 0 { send Act to 2; }
    rank 2 { recv Act from 0; }
}

fn main() {}
