// The module of a schedule is called like it, in lower case.
counterpart::schedule! {
    schedule pair;
    message Act: [f32; 8];

    rank 0 { send Act to 1; }
    rank 1 { recv Act from 0; }
}

fn main() {}
