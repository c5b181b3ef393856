// Rank 1 waits for a gradient of the first stage, which has none to send.
counterpart::schedule! {
    schedule Backward(P);
    message Grad[s]: [f32; 8];

    compute backward(s in 0..P) {
        reads  Grad[s + 1] if s + 1 < P;
        writes Grad[s]     if s > 0;
    }

    rank r in 0..P {
        recv Grad[r + 1] from r + 1 if r + 1 < P;
        backward(r);
        send Grad[r] to r - 1 if r > 1;
    }

    instance Backward<3>;
}

fn main() {}
