// Rank 0 sends a third activation that rank 1 never receives.
counterpart::schedule! {
    schedule Pair;
    message Act[m]: [f32; 8];

    rank 0 {
        for m in 0..3 { send Act[m] to 1; }
    }
    rank 1 {
        for m in 0..2 { recv Act[m] from 0; }
    }
}

fn main() {}
