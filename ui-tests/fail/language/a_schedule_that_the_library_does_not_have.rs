counterpart::schedule! {
    pub schedule Mine = OneFOneB;
    message Act[s, m]:  [f32; 8];
    message Grad[s, m]: [f32; 8];
    instance Mine<4, 8>;
}

fn main() {}
