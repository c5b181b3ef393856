// GPipe in the memory of 1F1B.
counterpart::schedule! {
    pub schedule Lean = GPipe;
    message Act[s, m]:  [f32; 8];
    message Grad[s, m]: [f32; 8];
    memory r <= 4 - r forward until backward;
    instance Lean<4, 8>;
}

fn main() {}
