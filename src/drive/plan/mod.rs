//! The driver of plans: runs a schedule that is made or loaded at run time.
//!
//! It takes verified plans only, so what would hang is refused before its first transfer.

mod program;

use std::borrow::Borrow;

use counterpart_core::{Plan, Verified};

use super::StepResult;
use super::pool::{self, PoolUse};
use super::program::{Run, lost};
use crate::backend::Backend;
use crate::endpoint::Guard;
use crate::error::Error;
use program::{Operation, Program};

pub use program::ComputeStep;

/// What a rank does besides communication: the compute steps of a plan, and the values that come from outside of it.
pub trait RunPlan<B: Backend> {
    /// Performs a compute step. `reads` and `writes` are the buffers of the values that it declares, in that order; what is
    /// written holds anything before.
    ///
    /// # Errors
    /// Whatever the step fails with.
    fn compute(
        &mut self,
        step: &ComputeStep,
        reads: &[&B::Buffer],
        writes: &mut [&mut B::Buffer],
    ) -> StepResult;

    /// Fills a value that the rank sends or reads, but no step of it has written or received.
    ///
    /// # Errors
    /// Whatever it fails with; by default, that nobody provides the value.
    fn provide(&mut self, label: &str, backend: &mut B, buffer: &mut B::Buffer) -> StepResult {
        let _ = (backend, buffer);
        Err(format!("no step of this rank writes `{label}`, and nobody provides it").into())
    }

    /// Takes a value that the rank has received and no later step of it uses. By default it is dropped.
    ///
    /// # Errors
    /// Whatever it fails with.
    fn accept(&mut self, label: &str, backend: &mut B, buffer: &B::Buffer) -> StepResult {
        let _ = (label, backend, buffer);
        Ok(())
    }
}

/// Runs a verified plan on one rank, as often as wanted. Buffers are allocated once.
///
/// ```
/// use counterpart::backend::{Backend, HostBuffer, Threads, threads};
/// use counterpart::core::{Model, Plan};
/// use counterpart::drive::{ComputeStep, RunPlan};
/// use counterpart::{PlanDriver, StepResult};
///
/// let text = r#"{"format": "counterpart-plan", "version": 1, "name": "hello",
///     "messages": {"Word": {"dtype": "u8", "count": 5}},
///     "ranks": [[{"compute": "speak", "writes": ["Word"]}, {"send": "Word", "to": 1}],
///               [{"recv": "Word", "from": 0}, {"compute": "listen", "reads": ["Word"]}]]}"#;
/// let verified = Plan::from_json(text)?.verified(Model::PORTABLE)?; // an unsafe plan ends here
///
/// #[derive(Default)]
/// struct Person(Vec<u8>);
///
/// impl RunPlan<Threads> for Person {
///     fn compute(&mut self, step: &ComputeStep, reads: &[&HostBuffer], writes: &mut [&mut HostBuffer]) -> StepResult {
///         match step.label() {
///             "speak" => writes[0].write(b"hello")?,
///             _ => self.0 = reads[0].as_slice::<u8>().unwrap_or_default().to_vec(),
///         }
///         Ok(())
///     }
/// }
///
/// let people = threads::run(2, threads::Config::new(), |mut backend: Threads| {
///     let mut person = Person::default();
///     let mut driver = PlanDriver::new(verified.by_ref(), &mut backend)?;
///     driver.run(&mut backend, &mut person)?;
///     backend.finish()?;
///     Ok(person)
/// })?;
/// assert_eq!(people[1].0, b"hello");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PlanDriver<P, B: Backend> {
    verified: Verified<P>,
    program: Program,
    /// Empty only while a step has the buffer.
    buffers: Vec<Option<B::Buffer>>,
    /// Whose they are: the number of the rank, and of all ranks.
    rank: (usize, usize),
}

impl<P: Borrow<Plan>, B: Backend> PlanDriver<P, B> {
    /// Prepares the program of this rank and allocates its buffers.
    ///
    /// # Errors
    /// When the backend does not offer the model of the plan, when the communicator has another number of ranks, when a
    /// value has no declared element type and count or is `_`, or when memory runs out.
    pub fn new(verified: Verified<P>, backend: &mut B) -> Result<Self, Error> {
        let plan = verified.plan();
        let rank = pool::place(plan, "plan", backend)?;
        if !B::MODELS.iter().any(|&model| verified.model().implies(model)) {
            let offered: Vec<String> = B::MODELS.iter().map(ToString::to_string).collect();
            return Err(Error::Usage(format!(
                "plan `{}` is known to be safe under {}, but this backend offers {}: verify it under one of these",
                plan.name,
                verified.model(),
                offered.join(", ")
            )));
        }
        let (program, payloads) = Program::of(plan, rank.0)?;
        let buffers = payloads.into_iter().map(|payload| backend.alloc(payload).map(Some));
        Ok(PlanDriver { buffers: buffers.collect::<Result<_, _>>()?, verified, program, rank })
    }

    /// Runs the plan once.
    ///
    /// A run that fails or panics half-way makes its rank [leave](Backend::leave).
    ///
    /// # Errors
    /// When a compute step fails, a deadline passes, or another rank fails or leaves, and when `backend` is another rank
    /// than that for which the driver was made.
    pub fn run<C: RunPlan<B> + ?Sized>(&mut self, backend: &mut B, compute: &mut C) -> Result<(), Error> {
        pool::is_for(self.rank, backend)?;
        let mut guard = Guard::new(backend);
        let mut run = Run { backend: guard.backend_mut(), buffers: &mut self.buffers };
        for (number, operation) in self.program.operations.iter().enumerate() {
            step(&mut run, compute, operation, number as u32)
                .map_err(|error| error.in_plan(self.verified.plan()))?;
        }
        guard.disarm();
        Ok(())
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        self.verified.plan()
    }

    /// The number of buffers of this rank.
    pub fn buffers(&self) -> usize {
        self.buffers.len()
    }
}

/// Takes one step.
fn step<B: Backend, C: RunPlan<B> + ?Sized>(
    run: &mut Run<'_, B>,
    compute: &mut C,
    operation: &Operation,
    number: u32,
) -> Result<(), Error> {
    let rank = run.backend.rank();
    let failed = |source| Error::Compute { rank, step: number, source };
    match operation {
        Operation::Compute { step, reads, writes, provided } => {
            run.backend.compute(number);
            provide(run, compute, provided, number)?;
            perform(run, compute, step, reads, writes)?.map_err(failed)
        }
        Operation::Communicate { is_batch, ends, uses, provided, accepted } => {
            provide(run, compute, provided, number)?;
            match (is_batch, ends[0].0) {
                (true, _) => run.gathered(ends, uses, number)?,
                (false, true) => {
                    let buffer = run.buffers[uses[0].buffer()].as_mut().ok_or_else(lost)?;
                    match uses[0].is_last {
                        true => run.backend.send_last(number, ends[0].1, buffer)?,
                        false => run.backend.send(number, ends[0].1, buffer)?,
                    }
                }
                (false, false) => {
                    let buffer = run.buffers[uses[0].buffer()].as_mut().ok_or_else(lost)?;
                    run.backend.recv(number, ends[0].1, buffer)?;
                }
            }
            for (place, label) in accepted {
                let buffer = run.buffers[place.buffer()].as_ref().ok_or_else(lost)?;
                compute.accept(label, run.backend, buffer).map_err(failed)?;
            }
            Ok(())
        }
        Operation::Empty => run.backend.batch(number, &mut []),
    }
}

/// Has values filled that no step of the rank brought.
fn provide<B: Backend, C: RunPlan<B> + ?Sized>(
    run: &mut Run<'_, B>,
    compute: &mut C,
    provided: &[(PoolUse, String)],
    number: u32,
) -> Result<(), Error> {
    for (place, label) in provided {
        let buffer = run.buffers[place.buffer()].as_mut().ok_or_else(lost)?;
        let rank = run.backend.rank();
        let done = compute.provide(label, run.backend, buffer);
        done.map_err(|source| Error::Compute { rank, step: number, source })?;
    }
    Ok(())
}

/// Performs a compute step. What it writes leaves the pool for that time, so that it can be written while others are read.
fn perform<B: Backend, C: RunPlan<B> + ?Sized>(
    run: &mut Run<'_, B>,
    compute: &mut C,
    step: &ComputeStep,
    reads: &[PoolUse],
    writes: &[PoolUse],
) -> Result<StepResult, Error> {
    let mut taken = Vec::with_capacity(writes.len());
    for place in writes {
        taken.push(run.buffers[place.buffer()].take().ok_or_else(lost)?);
    }
    let read: Option<Vec<&B::Buffer>> =
        reads.iter().map(|place| run.buffers[place.buffer()].as_ref()).collect();
    let done = match read {
        Some(read) => {
            let mut written: Vec<&mut B::Buffer> = taken.iter_mut().collect();
            Ok(compute.compute(step, &read, &mut written))
        }
        None => Err(lost()),
    };
    for (place, buffer) in writes.iter().zip(taken) {
        run.buffers[place.buffer()] = Some(buffer);
    }
    done
}
