// Both ranks run stage 0.
counterpart::schedule! {
    schedule Two;

    compute forward(s in 0..2) {}

    rank 0 { forward(0); }
    rank 1 { forward(0); forward(1); }
}

fn main() {}
