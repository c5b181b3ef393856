// All forward passes come first, so the first stage holds an activation of every micro-batch; the bound allows two.
counterpart::schedule! {
    schedule AllForward(M);
    message Act[m]: [f32; 8];

    compute forward(m in 0..M)  { writes Act[m]; }
    compute backward(m in 0..M) { reads Act[m]; }

    memory r <= 2 Act;

    rank 0 {
        for m in 0..M { forward(m); }
        for m in 0..M { backward(m); }
    }

    instance AllForward<4>;
}

fn main() {}
