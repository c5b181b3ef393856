// Rank 1 takes what rank 0 sends for another micro-batch than it is.
counterpart::schedule! {
    schedule Pair(M);
    message Act[m]: [f32; 8];

    rank 0 {
        for m in 0..M { send Act[m] to 1; }
    }
    rank 1 {
        for m in 0..M { recv Act[m + 1] from 0; }
    }

    instance Pair<4>;
}

fn main() {}
