// DualPipe takes pairs of ranks, and twice as many micro-batches.
counterpart::schedule! {
    pub schedule Both = DualPipe;
    message Act[c, s, m]:  [f32; 8];
    message Grad[c, s, m]: [f32; 8];
    instance Both<3, 8>;
    instance Both<4, 6>;
}

fn main() {}
