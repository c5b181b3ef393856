// The type that runs the schedule has no method for its compute step.
counterpart::schedule! {
    schedule Pair;
    message Act: [f32; 8];

    compute first() { writes Act; }
    compute last()  { reads Act; }

    rank 0 { first(); send Act to 1; }
    rank 1 { recv Act from 0; last(); }
}

struct Stage;

pub fn run(backend: &mut counterpart::backend::Threads) -> Result<(), counterpart::Error> {
    counterpart::Driver::<Pair, _>::new(backend)?.run(backend, &mut Stage)
}

fn main() {}
