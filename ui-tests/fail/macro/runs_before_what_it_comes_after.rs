// The backward pass of micro-batch 1 runs before its forward pass.
counterpart::schedule! {
    schedule One;
    message Loss[m]: [f32; 1];

    compute forward(m in 0..2)  { writes Loss[m]; }
    compute backward(m in 0..2) { after forward[m]; }

    rank 0 {
        forward(0);
        backward(0);
        backward(1);
        forward(1);
    }
}

fn main() {}
