//! Matching: the k-th send from a to b meets the k-th receive at b from a.

use std::collections::{BTreeSet, HashMap};

use counterpart_core::FaultKind;

use super::ItemPlace;
use crate::world::{Comm, World};

/// Who meets whom, and what is wrong with it.
pub(super) struct Pairing {
    /// The item at the other end of each item that has one.
    pub partner: HashMap<ItemPlace, ItemPlace>,
    /// `peer`, `unmatched` and `mismatch`, where the schedule has them.
    pub kinds: BTreeSet<FaultKind>,
}

/// The rank at the other end of an item of `rank`, where there is one.
pub(super) fn peer(world: &World, rank: usize, comm: &Comm) -> Option<usize> {
    let peer = usize::try_from(comm.peer).ok()?;
    (peer < world.programs.len() && peer != rank).then_some(peer)
}

/// Zips the sends and the receives of every directed edge.
pub(super) fn pair(world: &World) -> Pairing {
    let mut out = Pairing { partner: HashMap::new(), kinds: BTreeSet::new() };
    let ranks = world.programs.len();
    for rank in 0..ranks {
        if items(world, rank).any(|(_, comm)| peer(world, rank, comm).is_none()) {
            out.kinds.insert(FaultKind::Peer);
        }
    }
    for from in 0..ranks {
        for to in (0..ranks).filter(|&to| to != from) {
            let sends: Vec<_> = items(world, from).filter(|(_, c)| c.send && c.peer == to as i32).collect();
            let recvs: Vec<_> = items(world, to).filter(|(_, c)| !c.send && c.peer == from as i32).collect();
            if sends.len() != recvs.len() {
                out.kinds.insert(FaultKind::Unmatched);
            }
            for ((send, sent), (recv, received)) in sends.into_iter().zip(recvs) {
                out.partner.insert(send, recv);
                out.partner.insert(recv, send);
                if !alike(sent, received) {
                    out.kinds.insert(FaultKind::Mismatch);
                }
            }
        }
    }
    out
}

/// The sends and receives of a rank, in order.
fn items(world: &World, rank: usize) -> impl Iterator<Item = (ItemPlace, &Comm)> {
    world.programs[rank].iter().enumerate().flat_map(move |(number, step)| {
        step.comms().iter().enumerate().map(move |(i, comm)| ((rank, number, i), comm))
    })
}

fn alike(sent: &Comm, received: &Comm) -> bool {
    let labels = sent.label == received.label || sent.label == "_" || received.label == "_";
    let payloads = match (sent.payload, received.payload) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    };
    labels && payloads
}
