//! The training split over pipeline stages: every rank a thread for the whole training, and the schedule run once per
//! training step.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use counterpart::Error;
use counterpart::backend::threads::{self, Config};
use counterpart::backend::{Backend, Threads};

use crate::drive::Instance;
use crate::model::{Layer, Score};
use crate::rank::Rank;
use crate::summary::Summary;
use crate::train::{Course, Log};

/// How the training is split, and how long a rank may wait for others.
#[derive(Clone, Debug)]
pub struct Split {
    /// The schedule, at a size.
    pub instance: Instance,
    /// For one wait.
    pub deadline: Duration,
}

/// Trains `layers` over the ranks of a pipeline, and returns what they have become and what ran.
///
/// # Errors
/// When a rank fails.
pub fn train(
    layers: &[Layer],
    split: &Split,
    course: &Course,
    log: &mut Log<'_>,
) -> Result<(Vec<Layer>, Summary), Error> {
    let Split { instance, deadline } = split;
    let (reports, news) = reports(instance.ranks);
    // The reports move in, so that they are gone when the ranks have ended, and the log waits for no more of them.
    let parts = thread::scope(move |scope| {
        // Where a rank has failed, the error comes from the ranks.
        scope.spawn(move || news.write(course, log));
        threads::run(instance.ranks, Config::new().deadline(*deadline), |backend| {
            let own = instance.own[backend.rank()].iter().copied();
            let rank = Rank::new(layers, own, instance.stages, course.micro_batches);
            train_rank(instance, backend, rank, course, &reports)
        })
    })?;
    Ok((in_order(parts), (instance.summary)()))
}

/// The layers of the model, from the stages of all ranks. Two copies of a stage are the same.
fn in_order(parts: Vec<Part>) -> Vec<Layer> {
    let stages: BTreeMap<usize, Vec<Layer>> = parts.into_iter().flatten().collect();
    stages.into_values().flatten().collect()
}

/// The whole training of one rank. Every rank draws the same batches, so that none has to send images or labels.
fn train_rank(
    instance: &Instance,
    mut backend: Threads,
    mut rank: Rank,
    course: &Course,
    reports: &Reports,
) -> Result<Part, Error> {
    let r = backend.rank();
    let mut steps = instance.driver(&mut backend)?;
    for batches in course.epochs() {
        for batch in batches {
            let start = Instant::now();
            rank.begin(batch);
            steps.run(&mut backend, &mut rank)?;
            let score = rank.end();
            if r == instance.reporter() {
                reports.step(score, start.elapsed());
            }
        }
        reports.epoch(r, rank.layers());
    }
    backend.finish()?;
    Ok(rank.layers())
}

/// The stages of a rank, with their layers.
type Part = Vec<(usize, Vec<Layer>)>;

/// Where ranks report to. Nobody waits for the log.
struct Reports {
    steps: Sender<(Score, Duration)>,
    /// One for each rank.
    layers: Vec<Sender<Part>>,
}

/// The other end of [`Reports`].
struct News {
    steps: Receiver<(Score, Duration)>,
    layers: Vec<Receiver<Part>>,
}

fn reports(ranks: usize) -> (Reports, News) {
    let (step, steps) = channel();
    let (layers_of, layers) = (0..ranks).map(|_| channel()).unzip();
    (Reports { steps: step, layers: layers_of }, News { steps, layers })
}

impl Reports {
    /// A step has ended; one rank reports it.
    fn step(&self, score: Score, time: Duration) {
        // The log hangs up only after the end.
        let _ = self.steps.send((score, time));
    }

    /// An epoch has left these layers on a rank.
    fn epoch(&self, rank: usize, part: Part) {
        let _ = self.layers[rank].send(part);
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
            let parts: Vec<_> = self.layers.iter().map(Receiver::recv).collect::<Result<_, _>>()?;
            log.epoch(&in_order(parts));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Agreement;
    use crate::data::Digits;
    use crate::{library, model, whole};

    /// Two epochs of one step.
    fn course(micro_batches: usize) -> Course {
        let mut rng = fastrand::Rng::with_seed(5);
        let digits = Digits::load().expect("the digits are part of the program");
        let train = digits.batches(micro_batches, &mut rng).swap_remove(0);
        let test = digits.batches(1, &mut rng).swap_remove(0);
        Course { train, test, micro_batches, epochs: 2, rng }
    }

    fn split(instance: Instance) -> Split {
        Split { instance, deadline: Duration::from_secs(60) }
    }

    #[test]
    fn every_schedule_at_every_size_learns_what_the_model_in_one_piece_learns() {
        let model = model::layers(&mut fastrand::Rng::with_seed(5));
        for micro_batches in [1, 4, 8] {
            let course = course(micro_batches);
            let mut plain = Log::new(&course, |_| ());
            let whole = whole::train(model.clone(), &course, &mut plain);
            for name in library::NAMES {
                let instances = library::all(name).into_iter();
                for instance in instances.filter(|one| one.micro_batches == micro_batches) {
                    let mut log = Log::new(&course, |_| ());
                    let size = format!("{name}, {} ranks, {micro_batches} micro-batches", instance.ranks);
                    let (layers, _) =
                        train(&model, &split(instance), &course, &mut log).expect("nothing fails");
                    let agreement = Agreement::of(&log.losses, &plain.losses);
                    assert_eq!(agreement, Agreement::Identical { steps: 2 }, "{size}");
                    assert_eq!(log.test_accuracy, plain.test_accuracy, "{size}");
                    let same = layers.iter().zip(&whole).all(|(a, b)| a.parameters == b.parameters);
                    assert!(same && layers.len() == whole.len(), "{size}");
                }
            }
        }
    }

    #[test]
    fn a_run_that_fails_says_which_rank_waited_for_which() {
        let model = model::layers(&mut fastrand::Rng::with_seed(5));
        let course = course(4);
        let instance = library::find("written", 3, 4).expect("there is such an instance");
        let split = Split { instance, deadline: Duration::ZERO };
        let error = train(&model, &split, &course, &mut Log::new(&course, |_| ())).unwrap_err().to_string();
        assert!(error.contains(": waited ") && error.contains(" for rank "), "{error}");
    }
}
