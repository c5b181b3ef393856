//! The one verifier: called by the macro, by rustc's const evaluator and by the library.
//!
//! It reads a [`Tape`] and works in memory that its caller lends, since const evaluation has no heap. The passes, in
//! order: `matching` pairs sends with receives, `progress` runs the event graph under a channel model, `dataflow`
//! follows values through each rank, and `coverage` counts compute steps.

mod coverage;
mod cycle;
mod dataflow;
pub(crate) mod findings;
mod gangs;
pub(crate) mod graph;
mod matching;
mod native;
mod order;
mod progress;
mod table;

use crate::fault::FaultKind;
use crate::model::{BatchRule, Channel, Model};
use crate::tape::{StepKind, Tape};
use findings::Findings;

/// What is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Judge peers, batches, matching and progress.
    pub communication: bool,
    /// Judge dataflow: values where the plan declares writes, and what has to run `after` what.
    pub dataflow: bool,
    /// Judge coverage, where the plan declares domains.
    pub coverage: bool,
}

impl Scope {
    /// Everything.
    pub const ALL: Scope = Scope { communication: true, dataflow: true, coverage: true };
    /// Peers, batches, matching and progress only.
    pub const COMMUNICATION: Scope = Scope { communication: true, dataflow: false, coverage: false };
    /// Dataflow and coverage only, of a schedule whose communication is known to be safe.
    pub const VALUES: Scope = Scope { communication: false, dataflow: true, coverage: true };
}

/// Words of memory that `judge` needs for a tape.
pub const fn memory(tape: &Tape<'_>, model: Model, scope: Scope) -> usize {
    let (ranks, steps, items) = (tape.ranks() as usize, tape.steps.len(), tape.items.len());
    let matching = 2 * items + matching::EDGE_WORDS * matching::edge_slots(ranks, items) + 4 * ranks;
    let gangs = match model.batch() {
        BatchRule::Gang => 4 * steps,
        BatchRule::Item => 0,
    };
    let order = match model.channel() {
        Channel::Blocking => 0,
        _ => 3 * steps + 1 + order::capacity(tape) + 2 * ranks + table::slots(items),
    };
    let progress = if scope.communication { 4 * steps + gangs + order } else { 0 };
    let flow = if scope.dataflow { dataflow::memory(tape) } else { 0 };
    let runs = if scope.coverage { coverage::memory(tape) } else { 0 };
    matching + progress + flow + runs
}

/// Judges a tape in `memory` zeroed words.
pub(crate) const fn judge(tape: &Tape<'_>, model: Model, scope: Scope, memory: &mut [u32]) -> Findings {
    let (ranks, items) = (tape.ranks() as usize, tape.items.len());
    let mut out = Findings::new();
    let gang = matches!(model.batch(), BatchRule::Gang);

    let (partner, memory) = memory.split_at_mut(items);
    let (next, memory) = memory.split_at_mut(items);
    let (edges, memory) = memory.split_at_mut(matching::EDGE_WORDS * matching::edge_slots(ranks, items));
    let (blocks, memory) = memory.split_at_mut(2 * ranks);
    let mut matching = matching::Matching { partner, next };
    if scope.communication {
        matching::run(tape, gang, &mut matching, edges, blocks, &mut out);
    }

    let (flow, memory) = memory.split_at_mut(if scope.dataflow { dataflow::memory(tape) } else { 0 });
    let (runs, memory) = memory.split_at_mut(if scope.coverage { coverage::memory(tape) } else { 0 });
    // What has no partner never moves: the stop would only repeat what is reported already.
    if scope.communication && !out.has(FaultKind::Peer) && !out.has(FaultKind::Unmatched) {
        progress(tape, model, &matching, memory, &mut out);
    }
    if scope.dataflow {
        dataflow::run(tape, flow, &mut out);
    }
    if scope.coverage {
        coverage::run(tape, runs, &mut out);
    }
    out
}

/// Runs the event graph in what is left of the memory.
const fn progress<'a>(
    tape: &'a Tape<'_>,
    model: Model,
    matching: &'a matching::Matching<'a>,
    memory: &'a mut [u32],
    out: &mut Findings,
) {
    let (ranks, steps) = (tape.ranks() as usize, tape.steps.len());
    let gang = matches!(model.batch(), BatchRule::Gang);
    let blocking = matches!(model.channel(), Channel::Blocking);

    let (peers, memory) = memory.split_at_mut(2 * ranks);
    let (state, memory) = memory.split_at_mut(steps);
    let (met, memory) = memory.split_at_mut(steps);
    let (ready, memory) = memory.split_at_mut(steps);
    let (passed, memory) = memory.split_at_mut(steps);
    let mut bad_gang = None;
    let (gangs, memory) = if gang {
        let (parent, memory) = memory.split_at_mut(steps);
        let (ring, memory) = memory.split_at_mut(steps);
        let (others, memory) = memory.split_at_mut(steps);
        let (seen, memory) = memory.split_at_mut(steps);
        let mut gangs = gangs::Gangs::new(parent, ring, others);
        bad_gang = gangs.form(tape, matching, seen, peers, out);
        (Some(gangs), memory)
    } else {
        (None, memory)
    };
    let shared = if blocking { 0 } else { steps };
    let (waiters, memory) = memory.split_at_mut(shared);
    let (next_waiter, memory) = memory.split_at_mut(shared);
    let (starts, memory) = memory.split_at_mut(if blocking { 0 } else { steps + 1 });
    let (order_steps, memory) = memory.split_at_mut(if blocking { 0 } else { order::capacity(tape) });
    let mut order = order::Order { starts, steps: order_steps };
    if !blocking {
        let (last, memory) = memory.split_at_mut(2 * ranks);
        let (received, _) = memory.split_at_mut(table::slots(tape.items.len()));
        order.fill(tape, model.channel(), last, received);
    }
    let mut machine = progress::Machine {
        tape,
        channel: model.channel(),
        matching,
        gangs,
        order,
        state,
        met,
        ready,
        ready_len: 0,
        passed,
        waiters,
        next_waiter,
    };
    if !machine.run(bad_gang) {
        machine.explain(bad_gang, out);
    }
}

/// Items and uses of a rank.
const fn rank_size(tape: &Tape<'_>, rank: usize) -> (usize, usize) {
    let (mut items, mut uses) = (0, 0);
    let mut s = tape.starts[rank] as usize;
    while s < tape.starts[rank + 1] as usize {
        match tape.steps[s].kind {
            StepKind::Compute => uses += tape.steps[s].len as usize,
            _ => items += tape.steps[s].len as usize,
        }
        s += 1;
    }
    (items, uses)
}
