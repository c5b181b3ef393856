// Both micro-batches write the same activation.
counterpart::schedule! {
    schedule Pair;
    message Act[m]: [f32; 8];

    compute first(m in 0..2) { writes Act[0]; }
    compute last()           { reads Act[0]; }

    rank 0 {
        for m in 0..2 { first(m); }
        send Act[0] to 1;
    }
    rank 1 {
        recv Act[0] from 0;
        last();
    }
}

fn main() {}
