//! Plans that are made at run time: verified before their first transfer, then run with real data.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use counterpart::backend::threads::{Config, Rule};
use counterpart::backend::{Backend, HostBuffer, Threads, threads};
use counterpart::core::plan::Comm;
use counterpart::core::simulate::Costs;
use counterpart::core::tape::{NONE, Role};
use counterpart::core::{BatchRule, Channel, DType, Model, Payload, Plan, Value, Verified, comms};
use counterpart::drive::{ComputeStep, RunPlan};
use counterpart::table::{Notation, Table};
use counterpart::{Error, PlanDriver, StepResult};
use counterpart_testkit::{World, agreement, mutants, random, schedules, tables};

const PAYLOAD: Payload = Payload::new(DType::U64, 3);

/// What value `label` holds.
fn content(label: &str) -> [u64; 3] {
    let sum = label.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
    [sum, !sum, sum.rotate_left(9)]
}

/// Writes what belongs into every value, and looks whether it is there in all that is read.
#[derive(Default)]
struct Checker {
    read: usize,
    accepted: usize,
}

impl Checker {
    fn look(label: &str, buffer: &HostBuffer) -> StepResult {
        match buffer.as_slice::<u64>() {
            Some(found) if found == content(label) => Ok(()),
            other => Err(format!("`{label}` holds {other:?}").into()),
        }
    }
}

impl<R: Rule> RunPlan<Threads<R>> for Checker {
    fn compute(
        &mut self,
        step: &ComputeStep,
        reads: &[&HostBuffer],
        writes: &mut [&mut HostBuffer],
    ) -> StepResult {
        for (label, buffer) in step.reads().iter().zip(reads) {
            Checker::look(label, buffer)?;
            self.read += 1;
        }
        for (label, buffer) in step.writes().iter().zip(writes) {
            buffer.write(&content(label))?;
        }
        Ok(())
    }

    fn provide(&mut self, label: &str, backend: &mut Threads<R>, buffer: &mut HostBuffer) -> StepResult {
        Ok(backend.upload(&content(label), buffer)?)
    }

    fn accept(&mut self, label: &str, _: &mut Threads<R>, buffer: &HostBuffer) -> StepResult {
        self.accepted += 1;
        Checker::look(label, buffer)
    }
}

/// Runs a plan twice on threads; how much was read and accepted in all.
fn run<R: Rule + Send + Sync + 'static>(
    plan: Plan,
    model: Model,
    config: Config<R>,
) -> Result<(usize, usize), Error> {
    let verified = Verified::new(Arc::new(plan), model).expect("a safe plan");
    let config = config.deadline(Duration::from_secs(60));
    let ends = threads::run(verified.plan().ranks(), config, |mut backend: Threads<R>| {
        let mut checker = Checker::default();
        let mut driver = PlanDriver::new(verified.clone(), &mut backend)?;
        driver.run(&mut backend, &mut checker)?;
        driver.run(&mut backend, &mut checker)?;
        backend.finish()?;
        Ok(checker)
    })?;
    Ok(ends.iter().fold((0, 0), |(read, accepted), end| (read + end.read, accepted + end.accepted)))
}

/// The same plan, every message of which has the payload of this test.
fn declared(plan: &Plan) -> Plan {
    let mut copy = plan.emptied();
    for family in 0..plan.names().len() {
        copy.set_payload(family as u32, PAYLOAD);
    }
    for rank in 0..plan.ranks() {
        copy.begin_rank();
        for (number, step) in plan.steps(rank).iter().enumerate() {
            let comms: Vec<Comm> =
                (0..plan.items(step).len()).map(|item| plan.comm(rank, number, item).with(PAYLOAD)).collect();
            match (step.kind, &comms[..]) {
                (counterpart::core::tape::StepKind::Batch, comms) => copy.batch(comms, NONE),
                (_, [comm]) => copy.single(*comm),
                _ => copy.copy(plan, rank, number),
            }
        }
    }
    copy
}

const ITEM: Model = Model::ALL[1];

#[test]
fn safe_plans_run_with_the_right_data() {
    let mut runs = 0;
    let mut hold = |plan: &Plan| {
        let plan = declared(plan);
        let is_any = |step: &counterpart::core::tape::Step| {
            let items = plan.items(step).iter().map(|item| item.value);
            items.chain(plan.uses(step).iter().map(|used| used.value)).any(|value| value == Value::ANY)
        };
        if (0..plan.ranks()).flat_map(|rank| plan.steps(rank)).any(is_any) {
            return;
        }
        if plan.verify(Model::PORTABLE).is_safe() {
            run(plan.clone(), Model::PORTABLE, Config::new()).unwrap();
            runs += 1;
        }
        if plan.verify(ITEM).is_safe() {
            run(plan, ITEM, Config::item()).unwrap();
            runs += 1;
        }
    };
    for plan in [
        schedules::one_f1b(4, 8),
        schedules::gpipe(3, 4),
        schedules::interleaved(2, 2, 4),
        schedules::ring(4),
    ] {
        hold(&plan);
    }
    for seed in 0..12 {
        let world = random::safe(seed, 5);
        hold(&world.to_plan());
        mutants::each(&world, &mut |_, mutant| hold(&mutant.to_plan()));
    }
    assert!(runs > 100, "{runs} runs");
}

/// Communication that is inserted, batches among it, brings every value to its readers.
#[test]
fn inserted_communication_runs_with_the_right_data() {
    let (mut runs, mut batches) = (0, 0);
    let mut hold = |plan: &Plan| {
        for rule in comms::Rule::ALL {
            let costs = Costs::new().others(2).transfer(1);
            let goal = comms::Goal { costs, rule: Some(rule), ..comms::Goal::default() };
            let inserted = comms::auto(plan, &goal).expect("it can run");
            if !inserted.plan.verify(Model::PORTABLE).is_safe() {
                continue; // A step that runs before what it comes after.
            }
            batches += inserted.choice.best().batches;
            let plan = declared(&inserted.plan);
            run(plan.clone(), Model::PORTABLE, Config::new()).unwrap();
            run(plan, ITEM, Config::item()).unwrap();
            runs += 1;
        }
    };
    for order in [
        tables::one_f1b(4, 8),
        tables::interleaved(3, 2, 6),
        tables::zbv(3, 4),
        tables::dual_pipe(4, 8),
        tables::dual_pipe_v(3, 6),
        tables::chimera(4, 4),
    ] {
        hold(&order.plan());
    }
    for seed in 0..40 {
        let mut world = random::safe(seed, 5 + seed as usize % 10);
        world.programs.iter_mut().for_each(|program| program.retain(|step| step.as_compute().is_some()));
        hold(&world.to_plan());
    }
    assert!(runs > 100 && batches > 50, "{runs} runs, {batches} batches");
}

#[test]
fn a_table_runs() {
    let table = Table::parse("t.csv", "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n", Notation::Current).unwrap();
    let plan = comms::paired(&table.to_plan("t", None).unwrap()).unwrap();
    // Two activations and two gradients are read, in each of two runs.
    assert_eq!(run(declared(&plan), Model::PORTABLE, Config::new()).unwrap(), (8, 0));
}

#[test]
fn what_comes_from_outside_is_provided_and_accepted() {
    let mut plan = Plan::new("relay");
    let (a, b) = (plan.value("A"), plan.value("B[3]"));
    plan.begin_rank();
    plan.single(Comm::send(a, 1).with(PAYLOAD));
    plan.batch(&[Comm::send(b, 1).with(PAYLOAD), Comm::send(b, 2).with(PAYLOAD)], NONE);
    plan.begin_rank();
    plan.single(Comm::recv(a, 0).with(PAYLOAD));
    plan.batch(&[Comm::recv(b, 0).with(PAYLOAD)], NONE);
    plan.single(Comm::send(a, 2).with(PAYLOAD));
    plan.begin_rank();
    plan.batch(&[Comm::recv(b, 0).with(PAYLOAD)], NONE);
    plan.single(Comm::recv(a, 1).with(PAYLOAD));
    assert_eq!(run(plan, Model::PORTABLE, Config::new()).unwrap(), (0, 6));
}

/// Two ranks and one message.
fn pair(payload: Payload) -> Plan {
    let mut plan = Plan::new("pair");
    let (make, take, act) = (plan.value("make[0]"), plan.value("take[1,2]"), plan.value("Act"));
    plan.set_payload(act.family(), payload);
    plan.begin_rank();
    plan.compute(make, &[(Role::Write, act)], NONE);
    plan.single(Comm::send(act, 1).with(payload));
    plan.begin_rank();
    plan.single(Comm::recv(act, 0).with(payload));
    plan.compute(take, &[(Role::Read, act)], NONE);
    plan
}

#[test]
fn an_unsafe_plan_is_not_verified() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("core/tests/cases/report-send-first-pair.json");
    let text = std::fs::read_to_string(case).unwrap();
    let plan = serde_json::from_str::<serde_json::Value>(&text).unwrap()["plan"].to_string();
    let plan = Plan::from_json(&plan).unwrap();
    let refused = plan.verified(Model::PORTABLE).unwrap_err();
    assert!(refused.to_string().contains("deadlock: these steps wait"), "{refused}");
    assert_eq!(refused.plan.ranks(), 2);
    agreement::well_reported(&refused.plan, &refused.verdict).unwrap();
}

/// The error of making a driver on rank 0 of `ranks`.
fn refusal(plan: Plan, model: Model, ranks: usize) -> String {
    let verified = plan.verified(model).unwrap();
    let mut world = Threads::world(ranks, Config::new());
    match PlanDriver::new(verified.by_ref(), &mut world[0]) {
        Ok(_) => panic!("a driver was made"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_cannot_run_is_refused_before_the_first_transfer() {
    let text = refusal(pair(PAYLOAD), Model::PORTABLE, 3);
    assert_eq!(
        text,
        "plan `pair` is for 2 ranks, but rank 0 is one of 3: start as many ranks as the plan has"
    );
    let eager = Model::new(Channel::Eager, BatchRule::Item).unwrap();
    let text = refusal(pair(PAYLOAD), eager, 2);
    assert!(text.contains("safe under eager+item, but this backend offers blocking+gang"), "{text}");
    let text = refusal(pair(Payload::UNKNOWN), Model::PORTABLE, 2);
    assert!(
        text.starts_with("rank 0, step 0: `make[0]`: element type and count of `Act` are not declared"),
        "{text}"
    );
    let mut plan = Plan::new("any");
    let any = plan.value("_");
    plan.begin_rank();
    plan.single(Comm::send(any, 1).with(PAYLOAD));
    plan.begin_rank();
    plan.single(Comm::recv(any, 0).with(PAYLOAD));
    let text = refusal(plan, Model::PORTABLE, 2);
    assert!(text.contains("`_` stands for any value and has no buffer"), "{text}");
}

#[test]
fn a_driver_runs_on_its_own_rank_only() {
    let verified = pair(PAYLOAD).verified(Model::PORTABLE).unwrap();
    let mut world = Threads::world(2, Config::new());
    let mut driver = PlanDriver::new(verified.by_ref(), &mut world[0]).unwrap();
    let error = driver.run(&mut world[1], &mut Checker::default()).unwrap_err();
    assert!(error.to_string().contains("made for rank 0 of 2, but runs on rank 1"), "{error}");
}

/// Fails or panics in the step of this name.
struct Failing(&'static str, bool);

impl RunPlan<Threads> for Failing {
    fn compute(&mut self, step: &ComputeStep, _: &[&HostBuffer], _: &mut [&mut HostBuffer]) -> StepResult {
        match (step.family() == self.0, self.1) {
            (true, true) => panic!("out of order"),
            (true, false) => Err(format!("{} with {:?} fails", step.label(), step.indices()).into()),
            _ => Ok(()),
        }
    }
}

#[test]
fn a_failure_reaches_the_other_rank_in_words() {
    for panics in [false, true] {
        let verified = pair(PAYLOAD).verified(Model::PORTABLE).unwrap();
        let error =
            threads::run(2, Config::new().deadline(Duration::from_secs(60)), |mut backend: Threads| {
                let mut driver = PlanDriver::new(verified.by_ref(), &mut backend)?;
                driver.run(&mut backend, &mut Failing("make", panics))?;
                backend.finish()
            })
            .unwrap_err()
            .to_string();
        let wanted = if panics { "rank 0 panicked: out of order" } else { "make[0] with [0] fails" };
        assert!(error.contains(wanted), "{error}");
    }
}

#[test]
fn a_plan_is_the_same_world_before_and_after_verification() {
    let plan = schedules::one_f1b(3, 4);
    let world = World::from_plan(&plan);
    let verified = plan.verified(Model::PORTABLE).unwrap();
    assert_eq!(World::from_plan(verified.plan()), world);
}
