// Only the instance for four micro-batches is declared, and proven.
counterpart::schedule! {
    schedule Pair(M);
    message Act[m]: [f32; 8];

    rank 0 { for m in 0..M { send Act[m] to 1; } }
    rank 1 { for m in 0..M { recv Act[m] from 0; } }

    instance Pair<4>;
}

pub fn run(backend: &mut counterpart::backend::Threads) -> Result<(), counterpart::Error> {
    let _ = counterpart::Driver::<Pair<8>, _>::new(backend)?;
    Ok(())
}

fn main() {}
