// Rank 0 sends what it computes only in the next step.
counterpart::schedule! {
    schedule Pair;
    message Act: [f32; 8];

    compute first() { writes Act; }
    compute last()  { reads Act; }

    rank 0 {
        send Act to 1;
        first();
    }
    rank 1 {
        recv Act from 0;
        last();
    }
}

fn main() {}
