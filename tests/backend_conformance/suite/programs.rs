//! Random programs: safe ones end with the right data, and unsafe ones end exactly where the verifier says so.

use std::fmt::Write;

use counterpart::Error;
use counterpart::backend::{Backend, Transfer, TransferKind};
use counterpart::core::plan::Comm;
use counterpart::core::{Plan, Value};
use fastrand::Rng;

use super::{Mount, filled, recv, send, value_of};

/// One send or receive of message number `id`.
#[derive(Clone, Copy, Debug)]
struct Item {
    send: bool,
    peer: usize,
    id: usize,
}

/// The steps of every rank.
type Programs = Vec<Vec<Vec<Item>>>;

/// A thousand programs, each made in a global order in which it can run.
pub fn safe_programs_end<M: Mount>() {
    for seed in 0..1000 {
        let mut rng = Rng::with_seed(seed);
        let programs = safe(&mut rng);
        let sizes = [1, 3, 40, 3000, 70_000];
        let limit = if seed % 50 == 0 { 5 } else { 4 };
        play::<M>(&programs, |id| sizes[id * 7 % limit]).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    }
}

/// Programs whose steps were put out of order, by the thousand, end well exactly where the verifier calls them safe.
/// Where not, they are told so before the deadline.
pub fn programs_end_as_the_verifier_says<M: Mount>() {
    let model = *M::Backend::MODELS.last().expect("a backend offers a model");
    let mut verdicts = [0, 0];
    for seed in 0..3000 {
        let mut rng = Rng::with_seed(seed);
        let mut programs = safe(&mut rng);
        for program in &mut programs {
            program.truncate(6);
        }
        drop_unmatched(&mut programs);
        for _ in 0..rng.usize(1..4) {
            let rank = rng.usize(0..programs.len());
            shuffle_some(&mut programs[rank], &mut rng);
        }
        let safe = plan(&programs).verify(model).is_safe();
        verdicts[usize::from(safe)] += 1;
        // Out of order, any message may meet any receive of its edge.
        match (play_unchecked::<M>(&programs), safe) {
            (Ok(()), true) => {}
            (Err(Error::Deadlock { .. } | Error::Rule { .. }), false) => {}
            (end, _) => panic!("seed {seed}: safe is {safe}, but {end:?}\n{}", listing(&programs)),
        }
    }
    assert!(verdicts.iter().all(|&n| n > 300), "{verdicts:?}");
}

fn safe(rng: &mut Rng) -> Programs {
    let ranks = rng.usize(2..7);
    let mut programs = vec![Vec::new(); ranks];
    let mut id = 0;
    for _ in 0..rng.usize(1..12) {
        let transfers = if rng.u8(0..3) > 0 { 1 } else { rng.usize(1..=2 * ranks) };
        let mut steps = vec![Vec::<Item>::new(); ranks];
        for _ in 0..transfers {
            let (from, to) = (rng.usize(0..ranks), rng.usize(0..ranks));
            if from == to || steps[from].iter().any(|i| i.send && i.peer == to) {
                continue;
            }
            steps[from].push(Item { send: true, peer: to, id });
            steps[to].push(Item { send: false, peer: from, id });
            id += 1;
        }
        for (rank, mut step) in steps.into_iter().enumerate().filter(|(_, s)| !s.is_empty()) {
            rng.shuffle(&mut step);
            programs[rank].push(step);
        }
    }
    programs
}

/// Takes out items whose other end is not there any more.
fn drop_unmatched(programs: &mut Programs) {
    let ids = |send| {
        let all = programs.iter().flatten().flatten();
        all.filter(move |i| i.send == send).map(|i| i.id).collect::<std::collections::HashSet<_>>()
    };
    let (sent, received) = (ids(true), ids(false));
    for program in programs {
        for step in &mut *program {
            step.retain(|i| sent.contains(&i.id) && received.contains(&i.id));
        }
        program.retain(|step| !step.is_empty());
    }
}

fn shuffle_some(program: &mut [Vec<Item>], rng: &mut Rng) {
    if program.len() > 1 {
        let at = rng.usize(0..program.len() - 1);
        program.swap(at, at + 1);
    }
}

fn plan(programs: &Programs) -> Plan {
    let mut plan = Plan::new("random");
    for program in programs {
        plan.begin_rank();
        for step in program {
            let comm = |i: &Item| {
                let peer = i.peer as i32;
                if i.send { Comm::send(Value::ANY, peer) } else { Comm::recv(Value::ANY, peer) }
            };
            let comms: Vec<Comm> = step.iter().map(comm).collect();
            match comms[..] {
                [one] => plan.single(one),
                _ => plan.batch(&comms, counterpart::core::tape::NONE),
            }
        }
    }
    plan
}

fn play<M: Mount>(programs: &Programs, count: impl Fn(usize) -> usize + Sync) -> Result<(), Error> {
    run_all::<M>(programs, &count, true)
}

fn play_unchecked<M: Mount>(programs: &Programs) -> Result<(), Error> {
    run_all::<M>(programs, &|_| 2, false)
}

fn run_all<M: Mount>(
    programs: &Programs,
    count: &(impl Fn(usize) -> usize + Sync),
    check: bool,
) -> Result<(), Error> {
    let end = M::run(programs.len(), |mut b| {
        for (number, step) in programs[b.rank()].iter().enumerate() {
            let mut transfers = Vec::new();
            for item in step {
                let value = if item.send { item.id as i32 } else { -1 };
                let buffer = filled(&mut b, value, count(item.id))?;
                transfers.push(match (item.send, item.id % 3) {
                    (true, 0) => Transfer { kind: TransferKind::SendLast, peer: item.peer, buffer },
                    (true, _) => send(item.peer, buffer),
                    (false, _) => recv(item.peer, buffer),
                });
            }
            take_step(&mut b, number as u32, &mut transfers)?;
            for (transfer, item) in transfers.iter().zip(step) {
                if check && transfer.kind != TransferKind::SendLast {
                    assert_eq!(value_of(&mut b, &transfer.buffer, count(item.id))?, item.id as i32);
                }
            }
        }
        b.finish()
    });
    end.map(|_| ())
}

fn take_step<B: Backend>(b: &mut B, step: u32, transfers: &mut [Transfer<B::Buffer>]) -> Result<(), Error> {
    match transfers {
        [Transfer { kind: TransferKind::Send, peer, buffer }] => b.send(step, *peer, buffer),
        [Transfer { kind: TransferKind::SendLast, peer, buffer }] => b.send_last(step, *peer, buffer),
        [Transfer { kind: TransferKind::Recv, peer, buffer }] => b.recv(step, *peer, buffer),
        _ => b.batch(step, transfers),
    }
}

fn listing(programs: &Programs) -> String {
    let mut text = String::new();
    for (rank, program) in programs.iter().enumerate() {
        writeln!(text, "rank {rank}: {program:?}").unwrap();
    }
    text
}
