//! The walk against the verifier: what it accepts is exactly what the verifier finds safe, loops and all.

use super::{Move, Moves, accepts};
use crate::code::{CodeItem, CodeLabel, Op};
use crate::dtype::{DType, Payload};
use crate::model::Model;
use crate::node::MAX_LOOPS;
use crate::tape::{Item, Step, StepKind, Tape, Use};
use crate::unroll::{Unroller, length};
use crate::value::{Name, Value};
use crate::verify::{Scope, judge, memory};

/// A program as a tree, easy to change.
#[derive(Clone, Debug)]
enum Tree {
    Step(Vec<Comm>),
    Loop(u32, Vec<Tree>),
}

#[derive(Clone, Copy, Debug)]
struct Comm {
    send: bool,
    peer: i32,
    base: i64,
    strides: [i64; MAX_LOOPS],
}

/// Indices of one transfer lie in a range of their own, this wide.
const RANGE: i64 = 1 << 15;

/// A safe schedule: transfers in one global order, in loops that all their ranks share.
enum Global {
    Gang(Vec<Transfer>),
    Loop(u32, Vec<Global>),
}

struct Transfer {
    from: usize,
    to: usize,
    base: i64,
}

impl Transfer {
    fn has(&self, rank: usize) -> bool {
        self.from == rank || self.to == rank
    }
}

fn global(rng: &mut fastrand::Rng, ranks: usize, depth: usize, next: &mut i64) -> Vec<Global> {
    let mut nodes = Vec::new();
    for _ in 0..rng.usize(1..4) {
        if depth < 3 && rng.u8(0..3) == 0 {
            let body = global(rng, ranks, depth + 1, next);
            let count = if depth == 0 { rng.u32(1..60) } else { rng.u32(1..6) };
            nodes.push(Global::Loop(count, body));
            continue;
        }
        let mut gang: Vec<Transfer> = Vec::new();
        for _ in 0..(if rng.bool() { 1 } else { rng.usize(2..4) }) {
            let from = rng.usize(0..ranks);
            let to = (from + rng.usize(1..ranks)) % ranks;
            // The members of a gang share a rank with its first transfer.
            let tied = gang.first().is_none_or(|first| first.has(from) || first.has(to));
            if tied && gang.iter().all(|t| (t.from, t.to) != (from, to)) {
                gang.push(Transfer { from, to, base: *next * RANGE });
                *next += 1;
            }
        }
        nodes.push(Global::Gang(gang));
    }
    nodes
}

fn project(nodes: &[Global], rank: usize, depth: usize) -> Vec<Tree> {
    let mut trees = Vec::new();
    for node in nodes {
        match node {
            Global::Loop(count, body) => {
                let body = project(body, rank, depth + 1);
                if !body.is_empty() {
                    trees.push(Tree::Loop(*count, body));
                }
            }
            Global::Gang(gang) => {
                let comms: Vec<Comm> = gang.iter().filter_map(|t| side(t, rank, depth)).collect();
                if !comms.is_empty() {
                    trees.push(Tree::Step(comms));
                }
            }
        }
    }
    trees
}

/// What a rank does for a transfer, if anything.
fn side(transfer: &Transfer, rank: usize, depth: usize) -> Option<Comm> {
    // The outermost loop moves the index by 1, those inside by more than it can reach.
    let mut strides = [0; MAX_LOOPS];
    for (k, stride) in strides[..depth].iter_mut().rev().enumerate() {
        *stride = [1, 64, 512][k];
    }
    let peer = if transfer.from == rank { transfer.to } else { transfer.from };
    let comm = Comm { send: transfer.from == rank, peer: peer as i32, base: transfer.base, strides };
    transfer.has(rank).then_some(comm)
}

/// Adds `times` turns of the loop `level` levels out to every index.
fn shift(trees: &mut [Tree], level: usize, times: i64) {
    for tree in trees {
        match tree {
            Tree::Step(comms) => comms.iter_mut().for_each(|c| c.base += c.strides[level] * times),
            Tree::Loop(_, body) => shift(body, level + 1, times),
        }
    }
}

/// Takes the innermost-but-`level` loop away around these trees: its turn is in the bases now.
fn unloop(trees: &mut [Tree], level: usize) {
    for tree in trees {
        match tree {
            Tree::Step(comms) => {
                for c in comms {
                    let mut strides = [0; MAX_LOOPS];
                    let kept = c.strides.iter().enumerate().filter(|(k, _)| *k != level).map(|(_, s)| *s);
                    strides.iter_mut().zip(kept).for_each(|(to, from)| *to = from);
                    c.strides = strides;
                }
            }
            Tree::Loop(_, body) => unloop(body, level + 1),
        }
    }
}

/// Splits loops and peels turns off them, which changes nothing.
fn rewrite(rng: &mut fastrand::Rng, trees: Vec<Tree>) -> Vec<Tree> {
    let mut out = Vec::new();
    for tree in trees {
        match tree {
            Tree::Loop(count, body) => {
                let body = rewrite(rng, body);
                match rng.u8(0..4) {
                    0 if count > 1 => {
                        let first = rng.u32(1..count);
                        let mut rest = body.clone();
                        shift(&mut rest, 0, i64::from(first));
                        out.push(Tree::Loop(first, body));
                        out.push(Tree::Loop(count - first, rest));
                    }
                    1 => {
                        let mut peeled = body.clone();
                        unloop(&mut peeled, 0);
                        let mut rest = body;
                        shift(&mut rest, 0, 1);
                        out.extend(peeled);
                        if count > 1 {
                            out.push(Tree::Loop(count - 1, rest));
                        }
                    }
                    _ => out.push(Tree::Loop(count, body)),
                }
            }
            step => out.push(step),
        }
    }
    out
}

/// Makes one small change somewhere.
fn mutate(rng: &mut fastrand::Rng, trees: &mut Vec<Tree>, ranks: usize) {
    if trees.is_empty() {
        return;
    }
    let at = rng.usize(0..trees.len());
    match (rng.u8(0..6), &mut trees[at]) {
        (0, _) => drop(trees.remove(at)),
        (1, _) if at > 0 => trees.swap(at - 1, at),
        (2, Tree::Loop(count, _)) => *count = (*count + 1).max(2) - u32::from(rng.bool()) * 2 % 2,
        (_, Tree::Loop(_, body)) => mutate(rng, body, ranks),
        (_, Tree::Step(comms)) => {
            let i = rng.usize(0..comms.len());
            match rng.u8(0..5) {
                0 => comms[i].base += 1,
                1 => comms[i].strides[0] += 1,
                2 => comms[i].peer = rng.i32(0..ranks as i32),
                3 => comms[i].send = !comms[i].send,
                _ => {
                    let again = comms[i];
                    comms.push(again);
                }
            }
        }
    }
}

fn code(trees: &[Tree], depth: usize, ops: &mut Vec<Op>) {
    for tree in trees {
        match tree {
            Tree::Step(comms) => {
                if comms.len() > 1 {
                    ops.push(Op::Batch(comms.len() as u32));
                }
                for c in comms {
                    let label = CodeLabel {
                        word: (1u128 << 96) + ((c.base as u128) << Value::shift(0)),
                        strides: c.strides.map(|s| (s as i128 as u128) << Value::shift(0)),
                        loops: depth,
                    };
                    let payload = Payload::new(DType::F32, 1);
                    let item = CodeItem { send: c.send, peer: c.peer, payload, label };
                    ops.push(if comms.len() > 1 { Op::Item(item) } else { Op::Single(item) });
                }
            }
            Tree::Loop(count, body) => {
                ops.push(Op::Repeat(*count));
                code(body, depth + 1, ops);
                ops.push(Op::End);
            }
        }
    }
    assert!(depth <= MAX_LOOPS);
}

/// What the verifier says of the unrolled programs.
fn is_safe(ops: &[Op], starts: &[u32]) -> bool {
    let long = length(ops);
    let none = Step { rank: 0, number: 0, first: 0, len: 0, kind: StepKind::Single };
    let mut steps = vec![none; long.steps as usize];
    let item = Item { value: Value::ANY, payload: Payload::UNKNOWN, step: 0, peer: 0, send: false };
    let mut items = vec![item; long.items as usize];
    let mut uses: Vec<Use> = Vec::new();
    let mut tape_starts = Vec::new();
    let mut out = Unroller {
        steps: &mut steps,
        items: &mut items,
        uses: &mut uses,
        steps_len: 0,
        items_len: 0,
        uses_len: 0,
        computes: false,
    };
    for (rank, ends) in starts.windows(2).enumerate() {
        tape_starts.push(out.steps_len as u32);
        out.rank(&ops[ends[0] as usize..ends[1] as usize], rank as u32);
    }
    tape_starts.push(out.steps_len as u32);
    let names = [Name { text: "_", arity: 0 }, Name { text: "v", arity: 1 }];
    let tape =
        Tape { starts: &tape_starts, steps: &steps, items: &items, uses: &[], domains: &[], names: &names };
    let mut words = vec![0; memory(&tape, Model::PORTABLE, Scope::COMMUNICATION)];
    judge(&tape, Model::PORTABLE, Scope::COMMUNICATION, &mut words).len == 0
}

/// Holds the walk against the verifier; returns what both say.
fn compare(programs: &[Vec<Tree>]) -> bool {
    let (mut ops, mut starts) = (Vec::new(), vec![0]);
    for trees in programs {
        code(trees, 0, &mut ops);
        starts.push(ops.len() as u32);
    }
    let safe = is_safe(&ops, &starts);
    let mut moves = Moves {
        starts: &mut vec![0; starts.len()],
        moves: &mut vec![Move::End; ops.len()],
        items: &mut vec![CodeItem::NONE; ops.len()],
    };
    let walked = moves.write(&ops, &starts) && accepts::<8>(&moves);
    assert_eq!(walked, safe, "{programs:#?}");
    safe
}

#[test]
fn the_walk_accepts_what_is_safe_and_nothing_else() {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in 0..4000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let ranks = rng.usize(2..6);
        let nodes = global(&mut rng, ranks, 0, &mut 0);
        let mut programs: Vec<Vec<Tree>> = (0..ranks).map(|r| project(&nodes, r, 0)).collect();
        assert!(compare(&programs), "a schedule in global order is safe");
        for program in &mut programs {
            *program = rewrite(&mut rng, std::mem::take(program));
        }
        assert!(compare(&programs), "splitting loops changes nothing");
        for _ in 0..4 {
            let mut mutant = programs.clone();
            let rank = rng.usize(0..ranks);
            mutate(&mut rng, &mut mutant[rank], ranks);
            if compare(&mutant) { safe += 1 } else { unsafe_ += 1 }
        }
    }
    assert!(safe > 500 && unsafe_ > 5000, "{safe} safe and {unsafe_} unsafe mutants");
}

/// A pipeline in which each rank runs ahead of the next: the steady state begins late and is skipped.
fn pipeline(ranks: usize, m: u32) -> Vec<Vec<Tree>> {
    let comm = |send, peer: usize, base, stride| {
        let strides = [stride, 0, 0, 0];
        Comm { send, peer: peer as i32, base, strides }
    };
    let edge = |r: usize| r as i64 * RANGE;
    let back = |r: usize| (r as i64 + 16) * RANGE;
    (0..ranks)
        .map(|r| {
            let warm = (ranks - 1 - r) as u32;
            let steady = m - warm;
            let mut program = Vec::new();
            let (first, last) = (r == 0, r + 1 == ranks);
            let loops = |count: u32, body: Vec<Tree>| {
                (count > 0 && !body.is_empty()).then_some(Tree::Loop(count, body))
            };
            let mut body = Vec::new();
            if !first {
                body.push(Tree::Step(vec![comm(false, r - 1, edge(r), 1)]))
            }
            if !last {
                body.push(Tree::Step(vec![comm(true, r + 1, edge(r + 1), 1)]))
            }
            program.extend(loops(warm, body));
            if !first {
                program.push(Tree::Step(vec![comm(false, r - 1, edge(r) + i64::from(warm), 0)]))
            }
            let exchange = |recv_next: bool| {
                let mut body = Vec::new();
                if !last {
                    body.push(Tree::Step(vec![
                        comm(true, r + 1, edge(r + 1) + i64::from(warm), 1),
                        comm(false, r + 1, back(r + 1), 1),
                    ]));
                }
                if !first {
                    let mut both = vec![comm(true, r - 1, back(r), 1)];
                    if recv_next {
                        both.push(comm(false, r - 1, edge(r) + i64::from(warm) + 1, 1))
                    }
                    body.push(Tree::Step(both));
                }
                body
            };
            program.extend(loops(steady - 1, exchange(true)));
            let mut end = exchange(false);
            shift(&mut end, 0, i64::from(steady) - 1);
            unloop(&mut end, 0);
            program.extend(end);
            let mut body = Vec::new();
            if !last {
                body.push(Tree::Step(vec![comm(false, r + 1, back(r + 1) + i64::from(steady), 1)]))
            }
            if !first {
                body.push(Tree::Step(vec![comm(true, r - 1, back(r) + i64::from(steady), 1)]))
            }
            program.extend(loops(warm, body));
            program
        })
        .collect()
}

#[test]
fn pipelines_and_their_mutants() {
    let (mut safe, mut unsafe_) = (0, 0);
    for (ranks, m) in [(2, 3), (3, 40), (4, 64), (6, 500), (8, 1000)] {
        let programs = pipeline(ranks, m);
        assert!(compare(&programs), "{ranks} ranks, {m} micro-batches");
        for seed in 0..200 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut mutant: Vec<Vec<Tree>> =
                programs.iter().map(|program| rewrite(&mut rng, program.clone())).collect();
            let rank = rng.usize(0..ranks);
            mutate(&mut rng, &mut mutant[rank], ranks);
            if compare(&mutant) { safe += 1 } else { unsafe_ += 1 }
        }
    }
    assert!(safe > 20 && unsafe_ > 500, "{safe} safe and {unsafe_} unsafe mutants");
}
