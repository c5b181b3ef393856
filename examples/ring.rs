//! Sums a vector over all ranks of a ring (ring all-reduce): one schedule, any number of ranks.
//!
//! ```text
//! cargo run --example ring
//! ```
//!
//! Every rank sends to the right and receives from the left, all in the same step. With a `send` and a `recv` instead
//! of the `batch`, all would wait for each other: that does not compile.
#![forbid(unsafe_code)]

use counterpart::backend::threads::{self, Config};
use counterpart::backend::{Backend, Threads};
use counterpart::drive::DriveRanks;
use counterpart::{Driver, Error, Read, Schedule, StepResult, Write, schedule};

/// Elements of a block; the vector has one block per rank.
const BLOCK: usize = 4;

schedule! {
    /// Block `b` begins on rank `b`. It goes once around and grows by the share of every rank; then the sum goes
    /// around.
    schedule AllReduce(P);

    /// Block `b`, the sum over `k + 1` ranks.
    message Part[b, k]: [f32; BLOCK];

    compute begin(b in 0..P)            { writes Part[b, 0]; }
    compute add(b in 0..P, k in 1..P)   { reads Part[b, k - 1]; writes Part[b, k]; }
    compute store(r in 0..P, b in 0..P) { reads Part[b, P - 1]; }

    rank r in 0..P {
        let left = (r + P - 1) % P;
        let right = (r + 1) % P;
        begin(r);
        for k in 1..P {
            batch {
                send Part[(r + P - k + 1) % P, k - 1] to right;
                recv Part[(r + P - k) % P, k - 1] from left;
            }
            add((r + P - k) % P, k);
        }
        store(r, right);
        for k in 1..P {
            batch {
                send Part[(right + P - k + 1) % P, P - 1] to right;
                recv Part[(right + P - k) % P, P - 1] from left;
            }
            store(r, (right + P - k) % P);
        }
    }

    instance AllReduce<2>;
    instance AllReduce<3>;
    instance AllReduce<8>;
}

use all_reduce::Part;

/// The vector of a rank.
struct Vector(Vec<[f32; BLOCK]>);

impl all_reduce::Compute for Vector {
    fn begin(&mut self, b: usize, mut part: Write<'_, Part, Threads>) -> StepResult {
        part.copy_from_slice(&self.0[b]);
        Ok(())
    }

    fn add(
        &mut self,
        b: usize,
        _k: usize,
        part_in: Read<'_, Part, Threads>,
        mut part_out: Write<'_, Part, Threads>,
    ) -> StepResult {
        for ((sum, so_far), mine) in part_out.iter_mut().zip(part_in.iter()).zip(self.0[b]) {
            *sum = so_far + mine;
        }
        Ok(())
    }

    fn store(&mut self, _r: usize, b: usize, part: Read<'_, Part, Threads>) -> StepResult {
        self.0[b].copy_from_slice(&part);
        Ok(())
    }
}

/// Rank `r` begins with a vector full of `r`; returns what each has in the end.
fn run<const P: usize>() -> Result<Vec<Vec<[f32; BLOCK]>>, Error>
where
    AllReduce<P>: Schedule<Ranks: DriveRanks<Threads, Vector>>,
{
    threads::run(P, Config::new(), |mut backend| {
        let mut vector = Vector(vec![[backend.rank() as f32; BLOCK]; P]);
        Driver::<AllReduce<P>, _>::new(&mut backend)?.run(&mut backend, &mut vector)?;
        backend.finish()?;
        Ok(vector.0)
    })
}

fn main() -> Result<(), Error> {
    println!("sums over 2 ranks: {:?}", run::<2>()?[0]);
    println!("sums over 3 ranks: {:?}", run::<3>()?[0]);
    println!("sums over 8 ranks: {:?}", run::<8>()?[0]);
    Ok(())
}

#[test]
fn every_rank_has_every_sum() {
    assert_eq!(run::<2>().unwrap(), vec![vec![[1.0; BLOCK]; 2]; 2]);
    assert_eq!(run::<3>().unwrap(), vec![vec![[3.0; BLOCK]; 3]; 3]);
    assert_eq!(run::<8>().unwrap(), vec![vec![[28.0; BLOCK]; 8]; 8]);
}
