// The weights of the last micro-batch are put off for ever.
counterpart::schedule! {
    schedule Late(M);
    compute input(m in 0..M);
    compute weight(m in 0..M) { after input[m]; }
    rank 0 {
        for m in 0..M {
            input(m);
            resume weight;
            defer weight(m);
        }
    }
    instance Late<4>;
}

fn main() {}
