// The order of compute steps can never run: no communication can mend that.
counterpart::schedule! {
    schedule Crossed(M);
    message Act[m]:  [f32; 8];
    message Grad[m]: [f32; 8];
    compute forward(m in 0..M) on 0 { writes Act[m]; }
    compute loss(m in 0..M) on 1 { reads Act[m]; writes Grad[m]; }
    compute backward(m in 0..M) on 0 { reads Grad[m]; after forward[m]; }
    comms auto;
    rank 0 {
        for m in 0..M { forward(m); backward(m); }
    }
    rank 1 {
        for m in (0..M).rev() { loss(m); }
    }
    instance Crossed<2>;
}

fn main() {}
