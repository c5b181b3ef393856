//! The threads backend does what the verifier says: a plan judged safe runs to its end, and one judged unsafe for its
//! communication does not. All small worlds, and every mutant of a few schedules.
//!
//! The verifier is held against the oracle over the same worlds in `core/tests/small_worlds.rs`.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use counterpart::Error;
use counterpart::backend::threads::{Config, Gang, Item, Rule, Threads};
use counterpart::backend::{Backend, HostBuffer, Transfer, TransferKind};
use counterpart::core::simulate::Costs;
use counterpart::core::tape::StepKind;
use counterpart::core::{DType, FaultKind, Model, Payload, Plan, comms};
use counterpart_testkit::small::{self, Alphabet};
use counterpart_testkit::{Step, World, mutants, random, schedules, tables};

/// Long enough never to be the reason; a world that cannot go on is found out at once.
const DEADLINE: Duration = Duration::from_secs(60);

/// Threads that run one plan after another.
struct Workers<R: Rule> {
    config: Config<R>,
    jobs: Vec<Sender<(Arc<Plan>, Threads<R>)>>,
    ends: Receiver<Result<(), Error>>,
}

impl<R: Rule + Send + 'static> Workers<R> {
    fn new(ranks: usize, config: Config<R>) -> Workers<R> {
        let (done, ends) = channel();
        let start = |_| {
            let (job, jobs) = channel::<(Arc<Plan>, Threads<R>)>();
            let done = done.clone();
            thread::spawn(move || {
                for (plan, backend) in jobs {
                    if done.send(run(&plan, backend)).is_err() {
                        return;
                    }
                }
            });
            job
        };
        Workers { config: config.deadline(DEADLINE), jobs: (0..ranks).map(start).collect(), ends }
    }

    /// Runs a plan on all its ranks; `None` when it went to its end, or else the first error.
    fn run(&self, plan: Plan) -> Option<Error> {
        assert!(plan.ranks() <= self.jobs.len(), "a thread for each rank");
        let plan = Arc::new(plan);
        let world = Threads::world(plan.ranks(), self.config);
        for (job, backend) in self.jobs.iter().zip(world) {
            job.send((Arc::clone(&plan), backend)).expect("workers live as long as this");
        }
        let ends: Vec<_> = (0..plan.ranks())
            .map(|_| self.ends.recv_timeout(2 * DEADLINE).expect("every rank answers"))
            .collect();
        ends.into_iter().find_map(Result::err)
    }
}

/// Takes the steps of one rank.
fn run<R: Rule>(plan: &Plan, mut backend: Threads<R>) -> Result<(), Error> {
    let rank = backend.rank();
    for step in plan.steps(rank) {
        // One end may declare a payload and the other not; the backend needs one, so all messages are a byte.
        let buffer = || HostBuffer::zeros(Payload::new(DType::U8, 1));
        let peer = |peer: i32| usize::try_from(peer).unwrap_or(usize::MAX);
        let items = plan.items(step);
        match step.kind {
            StepKind::Compute => backend.compute(step.number),
            StepKind::Single if items[0].send => {
                backend.send(step.number, peer(items[0].peer), &buffer()?)?;
            }
            StepKind::Single => {
                backend.recv(step.number, peer(items[0].peer), &mut buffer()?)?;
            }
            StepKind::Batch => {
                let transfer = |item: &counterpart::core::tape::Item| {
                    let kind = if item.send { TransferKind::Send } else { TransferKind::Recv };
                    Ok(Transfer { kind, peer: peer(item.peer), buffer: buffer()? })
                };
                let mut transfers = items.iter().map(transfer).collect::<Result<Vec<_>, Error>>()?;
                backend.batch(step.number, &mut transfers)?;
            }
        }
    }
    backend.finish()
}

/// How many worlds ran to their end and how many did not.
#[derive(Default, Debug)]
struct Count {
    ended: usize,
    stopped: usize,
}

/// Holds one world against the verifier under one rule.
///
/// The backend has no tags: what a message is called, and what compute steps do with it, it cannot know. Payloads that
/// differ are left to the conformance suite.
fn hold<R: Rule + Send + 'static>(workers: &Workers<R>, model: Model, world: &World, count: &mut Count) {
    let plan = world.to_plan();
    let verdict = plan.verify(model);
    let unseen = [FaultKind::Mismatch, FaultKind::Dataflow, FaultKind::Coverage];
    let safe = verdict.faults.iter().all(|fault| unseen.contains(&fault.kind));
    let error = workers.run(plan);
    assert!(
        !matches!(error, Some(Error::Timeout { .. })),
        "nothing waits for its deadline: {error:?}\n{world}"
    );
    assert_eq!(
        error.is_none(),
        safe,
        "under {model} the verifier says: {verdict}\nthreads say: {error:?}\n{world}"
    );
    if safe { count.ended += 1 } else { count.stopped += 1 }
}

/// Both rules that the backend has, over the same worlds.
struct Both {
    gang: Workers<Gang>,
    item: Workers<Item>,
    gangs: Count,
    items: Count,
}

impl Both {
    fn new(ranks: usize) -> Both {
        Both {
            gang: Workers::new(ranks, Config::new()),
            item: Workers::new(ranks, Config::item()),
            gangs: Count::default(),
            items: Count::default(),
        }
    }

    fn hold(&mut self, world: &World) {
        hold(&self.gang, Model::PORTABLE, world, &mut self.gangs);
        hold(&self.item, Model::ALL[1], world, &mut self.items);
    }

    fn assert(&self, ended: [usize; 2], stopped: [usize; 2]) {
        let found = ([self.gangs.ended, self.items.ended], [self.gangs.stopped, self.items.stopped]);
        assert_eq!(found, (ended, stopped), "worlds that ended and that stopped, under gang and item");
    }
}

fn programs(ranks: usize, longest: usize, alphabet: fn(usize) -> Alphabet) -> Vec<Vec<Vec<Step>>> {
    (0..ranks).map(|rank| small::programs(&alphabet(rank), longest)).collect()
}

#[test]
fn two_ranks_exchange() {
    let mut both = Both::new(2);
    let programs = programs(2, 3, small::exchange);
    small::balanced(&programs, &small::first_of_circle, &mut |world| both.hold(world));
    both.assert([8_587, 42_025], [64_673, 31_235]);
}

#[test]
fn odd_peers() {
    let mut both = Both::new(2);
    small::all(&programs(2, 2, small::oddities), &mut |world| both.hold(world));
    both.assert([543, 687], [24_106, 23_962]);
}

#[test]
fn three_ranks_two_steps() {
    let mut both = Both::new(3);
    let programs = programs(3, 2, small::triangle);
    small::balanced(&programs, &|_| true, &mut |world| both.hold(world));
    both.assert([3_519, 10_689], [9_254, 2_084]);
}

#[test]
fn three_ranks_three_steps() {
    let mut both = Both::new(3);
    let programs = programs(3, 3, small::ring);
    small::balanced(&programs, &small::first_of_circle, &mut |world| both.hold(world));
    both.assert([4_450, 35_238], [90_856, 60_068]);
}

#[test]
fn mutants_of_schedules() {
    let mut both = Both::new(8);
    let mut hold = |plan: &Plan| {
        let world = World::from_plan(plan);
        both.hold(&world);
        mutants::each(&world, &mut |_, mutant| both.hold(mutant));
    };
    hold(&schedules::one_f1b(3, 4));
    hold(&schedules::gpipe(3, 3));
    hold(&schedules::ring(4));
    // Inserted communication, with batches.
    let costs = Costs::new().others(2).transfer(1);
    let goal = comms::Goal { costs, rule: Some(comms::Rule::Urgent), ..comms::Goal::default() };
    let inserted = comms::auto(&tables::dual_pipe_v(2, 4).plan(), &goal).expect("it can run");
    assert!(inserted.choice.best().batches > 0);
    hold(&inserted.plan);
    for seed in 0..6 {
        hold(&random::safe(seed, 6).to_plan());
    }
    assert!(both.gangs.ended > 100 && both.gangs.stopped > 1_000, "{:?}", both.gangs);
}
