use counterpart::schedule;

mod inner {
    counterpart::schedule! {
        /// Both ranks send first.
        schedule Pair;
        message Act:  [f32; 8];
        message Grad: [f32; 8];

        rank 0 {
            send Act to 1;
            recv Grad from 1;
        }
        rank 1 {
            send Grad to 0;
            recv Act from 0;
        }
    }
}

fn main() {}
