// Both stages of a rank take a place, and there is only one.
counterpart::schedule! {
    pub schedule Tight = VMin;
    message Act[s, m]:  [f32; 8];
    message Grad[s, m]: [f32; 8];
    memory r <= 1 forward until backward_weight;
    instance Tight<2, 4>;
}

fn main() {}
