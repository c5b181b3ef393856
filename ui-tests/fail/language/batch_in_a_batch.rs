// The transfers of a batch run together already.
counterpart::schedule! {
    schedule Pair;
    message Act:  [f32; 8];
    message Grad: [f32; 8];

    rank 0 {
        batch {
            send Act to 1;
            batch { recv Grad from 1; }
        }
    }
    rank 1 {
        batch { recv Act from 0; send Grad to 0; }
    }
}

fn main() {}
