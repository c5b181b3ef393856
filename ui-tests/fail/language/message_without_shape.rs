// A message has an element type and a shape.
counterpart::schedule! {
    schedule Pair;
    message Act: [f32];

    rank 0 { send Act to 1; }
    rank 1 { recv Act from 0; }
}

fn main() {}
