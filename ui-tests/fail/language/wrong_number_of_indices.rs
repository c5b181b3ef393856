// An activation has a stage and a micro-batch.
counterpart::schedule! {
    schedule Pair(M);
    message Act[s, m]: [f32; 8];

    rank 0 { for m in 0..M { send Act[m] to 1; } }
    rank 1 { for m in 0..M { recv Act[1, m] from 0; } }

    instance Pair<4>;
}

fn main() {}
