//! The driver: runs the program of a rank step by step.
//!
//! It is the session type that runs: each step of the type is one call of the backend or of a compute method, so the
//! driver cannot deviate from what was proven. Which buffer a step uses is settled beforehand from live ranges.

mod batch;
mod compute;
mod plan;
mod pool;
mod program;
mod ranks;
mod tensors;

use core::marker::PhantomData;

pub use compute::{Lend, Perform, Place, Take};
pub use plan::{ComputeStep, PlanDriver, RunPlan};
pub use pool::{FamilyPeak, Peak};
pub use program::Drive;
pub use ranks::DriveRanks;
pub use tensors::{Read, Write};

use counterpart_core::Model;
use counterpart_core::text::{self, Text};

use crate::backend::Backend;
use crate::endpoint::Guard;
use crate::error::Error;
use crate::schedule::{Proof, Schedule};
use crate::session::Phantom;
use pool::Pool;
use program::Run;

/// What a compute step of the user may fail with.
pub type StepError = Box<dyn std::error::Error + Send + Sync>;

/// What a compute step of the user returns.
pub type StepResult = Result<(), StepError>;

/// Runs a proven schedule on one rank, as often as wanted. Buffers are allocated once.
///
/// ```
/// use counterpart::backend::{Backend, Threads, threads};
/// use counterpart::{Driver, Read, StepResult, Write, schedule};
///
/// schedule! {
///     schedule Hello;
///     message Word: [u8; 5];
///     compute speak()  { writes Word; }
///     compute listen() { reads Word; }
///     rank 0 { speak(); send Word to 1; }
///     rank 1 { recv Word from 0; listen(); }
/// }
/// use hello::{Compute, Word};
///
/// #[derive(Default)]
/// struct Person {
///     heard: Vec<u8>,
/// }
///
/// impl Compute for Person {
///     fn speak(&mut self, mut word: Write<'_, Word, Threads>) -> StepResult {
///         word.copy_from_slice(b"hello");
///         Ok(())
///     }
///     fn listen(&mut self, word: Read<'_, Word, Threads>) -> StepResult {
///         self.heard = word.to_vec();
///         Ok(())
///     }
/// }
///
/// let people = threads::run(2, threads::Config::new(), |mut backend: Threads| {
///     let mut person = Person::default();
///     let mut driver = Driver::<Hello, _>::new(&mut backend)?;
///     driver.run(&mut backend, &mut person)?;
///     backend.finish()?;
///     Ok(person)
/// })?;
/// assert_eq!(people[1].heard, b"hello");
/// # Ok::<(), counterpart::Error>(())
/// ```
pub struct Driver<S, B: Backend> {
    pool: Pool<B>,
    schedule: Phantom<S>,
}

impl<S, B: Backend> Driver<S, B> {
    /// Allocates the buffers of this rank.
    ///
    /// This compiles only for a proven schedule and a backend that offers its model.
    ///
    /// # Errors
    /// When the communicator has another number of ranks than the schedule, or memory runs out.
    pub fn new(backend: &mut B) -> Result<Self, Error>
    where
        S: Schedule,
    {
        let proof = const { S::PROOF };
        const { accepted::<S, B>() };
        Ok(Driver { pool: Pool::new(&proof.plan(), S::PEAK, backend)?, schedule: PhantomData })
    }

    /// Runs the schedule once.
    ///
    /// A run that fails or panics half-way makes its rank [leave](Backend::leave): nobody knows any longer which step
    /// of it would meet which step of the others.
    ///
    /// # Errors
    /// When a compute step fails, a deadline passes, or another rank fails or leaves, and when `backend` is another
    /// rank than that for which the driver was made.
    pub fn run<C>(&mut self, backend: &mut B, compute: &mut C) -> Result<(), Error>
    where
        S: Schedule<Ranks: DriveRanks<B, C>>,
    {
        self.pool.is_for(backend)?;
        let rank = backend.rank() as u32;
        let Pool { buffers, uses, .. } = &mut self.pool;
        let mut guard = Guard::new(backend);
        let mut run = Run { backend: guard.backend_mut(), buffers };
        // Only a failure pays for the plan.
        S::Ranks::drive(rank, &mut run, compute, uses).map_err(|error| error.in_plan(&S::plan()))?;
        guard.disarm();
        Ok(())
    }

    /// The number of buffers of this rank.
    pub fn buffers(&self) -> usize {
        self.pool.len()
    }
}

/// Stops compilation when the backend does not offer the model of the schedule.
///
/// # Panics
/// In const evaluation, when it does not.
#[track_caller]
pub(crate) const fn accepted<S: Schedule, B: Backend>() {
    let mut i = 0;
    while i < B::MODELS.len() {
        if S::MODEL.implies(B::MODELS[i]) {
            return;
        }
        i += 1;
    }
    let mut t = Text::new();
    t.str("schedule `");
    t.str(S::NAME);
    t.str("` asks for ");
    model(S::MODEL, &mut t);
    t.str(", this backend offers ");
    i = 0;
    while i < B::MODELS.len() {
        t.str(if i == 0 { "" } else { ", " });
        model(B::MODELS[i], &mut t);
        i += 1;
    }
    t.str("\nhelp: declare the schedule for a stricter model, or run it on another backend");
    text::stop(&t)
}

/// `edge+gang`
const fn model(model: Model, t: &mut Text) {
    t.str(model.channel().name());
    t.str("+");
    t.str(model.batch().name());
}

impl<S: Schedule> Proof<S> {
    /// A driver for this schedule on a backend.
    ///
    /// # Errors
    /// As [`Driver::new`].
    pub fn driver<B: Backend>(self, backend: &mut B) -> Result<Driver<S, B>, Error> {
        Driver::new(backend)
    }
}
