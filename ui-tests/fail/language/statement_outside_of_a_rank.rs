// Who sends?
counterpart::schedule! {
    schedule Pair;
    message Act: [f32; 8];

    send Act to 1;
    rank 1 { recv Act from 0; }
}

fn main() {}
