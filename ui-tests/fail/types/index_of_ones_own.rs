// An index that is one thing in the proof and another in a run.
use counterpart::core::node::Affine;
use counterpart::session::*;

pub enum Lie {}
impl Index for Lie {
    const AFFINE: Affine = Affine { base: 3, strides: [0; 4] };

    fn at(_: Loops) -> usize {
        7
    }
}

fn main() {}
