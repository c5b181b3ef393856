// Rank 1 receives the two messages in the other order: matching has no tags, so they would be swapped silently.
counterpart::schedule! {
    schedule Pair;
    message Act:  [f32; 8];
    message Mask: [f32; 8];

    rank 0 {
        send Act to 1;
        send Mask to 1;
    }
    rank 1 {
        recv Mask from 0;
        recv Act from 0;
    }
}

fn main() {}
