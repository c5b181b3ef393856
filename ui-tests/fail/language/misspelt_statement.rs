// `receive` is called `recv` here.
counterpart::schedule! {
    schedule Pair;
    message Act: [f32; 8];

    rank 0 { send Act to 1; }
    rank 1 { receive Act from 0; }
}

fn main() {}
