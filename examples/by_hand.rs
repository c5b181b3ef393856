//! Session types by hand, without `schedule!`: a rod that is heated at one end, cut into two halves, one per rank.
//!
//! ```text
//! cargo run --example by_hand
//! ```
//!
//! In every turn the ranks exchange the temperatures at the cut. An endpoint has only the next step of its rank: take
//! the batch after `relax`, leave it out, or receive first in one of the two, and it no longer compiles.
#![forbid(unsafe_code)]

use counterpart::backend::threads::{self, Config};
use counterpart::backend::{Backend, Threads};
use counterpart::endpoint::{receiving, sending};
use counterpart::session::{Batch, Compute, HNil, Program, Reads, Recv, Repeat, Send, Writes};
use counterpart::session::{HList, hlist};
use counterpart::{Endpoint, Error, Finished, Ix, Proof, Rank, Schedule, Times, Val};

counterpart::message! {
    /// The temperature of the left half at the cut.
    LeftEdge: [f64; 1];
    /// The temperature of the right half at the cut.
    RightEdge: [f64; 1];
}
counterpart::task! {
    /// Reads the temperature at the cut.
    measure;
    /// Heat flows for one turn.
    relax;
}

/// Turn k of the loop.
type K = (Ix<0, 1>,);

type Left = HList![
    Repeat<
        Times<100>,
        HList![
            Compute<measure, K, HList![Writes<Val<LeftEdge, K>>]>,
            Batch<HList![Send<Rank<1>, Val<LeftEdge, K>>, Recv<Rank<1>, Val<RightEdge, K>>]>,
            Compute<relax, K, HList![Reads<Val<RightEdge, K>>]>,
        ],
    >
];
type Right = HList![
    Repeat<
        Times<100>,
        HList![
            Compute<measure, K, HList![Writes<Val<RightEdge, K>>]>,
            Batch<HList![Send<Rank<0>, Val<RightEdge, K>>, Recv<Rank<0>, Val<LeftEdge, K>>]>,
            Compute<relax, K, HList![Reads<Val<LeftEdge, K>>]>,
        ],
    >
];

struct Rod;

impl Schedule for Rod {
    const NAME: &'static str = "Rod";
    type Ranks = HList![Program<Rank<0>, Left>, Program<Rank<1>, Right>];
    type Coverage = HNil;
    const PROOF: Proof<Rod> = Proof::new();
}
counterpart::prove!(Rod);

/// Cells of a half, from left to right.
type Half = [f64; 5];

fn left<'b>(mut rank: Endpoint<'b, Threads, Left>, half: &mut Half) -> Result<Finished<'b>, Error> {
    let (mut mine, mut theirs) = (rank.alloc::<LeftEdge>()?, rank.alloc::<RightEdge>()?);
    let rank = rank.repeat(|turn, _| {
        let turn = turn.compute::<measure>(|_| {
            mine[0] = half[4];
            Ok(())
        })?;
        let turn = turn.batch(hlist![sending(Rank::<1>, &mut mine), receiving(Rank::<1>, &mut theirs)])?;
        turn.compute::<relax>(|_| {
            flow(half, 100.0, theirs[0]);
            Ok(())
        })
    })?;
    rank.finish()
}

fn right<'b>(mut rank: Endpoint<'b, Threads, Right>, half: &mut Half) -> Result<Finished<'b>, Error> {
    let (mut mine, mut theirs) = (rank.alloc::<RightEdge>()?, rank.alloc::<LeftEdge>()?);
    let rank = rank.repeat(|turn, _| {
        let turn = turn.compute::<measure>(|_| {
            mine[0] = half[0];
            Ok(())
        })?;
        let turn = turn.batch(hlist![sending(Rank::<0>, &mut mine), receiving(Rank::<0>, &mut theirs)])?;
        turn.compute::<relax>(|_| {
            flow(half, theirs[0], 0.0);
            Ok(())
        })
    })?;
    rank.finish()
}

/// Heat flows between neighbours, and from what lies beyond the ends.
fn flow(cells: &mut [f64], mut left: f64, end: f64) {
    for i in 0..cells.len() {
        let (cell, right) = (cells[i], cells.get(i + 1).copied().unwrap_or(end));
        cells[i] += 0.25 * (left - 2.0 * cell + right);
        left = cell;
    }
}

/// The temperatures of both halves in the end.
fn run() -> Result<Vec<Half>, Error> {
    threads::run(2, Config::new(), |mut backend| {
        let mut half = Half::default();
        match backend.rank() {
            0 => Rod::open(Rank::<0>, &mut backend, |rank| left(rank, &mut half))?,
            _ => Rod::open(Rank::<1>, &mut backend, |rank| right(rank, &mut half))?,
        }
        backend.finish()?;
        Ok(half)
    })
}

fn main() -> Result<(), Error> {
    println!("{:.1?}", run()?);
    Ok(())
}

#[test]
fn the_cut_does_not_show() {
    let mut rod = [0.0; 10];
    for _ in 0..100 {
        flow(&mut rod, 100.0, 0.0);
    }
    assert_eq!(run().unwrap().concat(), rod);
}
