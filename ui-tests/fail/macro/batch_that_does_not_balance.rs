// Rank 0 exchanges in one batch, rank 1 in two steps.
counterpart::schedule! {
    schedule Pair;
    message Act:  [f32; 8];
    message Grad: [f32; 8];

    rank 0 {
        batch {
            send Act to 1;
            recv Grad from 1;
        }
    }
    rank 1 {
        recv Act from 0;
        send Grad to 0;
    }
}

fn main() {}
