// A loop runs over a range.
counterpart::schedule! {
    schedule Pair(M);
    message Act[m]: [f32; 8];

    rank 0 { for m in M { send Act[m] to 1; } }
    rank 1 { for m in 0..M { recv Act[m] from 0; } }

    instance Pair<4>;
}

fn main() {}
