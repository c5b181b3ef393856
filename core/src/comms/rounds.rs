//! The walk in rounds that the rule *paired* is made of.

use std::collections::BTreeSet;

use super::transfers::{Transfer, Transfers};
use crate::plan::{Comm, Plan};

/// One step of a program with communication.
#[derive(Clone, Copy)]
pub(super) enum Laid {
    /// The next compute step of the rank.
    Compute,
    /// The send of a transfer.
    Send(u32),
    /// Its receive.
    Recv(u32),
}

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
pub(super) fn run(plan: &Plan, transfers: &Transfers) -> Result<Vec<Vec<Laid>>, Stopped> {
    let ranks = plan.ranks();
    let mut programs: Vec<Vec<Laid>> =
        (0..ranks).map(|rank| Vec::with_capacity(3 * plan.steps(rank).len())).collect();
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
            programs[rank].push(Laid::Send(transfer));
            programs[reader].push(Laid::Recv(transfer));
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

/// The plan that these programs are.
pub(super) fn lay_down(plan: &Plan, transfers: &Transfers, programs: &[Vec<Laid>]) -> Plan {
    let mut laid = plan.emptied();
    for (rank, program) in programs.iter().enumerate() {
        laid.begin_rank();
        let mut compute = 0;
        for step in program {
            match *step {
                Laid::Compute => {
                    laid.copy(plan, rank, compute);
                    compute += 1;
                }
                Laid::Send(transfer) => laid.single(comm(plan, &transfers.list[transfer as usize], true)),
                Laid::Recv(transfer) => laid.single(comm(plan, &transfers.list[transfer as usize], false)),
            }
        }
    }
    laid
}

/// One end of a transfer. It stands where the compute step stands that writes or reads the value.
fn comm(plan: &Plan, transfer: &Transfer, send: bool) -> Comm {
    let &Transfer { value, from, to } = transfer;
    let (here, there) = if send { (from, to) } else { (to, from) };
    let comm = if send { Comm::send(value, there.0 as i32) } else { Comm::recv(value, there.0 as i32) };
    let source = plan.source_number(here.0 as usize, here.1 as usize, None);
    comm.with(plan.family_payload(value.family())).at(source)
}
