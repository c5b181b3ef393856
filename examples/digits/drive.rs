//! What this program knows of an instance of a schedule. Only the driver is compiled anew for each of them.

use counterpart::backend::Threads;
use counterpart::core::Plan;
use counterpart::drive::DriveRanks;
use counterpart::{Driver, Error, Schedule};

use crate::exchange;
use crate::rank::Rank;
use crate::summary::Summary;

/// How many copies of the model there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chains {
    /// One.
    One,
    /// Two, in opposite directions over the same ranks; half of the micro-batches go through each.
    Two,
}

/// An instance of a schedule.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Ranks, each a thread.
    pub ranks: usize,
    /// Micro-batches in a batch.
    pub micro_batches: usize,
    /// Stages of the model.
    pub stages: usize,
    /// The stages that each rank has.
    pub own: Vec<Vec<usize>>,
    chains: Chains,
    driver: fn(&mut Threads) -> Result<Box<dyn Drive>, Error>,
    /// The schedule in numbers.
    pub summary: fn() -> Summary,
}

/// A driver of any instance.
pub trait Drive {
    /// Takes the compute steps of a training step.
    fn run(&mut self, backend: &mut Threads, rank: &mut Rank) -> Result<(), Error>;
}

impl<S: Schedule<Ranks: DriveRanks<Threads, Rank>>> Drive for Driver<S, Threads> {
    fn run(&mut self, backend: &mut Threads, rank: &mut Rank) -> Result<(), Error> {
        Driver::run(self, backend, rank)
    }
}

impl Instance {
    /// What there is to know of a schedule.
    pub fn of<S: Schedule<Ranks: DriveRanks<Threads, Rank>> + 'static>(chains: Chains) -> Instance {
        let plan = S::plan();
        let units: Vec<Vec<[usize; 2]>> = (0..plan.ranks()).map(|rank| units(&plan, rank)).collect();
        let most =
            |which: usize| units.iter().flatten().map(|unit| unit[which] + 1).max().unwrap_or_default();
        let own = units.iter().map(|units| {
            let mut own: Vec<usize> = units.iter().map(|unit| unit[0]).collect();
            own.sort_unstable();
            own.dedup();
            own
        });
        Instance {
            ranks: plan.ranks(),
            micro_batches: most(1) * if chains == Chains::Two { 2 } else { 1 },
            stages: most(0),
            own: own.collect(),
            chains,
            driver: |backend| Ok(Box::new(Driver::<S, Threads>::new(backend)?)),
            summary: || Summary::new(&S::plan(), S::PEAK),
        }
    }

    /// What takes the training steps of a rank.
    ///
    /// # Errors
    /// When the driver cannot be made.
    pub fn driver(&self, backend: &mut Threads) -> Result<Steps, Error> {
        let exchange = match self.chains {
            Chains::One => None,
            Chains::Two => Some(exchange::driver(self.ranks, backend)?),
        };
        Ok(Steps { schedule: (self.driver)(backend)?, exchange })
    }

    /// The rank that knows how well a batch was recognised.
    pub fn reporter(&self) -> usize {
        match self.chains {
            Chains::One => {
                self.own.iter().position(|own| own.contains(&(self.stages - 1))).unwrap_or_default()
            }
            Chains::Two => exchange::REPORTER,
        }
    }
}

/// Stage and micro-batch of every forward of a rank; they are the last two indices.
fn units(plan: &Plan, rank: usize) -> Vec<[usize; 2]> {
    let names = plan.names();
    let compute_steps = plan.steps(rank).iter().flat_map(|step| plan.compute_names(step));
    let forwards = compute_steps.filter(|name| names[name.family() as usize].text == "forward");
    forwards
        .map(|name| {
            let arity = names[name.family() as usize].arity;
            [name.index(arity - 2) as usize, name.index(arity - 1) as usize]
        })
        .collect()
}

/// Takes the training steps of a rank.
pub struct Steps {
    schedule: Box<dyn Drive>,
    /// With two copies of the model, what makes them agree.
    exchange: Option<Box<dyn Drive>>,
}

impl Steps {
    /// Takes a training step, up to the sums of all gradients.
    ///
    /// # Errors
    /// When a compute step fails, or another rank does.
    pub fn run(&mut self, backend: &mut Threads, rank: &mut Rank) -> Result<(), Error> {
        self.schedule.run(backend, rank)?;
        match &mut self.exchange {
            Some(exchange) => exchange.run(backend, rank),
            None => {
                let all = 0..rank.micro_batches();
                for s in rank.stages() {
                    (0..rank.depth(s)).for_each(|l| rank.add_gradients((s, l), all.clone()));
                }
                rank.add_scores(all);
                Ok(())
            }
        }
    }
}
