//! What a run that fails says: which rank, which step, on both ends and in words. Nobody hangs.

use std::time::Duration;

use counterpart::backend::threads::{self, Config, Threads};
use counterpart::backend::{Backend, Counting};
use counterpart::{Driver, Error, Read, StepResult, Write};

counterpart::schedule! {
    /// Rank 0 makes a value, rank 1 doubles it, rank 2 takes it.
    schedule Relay;

    message Raw[m]: [i32; 4];
    message Done[m]: [i32; 4];

    compute make(m in 0..3) { writes Raw[m]; }
    compute double(m in 0..3) { reads Raw[m]; writes Done[m]; }
    compute take(m in 0..3) { reads Done[m]; }

    rank 0 {
        for m in 0..3 { make(m); send Raw[m] to 1; }
    }
    rank 1 {
        for m in 0..3 { recv Raw[m] from 0; double(m); send Done[m] to 2; }
    }
    rank 2 {
        for m in 0..3 { recv Done[m] from 1; take(m); }
    }
}

/// What one rank does wrong in its second step of `double`.
#[derive(Clone, Copy)]
enum Trouble {
    Nothing,
    Fails,
    Panics,
    Sleeps,
}

struct Worker(Trouble, Vec<i32>);

impl relay::Compute for Worker {
    fn make(&mut self, m: usize, mut raw: Write<'_, relay::Raw, Threads>) -> StepResult {
        raw.fill(m as i32 + 1);
        Ok(())
    }

    fn double(
        &mut self,
        m: usize,
        raw: Read<'_, relay::Raw, Threads>,
        mut done: Write<'_, relay::Done, Threads>,
    ) -> StepResult {
        match self.0 {
            Trouble::Fails if m == 1 => return Err("out of paper".into()),
            Trouble::Panics if m == 1 => panic!("out of ink"),
            Trouble::Sleeps if m == 1 => std::thread::sleep(Duration::from_secs(2)),
            _ => {}
        }
        done.iter_mut().zip(raw.iter()).for_each(|(to, from)| *to = 2 * from);
        Ok(())
    }

    fn take(&mut self, _: usize, done: Read<'_, relay::Done, Threads>) -> StepResult {
        self.1.push(done[3]);
        Ok(())
    }
}

/// What the run says, and what each rank says.
type Said = (Result<Vec<Vec<i32>>, Error>, Vec<Option<String>>);

/// Runs the relay.
fn relay_with(trouble: Trouble, deadline: Duration) -> Said {
    let said = std::sync::Mutex::new(vec![None; 3]);
    let run = threads::run(3, Config::new().deadline(deadline), |mut backend: Threads| {
        let rank = backend.rank();
        let mut worker = Worker(trouble, Vec::new());
        let mut driver = Driver::<Relay, _>::new(&mut backend)?;
        let end = driver.run(&mut backend, &mut worker);
        if let Err(error) = &end {
            said.lock().expect("no panic while held")[rank] = Some(error.to_string());
        }
        end?;
        backend.finish()?;
        Ok(worker.1)
    });
    (run, said.into_inner().expect("no panic while held"))
}

#[test]
fn without_trouble_it_works() {
    let (run, said) = relay_with(Trouble::Nothing, Duration::from_secs(20));
    assert_eq!(run.expect("nothing fails"), [vec![], vec![], vec![2, 4, 6]]);
    assert_eq!(said, [None, None, None]);
}

#[test]
fn a_failing_step_stops_everybody() {
    let (run, said) = relay_with(Trouble::Fails, Duration::from_secs(20));
    let message = run.expect_err("rank 1 fails").to_string();
    assert_eq!(message, "rank 1, step 4: out of paper\n    rank 1, step 4: `double[1]`");
    for (rank, step) in [(0, "`send Raw[2] to 1`"), (2, "`recv Done[1] from 1`")] {
        let words = said[rank].as_deref().expect("this rank waits in vain");
        assert!(words.contains("rank 1") && words.contains(step), "{words}");
    }
}

#[test]
fn a_panic_stops_everybody() {
    let (run, said) = relay_with(Trouble::Panics, Duration::from_secs(20));
    let message = run.expect_err("rank 1 panics").to_string();
    assert_eq!(message, "rank 1 panicked: out of ink");
    assert!(said[0].is_some() && said[2].is_some(), "{said:?}");
}

#[test]
fn a_deadline_names_the_steps_of_both_ends() {
    let (run, said) = relay_with(Trouble::Sleeps, Duration::from_millis(300));
    run.expect_err("rank 1 sleeps for longer than the deadline");
    let mut words: Vec<&str> = said.iter().flatten().map(String::as_str).collect();
    words.sort_unstable_by_key(|w| !w.contains("waited"));
    let first = words.first().expect("somebody ran into the deadline");
    assert!(first.contains("for rank 1, which is at step 4"), "{first}");
    assert!(first.contains("rank 1, step 4: `double[1]`"), "{first}");
}

#[test]
fn a_driver_runs_on_its_own_rank_only() {
    let (mut first, mut second) = (Counting::new(0, 3), Counting::new(1, 3));
    let mut driver = Driver::<Relay, _>::new(&mut first).unwrap();
    let error = driver.run(&mut second, &mut Idle).unwrap_err();
    let expected = "this driver was made for rank 0 of 3, but runs on rank 1 of 3: make one for each rank";
    assert_eq!(error.to_string(), expected);
    assert!(driver.run(&mut Counting::new(0, 4), &mut Idle).is_err());
    driver.run(&mut first, &mut Idle).unwrap();
    assert_eq!((first.counts().sends, second.counts().receives), (3, 0));
}

/// Does nothing, on a backend without memory.
struct Idle;

impl relay::Compute<Counting> for Idle {
    fn make(&mut self, _: usize, _: Write<'_, relay::Raw, Counting>) -> StepResult {
        Ok(())
    }

    fn double(
        &mut self,
        _: usize,
        _: Read<'_, relay::Raw, Counting>,
        _: Write<'_, relay::Done, Counting>,
    ) -> StepResult {
        Ok(())
    }

    fn take(&mut self, _: usize, _: Read<'_, relay::Done, Counting>) -> StepResult {
        Ok(())
    }
}

/// Fails once, and then goes on as if nothing had happened.
struct Stubborn(bool, Vec<i32>);

impl relay::Compute for Stubborn {
    fn make(&mut self, m: usize, mut raw: Write<'_, relay::Raw, Threads>) -> StepResult {
        raw.fill(m as i32);
        Ok(())
    }

    fn double(
        &mut self,
        m: usize,
        raw: Read<'_, relay::Raw, Threads>,
        mut done: Write<'_, relay::Done, Threads>,
    ) -> StepResult {
        if m == 0 && !std::mem::replace(&mut self.0, true) {
            return Err("out of paper".into());
        }
        assert_eq!(raw[0], m as i32, "a value of the run that failed");
        done.copy_from_slice(&raw);
        Ok(())
    }

    fn take(&mut self, m: usize, done: Read<'_, relay::Done, Threads>) -> StepResult {
        assert_eq!(done[0], m as i32, "a value of the run that failed");
        self.1.extend(&done[..]);
        Ok(())
    }
}

#[test]
fn a_rank_that_failed_does_not_go_on_out_of_step() {
    let result = threads::run(3, Config::new(), |mut backend: Threads| {
        let mut driver = Driver::<Relay, _>::new(&mut backend)?;
        let mut stubborn = Stubborn(false, Vec::new());
        let first = driver.run(&mut backend, &mut stubborn).map_err(|error| error.to_string());
        let again = driver.run(&mut backend, &mut stubborn).map_err(|error| error.to_string());
        assert!(first.is_err() && again.is_err(), "{first:?} {again:?}");
        assert!(stubborn.1.is_empty());
        backend.finish()
    });
    assert!(result.unwrap_err().to_string().starts_with("rank 1 left before it had finished, at step 1"));
}
