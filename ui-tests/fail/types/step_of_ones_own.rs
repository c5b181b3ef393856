// A step says by itself what it is for the proof: nothing.
use counterpart::core::node::Node;
use counterpart::session::*;

struct Quiet;

impl<Rest: Session> Step<Rest> for Quiet {
    const NODE: Node = Rest::NODE;
}

fn main() {}
