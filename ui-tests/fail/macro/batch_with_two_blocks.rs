// A batch sends two blocks to the same rank.
counterpart::schedule! {
    schedule Pair;
    message Act[m]: [f32; 8];

    rank 0 {
        batch {
            send Act[0] to 1;
            send Act[1] to 1;
        }
    }
    rank 1 {
        batch {
            recv Act[0] from 0;
            recv Act[1] from 0;
        }
    }
}

fn main() {}
