//! The backend in which every rank is a thread of this process.
//!
//! A send returns when its receive has happened, and nothing is buffered: the receiver copies straight out of the
//! sender's memory, and a last send hands the memory itself over. A batch and all its partner steps run as one, as
//! on HCCL ([`Gang`]); [`Item`] lets every item of a batch run by itself, and may let small sends run ahead.
//!
//! Ranks that wait for each other in a circle return [`Error::Deadlock`] at once. A rank that fails or leaves makes
//! the waits of all others return an error that names it. Every other wait ends with the deadline.

mod deadlock;
mod eager;
mod failure;
mod meet;
mod run;
mod signal;
mod state;
mod world;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use counterpart_core::{BatchRule, Channel, Model, Payload};

pub use run::run;

use self::state::Entry;
use self::world::{Scratch, World};
use super::{Backend, HostBuffer, Transfer, TransferKind};
use crate::element::Element;
use crate::error::Error;

/// The batch rule of a world, as a type: [`Gang`] or [`Item`].
pub trait Rule: Copy + Send + sealed::Sealed + 'static {
    /// The rule.
    const BATCH: BatchRule;
    /// The models that a world under this rule offers.
    const MODELS: &'static [Model];
}

/// [`BatchRule::Gang`]: the strict rule of HCCL. What runs here, runs everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Gang;

/// [`BatchRule::Item`]: each item of a batch by itself. The items between two ranks meet in the order of the lists.
#[derive(Clone, Copy, Debug)]
pub struct Item;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Gang {}
    impl Sealed for super::Item {}
}

impl Rule for Gang {
    const BATCH: BatchRule = BatchRule::Gang;
    const MODELS: &'static [Model] = &[Model::PORTABLE];
}

impl Rule for Item {
    const BATCH: BatchRule = BatchRule::Item;
    const MODELS: &'static [Model] =
        &[Model::PORTABLE, Model::new(Channel::Blocking, BatchRule::Item).expect("this model exists")];
}

/// What a world of threads is like.
#[derive(Clone, Copy, Debug)]
pub struct Config<R = Gang> {
    deadline: Duration,
    eager_limit: u64,
    rule: PhantomData<R>,
}

impl Config<Gang> {
    /// The gang rule, and a deadline of 30 seconds.
    pub fn new() -> Config<Gang> {
        Config { deadline: Duration::from_secs(30), eager_limit: 0, rule: PhantomData }
    }
}

impl Default for Config<Gang> {
    fn default() -> Config<Gang> {
        Config::new()
    }
}

impl Config<Item> {
    /// The item rule, a deadline of 30 seconds, and no eager sends.
    pub fn item() -> Config<Item> {
        Config { deadline: Duration::from_secs(30), eager_limit: 0, rule: PhantomData }
    }

    /// Sends of up to `bytes` complete without their receive. 0, the default, lets every send wait for it.
    ///
    /// The steps of a rank still run in order, so this is less than the channel
    /// [`Eager`](counterpart_core::Channel::Eager), in which a receive does not hold up other peers: a world of
    /// threads never offers that model. Programs that are safe without a limit are safe with one.
    pub fn eager_limit(self, bytes: usize) -> Config<Item> {
        Config { eager_limit: bytes as u64, ..self }
    }
}

impl<R: Rule> Config<R> {
    /// How long one step may wait for other ranks.
    pub fn deadline(self, deadline: Duration) -> Config<R> {
        Config { deadline, ..self }
    }
}

/// [`Config`] as the world reads it.
struct Rules {
    deadline: Duration,
    batch: BatchRule,
    eager_limit: u64,
}

/// One rank of a world of threads; may be sent to the thread that is to be this rank.
///
/// Dropping it before [`finish`](Backend::finish) ends the world: the waits of all other ranks return an error.
#[must_use = "a rank that is dropped makes all others fail"]
pub struct Threads<R: Rule = Gang> {
    world: Arc<World>,
    rank: usize,
    finished: bool,
    scratch: Scratch,
    rule: PhantomData<R>,
}

impl<R: Rule> Threads<R> {
    /// The ranks of a new world, in order. [`run`] starts their threads too.
    pub fn world(ranks: usize, config: Config<R>) -> Vec<Threads<R>> {
        let Config { deadline, eager_limit, .. } = config;
        let world = Arc::new(World::new(ranks, Rules { deadline, batch: R::BATCH, eager_limit }));
        let rank = |rank| Threads {
            world: Arc::clone(&world),
            rank,
            finished: false,
            scratch: Scratch::default(),
            rule: PhantomData,
        };
        (0..ranks).map(rank).collect()
    }

    /// Takes a step with one item and returns its memory.
    fn single(&mut self, step: u32, entry: Entry) -> (HostBuffer, Result<(), Error>) {
        self.scratch.entries.push(entry);
        let result = self.execute(step);
        let memory = self.scratch.entries.pop().map(|entry| entry.memory);
        (memory.expect("a step gives its entries back"), result)
    }

    fn execute(&mut self, step: u32) -> Result<(), Error> {
        if self.finished {
            return Err(Error::Usage(format!(
                "rank {}, step {step}: the rank has finished or left",
                self.rank
            )));
        }
        self.world.execute(self.rank, step, &mut self.scratch)
    }
}

impl<R: Rule> Backend for Threads<R> {
    type Buffer = HostBuffer;

    const MODELS: &'static [Model] = R::MODELS;

    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.world.size()
    }

    fn alloc(&mut self, payload: Payload) -> Result<HostBuffer, Error> {
        HostBuffer::zeros(payload)
    }

    fn upload<T: Element>(&mut self, from: &[T], into: &mut HostBuffer) -> Result<(), Error> {
        into.write(from)
    }

    fn download<T: Element>(&mut self, from: &HostBuffer, into: &mut [T]) -> Result<(), Error> {
        from.read(into)
    }

    fn send(&mut self, step: u32, to: usize, data: &HostBuffer) -> Result<(), Error> {
        self.single(step, Entry::new(TransferKind::Send, to, data.lend())).1
    }

    fn send_last(&mut self, step: u32, to: usize, data: &mut HostBuffer) -> Result<(), Error> {
        let (memory, result) = self.single(step, Entry::new(TransferKind::SendLast, to, data.take()));
        *data = memory;
        result
    }

    fn recv(&mut self, step: u32, from: usize, into: &mut HostBuffer) -> Result<(), Error> {
        let (memory, result) = self.single(step, Entry::new(TransferKind::Recv, from, into.take()));
        *into = memory;
        result
    }

    fn batch(&mut self, step: u32, transfers: &mut [Transfer<HostBuffer>]) -> Result<(), Error> {
        let entries = transfers.iter_mut().map(|t| Entry::new(t.kind, t.peer, t.buffer.take()));
        self.scratch.entries.extend(entries);
        let result = self.execute(step);
        for (transfer, entry) in transfers.iter_mut().zip(self.scratch.entries.drain(..)) {
            transfer.buffer = entry.memory;
        }
        result
    }

    fn share(&mut self, buffer: &HostBuffer) -> Result<HostBuffer, Error> {
        Ok(buffer.lend())
    }

    fn compute(&mut self, step: u32) {
        self.world.note(self.rank, step);
    }

    fn synchronize(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Error> {
        if self.finished {
            return Ok(());
        }
        self.finished = true;
        self.world.finish(self.rank, &mut self.scratch)
    }

    fn leave(&mut self) {
        if !self.finished {
            self.finished = true;
            self.world.leave(self.rank, thread::panicking(), &mut self.scratch);
        }
    }
}

impl<R: Rule> Drop for Threads<R> {
    fn drop(&mut self) {
        self.leave();
    }
}

impl<R: Rule> fmt::Debug for Threads<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Threads(rank {} of {}, {} rule)", self.rank, self.size(), R::BATCH.name())
    }
}
