//! The training split over pipeline stages: every rank a thread for the whole training, and the schedule run once per
//! training step.

use std::sync::mpsc::{Receiver, RecvError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use counterpart::backend::threads::{self, Config};
use counterpart::backend::{Backend, Threads};
use counterpart::drive::DriveRanks;
use counterpart::{Driver, Error, Schedule};

use crate::model::{Layer, Score};
use crate::rank::Rank;
use crate::schedule::OneF1B;
use crate::stage::Stage;
use crate::summary::Summary;
use crate::train::{Course, Log};

/// The numbers of stages that this program has been built for.
pub const STAGES: [&str; 4] = ["1", "2", "3", "4"];
/// The numbers of micro-batches that this program has been built for.
pub const MICRO_BATCHES: [&str; 3] = ["1", "4", "8"];

/// How the model is split, and how long a rank may wait for others.
#[derive(Clone, Copy, Debug)]
pub struct Split {
    /// The number of stages, each a rank.
    pub stages: usize,
    /// For one wait.
    pub deadline: Duration,
}

/// What this program knows of an instance of the schedule. Only the driver is compiled anew for each of them.
#[derive(Clone, Copy)]
struct Instance {
    driver: fn(&mut Threads) -> Result<Box<dyn Drive>, Error>,
    summary: fn() -> Summary,
}

/// A driver of any instance.
trait Drive {
    /// Takes a training step.
    fn run(&mut self, backend: &mut Threads, rank: &mut Rank) -> Result<(), Error>;
}

impl<S: Schedule<Ranks: DriveRanks<Threads, Rank>>> Drive for Driver<S, Threads> {
    fn run(&mut self, backend: &mut Threads, rank: &mut Rank) -> Result<(), Error> {
        Driver::run(self, backend, rank)
    }
}

impl Instance {
    /// The instance of these sizes, if there is one.
    fn find(stages: usize, micro_batches: usize) -> Option<Instance> {
        macro_rules! find {
            ($($stages:literal: $($micro_batches:literal)*;)*) => {
                match (stages, micro_batches) {
                    $($(($stages, $micro_batches) => Some(Instance::of::<OneF1B<$stages, $micro_batches>>()),)*)*
                    _ => None,
                }
            };
        }
        find! {
            1: 1 4 8;
            2: 1 4 8;
            3: 1 4 8;
            4: 1 4 8;
        }
    }

    fn of<S: Schedule<Ranks: DriveRanks<Threads, Rank>> + 'static>() -> Instance {
        Instance {
            driver: |backend| Ok(Box::new(Driver::<S, Threads>::new(backend)?)),
            summary: || Summary::new(&S::plan(), S::PEAK),
        }
    }
}

/// Trains `layers` over the ranks of a pipeline, and returns what they have become and what ran.
///
/// # Errors
/// When a rank fails, or this program has not been built for these sizes.
pub fn train(
    layers: &[Layer],
    split: Split,
    course: &Course,
    log: &mut Log<'_>,
) -> Result<(Vec<Layer>, Summary), Error> {
    let Split { stages, deadline } = split;
    let Some(instance) = Instance::find(stages, course.micro_batches) else {
        return Err(Error::Usage(format!(
            "this program has no instance OneF1B<{stages}, {}>: add it to the schedule and to `Instance::find`",
            course.micro_batches
        )));
    };
    let (reports, news) = reports(stages);
    // The reports move in, so that they are gone when the ranks have ended, and the log waits for no more of them.
    let parts = thread::scope(move |scope| {
        // Where a rank has failed, the error comes from the ranks.
        scope.spawn(move || news.write(course, log));
        threads::run(stages, Config::new().deadline(deadline), |backend| {
            let stage = Stage::new(layers, backend.rank(), stages, course.micro_batches);
            train_rank(instance, backend, Rank::new(stage, course.micro_batches), course, &reports)
        })
    })?;
    Ok((parts.concat(), (instance.summary)()))
}

/// The whole training of one rank. Every rank draws the same batches, so that none has to send images or labels.
fn train_rank(
    instance: Instance,
    mut backend: Threads,
    mut rank: Rank,
    course: &Course,
    reports: &Reports,
) -> Result<Vec<Layer>, Error> {
    let r = backend.rank();
    let is_last = r + 1 == backend.size();
    let mut driver = (instance.driver)(&mut backend)?;
    for batches in course.epochs() {
        for batch in batches {
            let start = Instant::now();
            rank.begin(batch);
            driver.run(&mut backend, &mut rank)?;
            let score = rank.end();
            if is_last {
                reports.step(score, start.elapsed());
            }
        }
        reports.epoch(r, rank.layers());
    }
    backend.finish()?;
    Ok(rank.layers().to_vec())
}

/// Where ranks report to. Nobody waits for the log.
struct Reports {
    steps: Sender<(Score, Duration)>,
    /// One for each rank.
    layers: Vec<Sender<Vec<Layer>>>,
}

/// The other end of [`Reports`].
struct News {
    steps: Receiver<(Score, Duration)>,
    layers: Vec<Receiver<Vec<Layer>>>,
}

fn reports(stages: usize) -> (Reports, News) {
    let (step, steps) = channel();
    let (layers_of, layers) = (0..stages).map(|_| channel()).unzip();
    (Reports { steps: step, layers: layers_of }, News { steps, layers })
}

impl Reports {
    /// A step has ended; the last rank reports it.
    fn step(&self, score: Score, time: Duration) {
        // The log hangs up only after the end.
        let _ = self.steps.send((score, time));
    }

    /// An epoch has left these layers on a rank.
    fn epoch(&self, rank: usize, layers: &[Layer]) {
        let _ = self.layers[rank].send(layers.to_vec());
    }
}

impl News {
    /// Writes the log of a whole training.
    fn write(&self, course: &Course, log: &mut Log<'_>) -> Result<(), RecvError> {
        for _ in 0..course.epochs {
            for _ in 0..course.steps_per_epoch() {
                let (score, time) = self.steps.recv()?;
                log.step(score, time);
            }
            let layers: Vec<_> = self.layers.iter().map(Receiver::recv).collect::<Result<_, _>>()?;
            log.epoch(&layers.concat());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Agreement;
    use crate::data::Digits;
    use crate::{model, whole};

    /// Two epochs of one step.
    fn course(micro_batches: usize) -> Course {
        let mut rng = fastrand::Rng::with_seed(5);
        let digits = Digits::load().expect("the digits are part of the program");
        let train = digits.batches(micro_batches, &mut rng).swap_remove(0);
        let test = digits.batches(1, &mut rng).swap_remove(0);
        Course { train, test, micro_batches, epochs: 2, rng }
    }

    fn split(stages: usize) -> Split {
        Split { stages, deadline: Duration::from_secs(60) }
    }

    #[test]
    fn every_size_learns_what_the_model_in_one_piece_learns() {
        let model = model::layers(&mut fastrand::Rng::with_seed(5));
        for micro_batches in MICRO_BATCHES.map(|m| m.parse().expect("a number")) {
            let course = course(micro_batches);
            let mut plain = Log::new(&course, |_| ());
            let whole = whole::train(model.clone(), &course, &mut plain);
            for stages in STAGES.map(|p| p.parse().expect("a number")) {
                let mut log = Log::new(&course, |_| ());
                let (layers, _) = train(&model, split(stages), &course, &mut log).expect("nothing fails");
                let size = format!("{stages} stages, {micro_batches} micro-batches");
                let agreement = Agreement::of(&log.losses, &plain.losses);
                assert_eq!(agreement, Agreement::Identical { steps: 2 }, "{size}");
                assert_eq!(log.test_accuracy, plain.test_accuracy, "{size}");
                let same = layers.iter().zip(&whole).all(|(a, b)| a.parameters == b.parameters);
                assert!(same && layers.len() == whole.len(), "{size}");
            }
        }
    }

    #[test]
    fn a_run_that_fails_says_which_rank_waited_for_which() {
        let model = model::layers(&mut fastrand::Rng::with_seed(5));
        let course = course(4);
        let split = Split { stages: 3, deadline: Duration::ZERO };
        let error = train(&model, split, &course, &mut Log::new(&course, |_| ())).unwrap_err().to_string();
        assert!(error.contains(": waited ") && error.contains(" for rank "), "{error}");
    }

    #[test]
    fn a_size_that_was_not_built_is_an_error() {
        let course = course(3);
        let model = model::layers(&mut fastrand::Rng::with_seed(5));
        let error = train(&model, split(2), &course, &mut Log::new(&course, |_| ())).unwrap_err();
        assert_eq!(
            error.to_string(),
            "this program has no instance OneF1B<2, 3>: add it to the schedule and to `Instance::find`"
        );
    }
}
