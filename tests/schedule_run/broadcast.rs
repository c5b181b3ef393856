//! One batch sends one value to several ranks, and again at some turns of a loop only.

use counterpart::backend::threads::{self, Config, Item, Threads};
use counterpart::backend::{Backend, Counting};
use counterpart::drive::DriveRanks;
use counterpart::{Read, Schedule, StepResult, Write};

counterpart::schedule! {
    /// Rank 0 sends every value to both others in one batch, together with the first one.
    schedule Broadcast(M);

    message Act[m]: [i32; 3];
    message First[m]: [i32; 3];

    compute make(m in 0..M) { writes Act[m]; }
    compute take(r in 1..3, m in 0..M) { reads Act[m]; writes First[r]  if m == 0; }
    compute end(r in 1..3) { reads First[r]; }

    rank 0 {
        make(0);
        for m in 0..M {
            make(m + 1) if m + 1 < M;
            batch {
                send Act[m] to 1;
                send Act[m] to 2;
            }
        }
    }
    rank r in 1..3 {
        for m in 0..M {
            recv Act[m] from 0;
            take(r, m);
        }
        end(r);
    }

    instance Broadcast<1>;
    instance Broadcast<7>;
}

counterpart::schedule! {
    /// To four ranks at once, three values: more than lie on the stack.
    schedule Wide;

    message Act[m]: [i32; 3];

    compute make(m in 0..3) { writes Act[m]; }
    compute take(r in 1..5, m in 0..3) { reads Act[m]; }

    model blocking + item;

    rank 0 {
        for m in 0..3 { make(m); }
        batch {
            for r in 1..5 {
                for m in 0..3 { send Act[m] to r; }
            }
        }
    }
    rank r in 1..5 {
        batch {
            for m in 0..3 { recv Act[m] from 0; }
        }
        for m in 0..3 { take(r, m); }
    }
}

struct Stage;

impl broadcast::Compute for Stage {
    fn make(&mut self, m: usize, mut act: Write<'_, broadcast::Act, Threads>) -> StepResult {
        act.fill(m as i32 + 1);
        Ok(())
    }

    fn take(
        &mut self,
        _: usize,
        m: usize,
        act: Read<'_, broadcast::Act, Threads>,
        first: Option<Write<'_, broadcast::First, Threads>>,
    ) -> StepResult {
        assert_eq!(*act, [m as i32 + 1; 3]);
        if let Some(mut first) = first {
            first.copy_from_slice(&act);
        }
        Ok(())
    }

    fn end(&mut self, _: usize, first: Read<'_, broadcast::First, Threads>) -> StepResult {
        assert_eq!(*first, [1; 3]);
        Ok(())
    }
}

impl wide::Compute<Threads<Item>> for Stage {
    fn make(&mut self, m: usize, mut act: Write<'_, wide::Act, Threads<Item>>) -> StepResult {
        act.fill(m as i32 + 1);
        Ok(())
    }

    fn take(&mut self, _: usize, m: usize, act: Read<'_, wide::Act, Threads<Item>>) -> StepResult {
        assert_eq!(*act, [m as i32 + 1; 3]);
        Ok(())
    }
}

fn every_value_arrives<S>()
where
    S: Schedule<Ranks: DriveRanks<Threads, Stage>>,
{
    threads::run(3, Config::new(), |mut backend: Threads| {
        let mut driver = S::PROOF.driver(&mut backend)?;
        for _ in 0..3 {
            driver.run(&mut backend, &mut Stage)?;
        }
        backend.finish()
    })
    .unwrap();
}

#[test]
fn one_value_for_two_ranks() {
    every_value_arrives::<Broadcast<1>>();
    every_value_arrives::<Broadcast<7>>();
}

#[test]
fn three_values_for_four_ranks() {
    threads::run(5, Config::item(), |mut backend: Threads<Item>| {
        let mut driver = Wide::PROOF.driver(&mut backend)?;
        for _ in 0..3 {
            driver.run(&mut backend, &mut Stage)?;
        }
        backend.finish()
    })
    .unwrap();
}

#[test]
fn a_value_lies_in_one_buffer_however_often_it_is_sent() {
    let mut backend = Counting::new(0, 5);
    let driver = Wide::PROOF.driver(&mut backend).unwrap();
    assert_eq!((driver.buffers(), Wide::PEAK[0].count::<wide::Act>()), (3, 3));
}
