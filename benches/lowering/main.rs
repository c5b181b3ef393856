//! What a schedule costs beside a loop written by hand: both make the same calls, on a backend that only counts them.
//!
//! Without arguments: checks that both make the same calls with the same values. With `driver` or `by-hand`, a rank
//! and a number of runs: runs the schedule so often on that rank and prints the counted calls.
//! `scripts/bench-lowering.sh` counts the instructions of both.
#![forbid(unsafe_code)]

mod by_hand;
mod recording;

use std::error::Error as StdError;
use std::hint::black_box;

use counterpart::backend::{Backend, Counting};
use counterpart::drive::DriveRanks;
use counterpart::{Error, Read, Schedule, StepResult, Write};

use by_hand::ByHand;
use one_f1b::{Act, Compute, Grad};
use recording::Recording;

counterpart::schedule! {
    /// One-forward-one-backward, one stage per rank, with explicit communication.
    schedule OneF1B(P, M);

    message Act[s, m]: [f32; 32, 64];   // enters stage s
    message Grad[s, m]: [f32; 32, 64];  // leaves stage s

    compute forward(s in 0..P, m in 0..M) {
        reads  Act[s, m]      if s > 0;
        writes Act[s + 1, m]  if s + 1 < P;
    }

    compute backward(s in 0..P, m in 0..M) {
        after  forward[s, m];
        reads  Act[s, m]      if s > 0;
        reads  Grad[s + 1, m] if s + 1 < P;
        writes Grad[s, m]     if s > 0;
    }

    fn warmup(r) { min(M, P - 1 - r) }

    rank r in 0..P {
        let first = r == 0;
        let last = r + 1 == P;
        let warmup = warmup(r);
        let steady = M - warmup;

        for m in 0..warmup {
            recv Act[r, m] from r - 1 if !first;
            forward(r, m);
            send Act[r + 1, m] to r + 1 if !last;
        }

        recv Act[r, warmup] from r - 1 if !first && steady > 0;
        for k in 0..steady {
            forward(r, warmup + k);
            batch {
                send Act[r + 1, warmup + k] to r + 1 if !last;
                recv Grad[r + 1, k] from r + 1 if !last;
            }
            backward(r, k);
            batch {
                send Grad[r, k] to r - 1 if !first;
                recv Act[r, warmup + k + 1] from r - 1 if !first && k + 1 < steady;
            }
        }

        for m in steady..M {
            recv Grad[r + 1, m] from r + 1 if !last;
            backward(r, m);
            send Grad[r, m] to r - 1 if !first;
        }
    }

    instance OneF1B<4, 256>;
}

const RANKS: usize = 4;
const MICRO_BATCHES: usize = 256;
type Measured = OneF1B<RANKS, MICRO_BATCHES>;

fn main() -> Result<(), Box<dyn StdError>> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        [] => Ok((0..RANKS).try_for_each(compare)?),
        [which, rank, runs] => {
            let (mut backend, runs) = (Counting::new(rank.parse()?, RANKS), runs.parse()?);
            match which {
                "driver" => driver(&mut backend, &mut Least, runs)?,
                "by-hand" => by_hand(&mut backend, &mut Least, runs)?,
                _ => return Err(format!("`{which}` is neither `driver` nor `by-hand`").into()),
            }
            println!("{:?}", backend.counts());
            Ok(())
        }
        _ => Err("expected `driver` or `by-hand`, a rank and a number of runs".into()),
    }
}

fn driver<B: Backend, C>(backend: &mut B, compute: &mut C, runs: usize) -> Result<(), Error>
where
    <Measured as Schedule>::Ranks: DriveRanks<B, C>,
{
    let mut driver = Measured::PROOF.driver(backend)?;
    (0..runs).try_for_each(|_| driver.run(backend, compute))
}

fn by_hand<B: Backend, C: Compute<B>>(backend: &mut B, compute: &mut C, runs: usize) -> Result<(), Error> {
    let mut by_hand = ByHand::new(backend, MICRO_BATCHES)?;
    (0..runs).try_for_each(|_| by_hand.run(backend, compute))
}

/// Fails where the two do not make the same calls on a rank.
fn compare(rank: usize) -> Result<(), Error> {
    let (mut left, mut right) = (Recording::new(rank, RANKS), Recording::new(rank, RANKS));
    let (left_steps, right_steps) = (&mut left.calls.clone(), &mut right.calls.clone());
    driver(&mut left, left_steps, 2)?;
    by_hand(&mut right, right_steps, 2)?;
    assert_eq!(left.buffers, right.buffers, "rank {rank}: buffers of the driver, and by hand");
    let (left, right) = (left.calls.all(), right.calls.all());
    for (at, (a, b)) in left.iter().zip(&right).enumerate() {
        assert_eq!(a, b, "rank {rank}: call {at} of the driver, and by hand");
    }
    assert_eq!(left.len(), right.len(), "rank {rank}: calls of the driver, and by hand");
    println!("rank {rank}: {} calls, the same by the driver and by hand", left.len());
    Ok(())
}

/// Compute steps that do next to nothing, so that what is left is the cost of the calls.
struct Least;

impl<B: Backend> Compute<B> for Least {
    #[inline(never)]
    fn forward(
        &mut self,
        s: usize,
        m: usize,
        act_in: Option<Read<'_, Act, B>>,
        act_out: Option<Write<'_, Act, B>>,
    ) -> StepResult {
        black_box((s, m, act_in, act_out));
        Ok(())
    }

    #[inline(never)]
    fn backward(
        &mut self,
        s: usize,
        m: usize,
        act: Option<Read<'_, Act, B>>,
        grad_in: Option<Read<'_, Grad, B>>,
        grad_out: Option<Write<'_, Grad, B>>,
    ) -> StepResult {
        black_box((s, m, act, grad_in, grad_out));
        Ok(())
    }
}
