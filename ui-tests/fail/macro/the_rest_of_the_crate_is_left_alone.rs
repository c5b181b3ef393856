// A schedule with a fault defines its names all the same: code that uses them adds no errors of its own.
counterpart::schedule! {
    schedule Pair;
    message Act: [f32; 8];

    compute first() { writes Act; }
    compute last()  { reads Act; }

    rank 0 { first(); }
    rank 1 { recv Act from 0; last(); }
}

struct Stage;

impl pair::Compute for Stage {
    fn first(&mut self, mut act: counterpart::Write<'_, pair::Act, counterpart::backend::Threads>) -> counterpart::StepResult {
        act.fill(1.0);
        Ok(())
    }

    fn last(&mut self, _: counterpart::Read<'_, pair::Act, counterpart::backend::Threads>) -> counterpart::StepResult {
        Ok(())
    }
}

fn main() {
    let ran = counterpart::backend::threads::run(2, Default::default(), |mut backend| {
        counterpart::Driver::<Pair, _>::new(&mut backend)?.run(&mut backend, &mut Stage)
    });
    println!("{:?}", ran.is_ok());
}
