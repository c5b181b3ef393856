//! Runs one closure on every rank, each on a thread of its own.

use std::any::Any;
use std::sync::Arc;
use std::thread;

use super::world::World;
use super::{Config, Rule, Threads};
use crate::error::Error;

/// Runs `body` once per rank, each on a thread of its own, and returns the results in the order of the ranks. It
/// returns when every rank has.
///
/// `body` takes its steps and calls [`finish`](crate::backend::Backend::finish) after the last.
///
/// # Errors
/// When a rank returns an error, panics, or leaves without having finished. The others then do not wait for it any
/// longer, and the error is that of the first cause, not of those who were waiting.
///
/// ```
/// use counterpart::backend::threads::{self, Config, Threads};
/// use counterpart::backend::Backend;
/// use counterpart::core::{DType, Payload};
///
/// let received = threads::run(2, Config::new(), |mut backend: Threads| {
///     let (rank, peer) = (backend.rank(), 1 - backend.rank());
///     let mut mine = backend.alloc(Payload::new(DType::I32, 2))?;
///     let mut theirs = backend.alloc(Payload::new(DType::I32, 2))?;
///     mine.as_mut_slice::<i32>().unwrap().fill(rank as i32 + 10);
///     if rank == 0 {
///         backend.send(0, peer, &mine)?;
///         backend.recv(1, peer, &mut theirs)?;
///     } else {
///         backend.recv(0, peer, &mut theirs)?;
///         backend.send(1, peer, &mine)?;
///     }
///     backend.finish()?;
///     Ok(theirs.as_slice::<i32>().unwrap().to_vec())
/// })?;
/// assert_eq!(received, [[11, 11], [10, 10]]);
/// # Ok::<(), counterpart::Error>(())
/// ```
pub fn run<R, T, F>(ranks: usize, config: Config<R>, body: F) -> Result<Vec<T>, Error>
where
    R: Rule,
    T: Send,
    F: Fn(Threads<R>) -> Result<T, Error> + Sync,
{
    let backends = Threads::world(ranks, config);
    let world = backends.first().map(|backend| Arc::clone(&backend.world));
    let ends = thread::scope(|scope| {
        let body = &body;
        // A rank whose thread does not start is dropped here, which the others see.
        let start = |backend: Threads<R>| {
            let name = format!("rank {}", backend.rank);
            thread::Builder::new().name(name).spawn_scoped(scope, move || body(backend))
        };
        let threads: Vec<_> = backends.into_iter().map(start).collect();
        let join = |(rank, thread): (usize, std::io::Result<thread::ScopedJoinHandle<'_, _>>)| match thread {
            Err(error) => Err(Error::Usage(format!("no thread for rank {rank}: {error}"))),
            Ok(thread) => thread.join().unwrap_or_else(|panic| Err(panicked(rank, &*panic))),
        };
        threads.into_iter().enumerate().map(join).collect::<Vec<_>>()
    });
    match world.and_then(|world| World::first_cause(&world)) {
        None => ends.into_iter().collect(),
        Some((rank, told)) => Err(ends.into_iter().nth(rank).and_then(Result::err).unwrap_or(told)),
    }
}

fn panicked(rank: usize, panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    let message = text.or_else(|| panic.downcast_ref::<String>().cloned());
    Error::Panic { rank, message: message.unwrap_or_else(|| "no message".to_owned()) }
}
