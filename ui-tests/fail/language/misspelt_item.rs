// `mesage` instead of `message`.
counterpart::schedule! {
    schedule Pair;
    mesage Act: [f32; 8];

    rank 0 { send Act to 1; }
    rank 1 { recv Act from 0; }
}

fn main() {}
