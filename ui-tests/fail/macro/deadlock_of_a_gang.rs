// A batch runs as one with the batches of all its partners; here the three batches tie two steps of rank 2 together.
counterpart::schedule! {
    schedule Three;
    message A[i]: [f32; 8];

    rank 0 {
        batch { send A[0] to 1; send A[1] to 2; }
    }
    rank 1 {
        batch { recv A[0] from 0; send A[2] to 2; }
    }
    rank 2 {
        recv A[1] from 0;
        recv A[2] from 1;
    }
}

fn main() {}
