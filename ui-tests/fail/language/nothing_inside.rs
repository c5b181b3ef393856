// An empty `schedule!`.
counterpart::schedule! {}

fn main() {}
