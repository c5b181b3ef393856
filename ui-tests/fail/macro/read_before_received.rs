// Rank 1 computes on an activation that it receives only in the next step.
counterpart::schedule! {
    schedule Pair;
    message Act: [f32; 8];

    compute first() { writes Act; }
    compute last()  { reads Act; }

    rank 0 {
        first();
        send Act to 1;
    }
    rank 1 {
        last();
        recv Act from 0;
    }
}

fn main() {}
