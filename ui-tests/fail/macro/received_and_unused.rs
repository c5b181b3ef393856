// Rank 1 receives a mask that no step of it reads.
counterpart::schedule! {
    schedule Pair;
    message Act:  [f32; 8];
    message Mask: [f32; 8];

    compute first() { writes Act; writes Mask; }
    compute last()  { reads Act; }

    rank 0 {
        first();
        send Act to 1;
        send Mask to 1;
    }
    rank 1 {
        recv Act from 0;
        recv Mask from 0;
        last();
    }
}

fn main() {}
