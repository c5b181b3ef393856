// The last micro-batch has no backward pass.
counterpart::schedule! {
    schedule One(M);

    compute forward(m in 0..M) {}
    compute backward(m in 0..M) { after forward[m]; }

    rank 0 {
        for m in 0..M { forward(m); }
        for m in 0..M - 1 { backward(m); }
    }

    instance One<4>;
}

fn main() {}
