// No `;` after the first send.
counterpart::schedule! {
    schedule Pair;
    message Act[m]: [f32; 8];

    rank 0 {
        send Act[0] to 1
        send Act[1] to 1;
    }
    rank 1 {
        recv Act[0] from 0;
        recv Act[1] from 0;
    }
}

fn main() {}
