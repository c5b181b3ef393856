//! A backend that counts calls and does nothing else.

use counterpart_core::{Model, Payload};

use super::host::differ;
use super::{Backend, Transfer, TransferKind};
use crate::element::Element;
use crate::error::Error;

/// One rank that counts its calls. It moves no bytes and waits for nobody, so one rank runs alone, and what is left
/// to measure is the cost of the schedule itself. Transfers succeed whatever they say; a download leaves its target
/// as it is.
///
/// ```
/// use counterpart::backend::{Backend, Counting};
/// use counterpart::core::{DType, Payload};
///
/// let mut backend = Counting::new(0, 2);
/// let buffer = backend.alloc(Payload::new(DType::F32, 8))?;
/// backend.send(0, 1, &buffer)?;
/// assert_eq!((backend.counts().sends, backend.counts().bytes), (1, 32));
/// # Ok::<(), counterpart::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Counting {
    rank: usize,
    size: usize,
    counts: Counts,
}

/// How often a rank made each call. Items of batches count as `batch_items` only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Buffers allocated.
    pub allocs: u64,
    /// Uploads.
    pub uploads: u64,
    /// Downloads.
    pub downloads: u64,
    /// Single sends, last sends among them.
    pub sends: u64,
    /// Single receives.
    pub receives: u64,
    /// Batches.
    pub batches: u64,
    /// Sends and receives of batches.
    pub batch_items: u64,
    /// Compute steps.
    pub computes: u64,
    /// Bytes sent, in batches or not.
    pub bytes: u64,
}

/// A buffer without memory: a pointer, as in other backends, to what the message would be.
#[derive(Debug)]
pub struct CountingBuffer(Box<Payload>);

impl Counting {
    /// Rank number `rank` of `size`, with all counts at zero.
    #[inline]
    pub fn new(rank: usize, size: usize) -> Counting {
        Counting { rank, size, counts: Counts::default() }
    }

    /// The calls so far.
    #[inline]
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

impl Backend for Counting {
    type Buffer = CountingBuffer;

    /// All of them: nothing waits.
    const MODELS: &'static [Model] = &Model::ALL;

    #[inline]
    fn rank(&self) -> usize {
        self.rank
    }

    #[inline]
    fn size(&self) -> usize {
        self.size
    }

    #[inline]
    fn alloc(&mut self, payload: Payload) -> Result<CountingBuffer, Error> {
        self.counts.allocs += 1;
        Ok(CountingBuffer(Box::new(payload)))
    }

    #[inline]
    fn upload<T: Element>(&mut self, from: &[T], into: &mut CountingBuffer) -> Result<(), Error> {
        self.counts.uploads += 1;
        same("upload", from, into)
    }

    #[inline]
    fn download<T: Element>(&mut self, from: &CountingBuffer, into: &mut [T]) -> Result<(), Error> {
        self.counts.downloads += 1;
        same("download", into, from)
    }

    #[inline(never)]
    fn send(&mut self, _step: u32, _to: usize, data: &CountingBuffer) -> Result<(), Error> {
        self.counts.sends += 1;
        self.counts.bytes += data.0.bytes();
        Ok(())
    }

    #[inline(never)]
    fn recv(&mut self, _step: u32, _from: usize, _into: &mut CountingBuffer) -> Result<(), Error> {
        self.counts.receives += 1;
        Ok(())
    }

    #[inline(never)]
    fn batch(&mut self, _step: u32, transfers: &mut [Transfer<CountingBuffer>]) -> Result<(), Error> {
        self.counts.batches += 1;
        self.counts.batch_items += transfers.len() as u64;
        for transfer in transfers {
            if transfer.kind != TransferKind::Recv {
                self.counts.bytes += transfer.buffer.0.bytes();
            }
        }
        Ok(())
    }

    fn share(&mut self, buffer: &CountingBuffer) -> Result<CountingBuffer, Error> {
        Ok(CountingBuffer(buffer.0.clone()))
    }

    #[inline(never)]
    fn compute(&mut self, _step: u32) {
        self.counts.computes += 1;
    }

    #[inline]
    fn synchronize(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

#[inline]
fn same<T: Element>(what: &str, host: &[T], buffer: &CountingBuffer) -> Result<(), Error> {
    if *buffer.0 == Payload::new(T::DTYPE, host.len() as u64) {
        return Ok(());
    }
    Err(differ(what, host, *buffer.0))
}
