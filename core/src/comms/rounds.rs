//! The walk in rounds that the rule *paired* is made of.

use std::collections::BTreeSet;

use super::lay::{self, Laid, Programs};
use super::transfers::Transfers;
use crate::plan::Plan;

/// Where the walk stopped: for each rank that is not through, its step and the transfer that it waits for.
pub(super) struct Stopped {
    pub at: Vec<Option<(u32, u32)>>,
}

/// Ranks whose turn is still to come, in this round and in the next.
struct Turns {
    now: BTreeSet<usize>,
    next: BTreeSet<usize>,
}

impl Turns {
    /// The next rank that tries its step.
    fn pop(&mut self) -> Option<usize> {
        if self.now.is_empty() {
            std::mem::swap(&mut self.now, &mut self.next);
        }
        self.now.pop_first()
    }

    /// Rank `woken` can go on since `by` has just sent to it: in this round, if its turn is still to come.
    fn wake(&mut self, woken: usize, by: usize) {
        let turn = if woken > by { &mut self.now } else { &mut self.next };
        turn.insert(woken);
    }
}

/// The program of every rank, or where the walk stopped.
///
/// A rank that waits is not asked again before what it waits for has arrived, so a walk takes time in the number of
/// steps, not of rounds times ranks. That changes nothing: to be asked in vain has no effect.
pub(super) fn run(plan: &Plan, transfers: &Transfers) -> Result<Programs, Stopped> {
    let ranks = plan.ranks();
    let mut programs = lay::begin(plan);
    let mut arrived = vec![false; transfers.list.len()];
    let mut step = vec![0_u32; ranks];
    // How far each rank is in its lists of waits and of sends.
    let (mut waits, mut sends) = (vec![0; ranks], vec![0; ranks]);
    let mut waiting: Vec<Option<u32>> = vec![None; ranks];
    let is_left = |rank: usize, step: u32| (step as usize) < plan.steps(rank).len();
    let mut turns =
        Turns { now: (0..ranks).filter(|&rank| is_left(rank, 0)).collect(), next: BTreeSet::new() };

    while let Some(rank) = turns.pop() {
        let needed = &transfers.waits[rank];
        while waits[rank] < needed.len() {
            let (at, transfer) = needed[waits[rank]];
            if at > step[rank] {
                break;
            }
            if !arrived[transfer as usize] {
                waiting[rank] = Some(transfer);
                break;
            }
            waits[rank] += 1;
        }
        if waiting[rank].is_some() {
            continue;
        }
        programs[rank].push(Laid::Compute);
        while let Some(&(at, transfer)) = transfers.sends[rank].get(sends[rank]) {
            if at > step[rank] {
                break;
            }
            sends[rank] += 1;
            let reader = transfers.list[transfer as usize].to.0 as usize;
            lay::put(&mut programs, transfers, transfer);
            arrived[transfer as usize] = true;
            if waiting[reader] == Some(transfer) {
                waiting[reader] = None;
                turns.wake(reader, rank);
            }
        }
        step[rank] += 1;
        if is_left(rank, step[rank]) {
            turns.next.insert(rank);
        }
    }
    if waiting.iter().all(Option::is_none) {
        return Ok(programs);
    }
    let at = waiting.iter().zip(&step).map(|(transfer, &step)| transfer.map(|transfer| (step, transfer)));
    Err(Stopped { at: at.collect() })
}
