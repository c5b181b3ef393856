//! Legal programs that look suspicious: each file of `ui-tests/pass` is a module here. That they compile is their proof;
//! what can run on threads runs as well.

use counterpart::backend::threads::{self, Config, Threads};
use counterpart::backend::{Backend, Counting};
use counterpart::drive::DriveRanks;
use counterpart::{Driver, Schedule};

#[path = "../ui-tests/pass"]
mod pass {
    automod::dir!("ui-tests/pass");
}

/// Runs a schedule twice on threads; `compute` makes the compute steps of a rank. Returns them after both runs.
fn run_with<S, C>(compute: impl Fn(usize) -> C + Sync) -> Vec<C>
where
    S: Schedule<Ranks: DriveRanks<Threads, C>>,
    C: Send,
{
    let done = threads::run(S::plan().ranks(), Config::new(), |mut backend: Threads| {
        let mut compute = compute(backend.rank());
        let mut driver = Driver::<S, _>::new(&mut backend)?;
        driver.run(&mut backend, &mut compute)?;
        driver.run(&mut backend, &mut compute)?;
        backend.finish()?;
        Ok(compute)
    });
    done.expect("a proven schedule runs to its end")
}

/// Runs a schedule without compute steps twice on threads.
fn run<S: Schedule<Ranks: DriveRanks<Threads, ()>>>() {
    run_with::<S, ()>(|_| ());
}

/// Makes the calls of a schedule without compute steps, on every rank by itself: for models that threads do not offer.
fn call<S: Schedule<Ranks: DriveRanks<Counting, ()>>>() {
    let ranks = S::plan().ranks();
    for rank in 0..ranks {
        let mut backend = Counting::new(rank, ranks);
        let mut driver = Driver::<S, _>::new(&mut backend).expect("memory for a few messages");
        driver.run(&mut backend, &mut ()).expect("nothing can fail");
    }
}
