//! What a schedule lowers to: the [`Backend`] trait, and the backends.

pub mod counting;
pub mod host;
pub mod threads;

use counterpart_core::{Model, Payload};

pub use counting::Counting;
pub use host::HostBuffer;
pub use threads::Threads;

use crate::element::Element;
use crate::error::Error;

/// One communicator, seen from one rank: the calls that a schedule lowers to.
///
/// Calls run in the order in which they are made (stream order). A call may return before the transfer is done;
/// whoever needs the result on the host calls [`synchronize`](Backend::synchronize) first. Every wait has a deadline.
pub trait Backend {
    /// Memory of this backend: element type and count are fixed when it is allocated.
    type Buffer: Send + 'static;

    /// The channel models under which this backend makes progress, all of them. A schedule that was proven under
    /// one of these, or under a stricter one, runs here.
    const MODELS: &'static [Model];

    /// The number of this rank.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn size(&self) -> usize;

    /// A buffer for one message, filled with zeros.
    ///
    /// # Errors
    /// When memory runs out, or this backend does not move the element type.
    fn alloc(&mut self, payload: Payload) -> Result<Self::Buffer, Error>;

    /// Copies from the host into a buffer of the same element type and count.
    ///
    /// # Errors
    /// When element type or count differ, or the copy fails.
    fn upload<T: Element>(&mut self, from: &[T], into: &mut Self::Buffer) -> Result<(), Error>;

    /// Copies a buffer to the host once all steps before have completed.
    ///
    /// # Errors
    /// When element type or count differ, or the copy fails.
    fn download<T: Element>(&mut self, from: &Self::Buffer, into: &mut [T]) -> Result<(), Error>;

    /// Sends `data` to rank `to`, as step number `step` of the program of this rank.
    ///
    /// # Errors
    /// When the deadline passes, a rank fails or leaves, or the two ends do not agree.
    fn send(&mut self, step: u32, to: usize, data: &Self::Buffer) -> Result<(), Error>;

    /// As [`send`](Backend::send), for the last use of `data`: its contents may be anything afterwards, so that
    /// ownership can move instead of bytes.
    ///
    /// # Errors
    /// As [`send`](Backend::send).
    fn send_last(&mut self, step: u32, to: usize, data: &mut Self::Buffer) -> Result<(), Error> {
        self.send(step, to, data)
    }

    /// Receives from rank `from` into `into`, as step number `step`.
    ///
    /// # Errors
    /// As [`send`](Backend::send).
    fn recv(&mut self, step: u32, from: usize, into: &mut Self::Buffer) -> Result<(), Error>;

    /// Runs sends and receives together, in any order. The buffers are lent for the time of the step: they lie in
    /// the transfers, and are there again when the call returns, also in case of an error.
    ///
    /// # Errors
    /// As [`send`](Backend::send), and when the batch does not balance with the batches of its peers.
    fn batch(&mut self, step: u32, transfers: &mut [Transfer<Self::Buffer>]) -> Result<(), Error>;

    /// A second handle to the memory of `buffer`, for a batch that sends it to several ranks: such a batch has a
    /// [`Send`](TransferKind::Send) with each of them. The second handle is dropped after the batch.
    ///
    /// # Errors
    /// When the backend can't.
    fn share(&mut self, buffer: &Self::Buffer) -> Result<Self::Buffer, Error>;

    /// A compute step begins. Backends that report where a rank is take note.
    fn compute(&mut self, step: u32) {
        let _ = step;
    }

    /// The rank gives up before its last step: a backend that can tells the other ranks at once, and takes no further
    /// step.
    fn leave(&mut self) {}

    /// Waits until all steps so far have completed.
    ///
    /// # Errors
    /// As [`send`](Backend::send).
    fn synchronize(&mut self) -> Result<(), Error>;

    /// The rank has taken its last step. A backend that is dropped without this tells the other ranks, and their
    /// waits return an error.
    ///
    /// # Errors
    /// As [`synchronize`](Backend::synchronize).
    fn finish(&mut self) -> Result<(), Error> {
        self.synchronize()
    }
}

/// What a transfer of a batch does with its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferKind {
    /// Sends it.
    Send,
    /// Sends it for the last time: its contents may be anything afterwards.
    SendLast,
    /// Receives into it.
    Recv,
}

/// One send or receive of a batch, with its buffer.
#[derive(Debug)]
pub struct Transfer<Buffer> {
    /// What is done.
    pub kind: TransferKind,
    /// The rank at the other end.
    pub peer: usize,
    /// The memory.
    pub buffer: Buffer,
}
