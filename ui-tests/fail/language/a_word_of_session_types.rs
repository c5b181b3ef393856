// The generated code needs the name `Batch` for itself.
counterpart::schedule! {
    schedule Pair;
    message Batch: [f32; 8];

    rank 0 { send Batch to 1; }
    rank 1 { recv Batch from 0; }
}

fn main() {}
