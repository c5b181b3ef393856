//! Programs with communication, and the plan that they are.

use super::transfers::{Transfer, Transfers};
use crate::plan::{Comm, Plan};
use crate::tape::NONE;

/// One step of a program with communication. Transfers are named by their places in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Laid {
    /// The next compute step of the rank.
    Compute,
    /// The send of a transfer.
    Send(u32),
    /// Its receive.
    Recv(u32),
    /// A batch: the send of one transfer and the receive of another, with the same peer.
    Pair {
        /// The transfer that is sent.
        send: u32,
        /// The one that is received.
        recv: u32,
    },
}

/// The programs of all ranks.
pub(super) type Programs = Vec<Vec<Laid>>;

/// Programs of a plan that have no step yet.
pub(super) fn begin(plan: &Plan) -> Programs {
    (0..plan.ranks()).map(|rank| Vec::with_capacity(3 * plan.steps(rank).len())).collect()
}

/// Puts the send and the receive of a transfer down, each at the end of its program.
pub(super) fn put(programs: &mut Programs, transfers: &Transfers, transfer: u32) {
    let Transfer { from, to, .. } = transfers.list[transfer as usize];
    programs[from.0 as usize].push(Laid::Send(transfer));
    programs[to.0 as usize].push(Laid::Recv(transfer));
}

/// Puts two transfers between the same ranks, in opposite directions, down as a batch at each end.
pub(super) fn put_pair(programs: &mut Programs, transfers: &Transfers, there: u32, back: u32) {
    let Transfer { from, to, .. } = transfers.list[there as usize];
    programs[from.0 as usize].push(Laid::Pair { send: there, recv: back });
    programs[to.0 as usize].push(Laid::Pair { send: back, recv: there });
}

/// The plan that these programs are.
pub(super) fn lay_down(plan: &Plan, transfers: &Transfers, programs: &Programs) -> Plan {
    let mut laid = plan.emptied();
    for (rank, program) in programs.iter().enumerate() {
        laid.begin_rank();
        let mut compute = 0;
        let end = |transfer: u32, send: bool| end(plan, &transfers.list[transfer as usize], send);
        for step in program {
            match *step {
                Laid::Compute => {
                    laid.copy(plan, rank, compute);
                    compute += 1;
                }
                Laid::Send(transfer) => laid.single(end(transfer, true)),
                Laid::Recv(transfer) => laid.single(end(transfer, false)),
                Laid::Pair { send, recv } => laid.batch(&[end(send, true), end(recv, false)], NONE),
            }
        }
    }
    laid
}

/// One end of a transfer. It stands where the compute step stands that writes or reads the value.
fn end(plan: &Plan, transfer: &Transfer, send: bool) -> Comm {
    let &Transfer { value, from, to } = transfer;
    let (here, there) = if send { (from, to) } else { (to, from) };
    let comm = if send { Comm::send(value, there.0 as i32) } else { Comm::recv(value, there.0 as i32) };
    let source = plan.source_number(here.0 as usize, here.1 as usize, None);
    comm.with(plan.family_payload(value.family())).at(source)
}
