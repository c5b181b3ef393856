//! The pass that makes batches: neighbours that can run at the same time.

use super::lay::{Laid, Programs};
use super::transfers::{Transfer, Transfers};

/// Puts two transfers between the same ranks, in opposite directions, into one batch at each end, where they are
/// neighbours in both programs. Says how many there were.
///
/// Nothing comes between neighbours at either end, so that no wait can lead from the one to the other and back: where the
/// programs ran before, they run as they are now.
pub(super) fn batch(programs: &mut Programs, transfers: &Transfers) -> usize {
    let mut sent = vec![0; transfers.list.len()];
    let mut received = vec![0; transfers.list.len()];
    for program in programs.iter() {
        for (at, step) in program.iter().enumerate() {
            match *step {
                Laid::Send(transfer) => sent[transfer as usize] = at,
                Laid::Recv(transfer) => received[transfer as usize] = at,
                Laid::Compute | Laid::Pair { .. } => {}
            }
        }
    }
    let mut gone: Vec<Vec<bool>> = programs.iter().map(|program| vec![false; program.len()]).collect();
    let mut count = 0;
    for rank in 0..programs.len() {
        for at in 1..programs[rank].len() {
            let (there, back) = match (programs[rank][at - 1], programs[rank][at]) {
                (Laid::Send(there), Laid::Recv(back)) | (Laid::Recv(back), Laid::Send(there)) => {
                    (there, back)
                }
                _ => continue,
            };
            let Transfer { from, to, .. } = transfers.list[there as usize];
            let other = &transfers.list[back as usize];
            let (first, second) = (received[there as usize], sent[back as usize]);
            let peer = to.0 as usize;
            let are_neighbours = (other.from.0, other.to.0) == (to.0, from.0) && first.abs_diff(second) == 1;
            if !are_neighbours || gone[rank][at - 1] || gone[rank][at] {
                continue;
            }
            programs[rank][at] = Laid::Pair { send: there, recv: back };
            gone[rank][at - 1] = true;
            programs[peer][first.max(second)] = Laid::Pair { send: back, recv: there };
            gone[peer][first.min(second)] = true;
            count += 1;
        }
    }
    for (program, gone) in programs.iter_mut().zip(gone) {
        let mut gone = gone.into_iter();
        program.retain(|_| !gone.next().unwrap_or_default());
    }
    count
}

/// How many batches there are in all programs, each counted once.
pub(super) fn count(programs: &Programs) -> usize {
    programs.iter().flatten().filter(|step| matches!(step, Laid::Pair { .. })).count() / 2
}
