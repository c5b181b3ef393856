//! Messages that were sent before their receive was posted, below the eager limit.

use std::collections::VecDeque;

use counterpart_core::Payload;

use super::failure::Failure;
use super::meet::mismatch;
use super::state::{Phase, State};
use crate::backend::HostBuffer;
use crate::backend::host::Described;
use crate::error::Error;

/// What lies between one sender and one receiver.
#[derive(Default)]
pub(super) struct Edge {
    /// The messages on their way, each with the step that sent it.
    queue: VecDeque<(u32, HostBuffer)>,
    /// Memory of earlier messages, to be used again.
    spare: Vec<HostBuffer>,
}

impl Edge {
    fn memory(&mut self, payload: Payload) -> Result<HostBuffer, Error> {
        match self.spare.iter().rposition(|spare| spare.payload() == payload) {
            Some(at) => Ok(self.spare.swap_remove(at)),
            None => HostBuffer::zeros(payload),
        }
    }
}

impl State {
    /// Copies a send aside; its step need not wait for it.
    pub(super) fn put_eager(&mut self, rank: usize, i: usize) -> Result<(), Failure> {
        let end = self.end(rank);
        let slot = &mut self.slots[rank];
        let entry = &mut slot.entries[i];
        let edge = self.edges.entry((rank, entry.peer)).or_default();
        let memory = edge.memory(entry.memory.payload());
        let mut memory = memory.map_err(|error| Failure::local(end, error.to_string()))?;
        memory.copy_from(&entry.memory);
        edge.queue.push_back((end.1, memory));
        entry.phase = Phase::Done;
        (slot.waiting, slot.open) = (slot.waiting - 1, slot.open - 1);
        Ok(())
    }

    /// Fills a receive with the first message on its way, where there is one.
    pub(super) fn take_eager(&mut self, rank: usize, i: usize) -> Result<bool, Failure> {
        let end = self.end(rank);
        let slot = &mut self.slots[rank];
        let entry = &mut slot.entries[i];
        let Some(edge) = self.edges.get_mut(&(entry.peer, rank)) else { return Ok(false) };
        let Some((step, mut memory)) = edge.queue.pop_front() else { return Ok(false) };
        let (sent, expected) = (memory.payload(), entry.memory.payload());
        if sent != expected {
            return Err(mismatch((entry.peer, step), Described(sent), end, Described(expected)));
        }
        std::mem::swap(&mut memory, &mut entry.memory);
        edge.spare.push(memory);
        entry.phase = Phase::Done;
        (slot.waiting, slot.open) = (slot.waiting - 1, slot.open - 1);
        Ok(true)
    }

    /// A message that `rank`, which has taken its last step, will never receive: its sender and step.
    pub(super) fn unreceived(&self, rank: usize) -> Option<(usize, u32)> {
        let to_rank = self.edges.iter().filter(|((_, to), _)| *to == rank);
        to_rank.filter_map(|((from, _), edge)| Some((*from, edge.queue.front()?.0))).min()
    }
}
