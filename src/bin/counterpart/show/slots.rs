//! When the compute steps of a plan run, if each takes one slot and communication none.

use std::collections::HashMap;

use counterpart::core::tape::{Role, StepKind};
use counterpart::core::{Plan, Value};

use super::pairs::Pairs;

/// The time of every step.
pub struct Slots {
    /// How many steps of each rank can run.
    pub done: Vec<usize>,
    /// For each rank and step: the slot of a compute step; that in which a communication step can happen at the earliest.
    pub of: Vec<Vec<usize>>,
    /// How many slots there are.
    pub count: usize,
}

/// What has to happen before what.
struct Graph {
    /// Pairs of an earlier event and a later one.
    edges: Vec<(u32, u32)>,
    /// Does the event take a slot?
    takes: Vec<bool>,
}

/// An event of each step, and of each send.
struct Events {
    steps: Vec<Vec<u32>>,
    items: Vec<Option<u32>>,
}

impl Slots {
    /// The earliest times of the first `done` steps of each rank. A compute step waits for the one before it on its rank
    /// and for the values that it reads, if it says so; else for all receives before it. A value travels as soon as it
    /// is there; in a plan without any communication it is there for all ranks at once.
    pub fn new(plan: &Plan, pairs: &Pairs, done: &[usize]) -> Slots {
        let (graph, events) = Graph::new(plan, pairs, done);
        let ends = graph.ends();
        let time =
            |&event: &u32| ends[event as usize].map(|end| end - usize::from(graph.takes[event as usize]));
        let of_rank = |steps: &Vec<u32>| -> Vec<usize> { steps.iter().map_while(time).collect() };
        let of: Vec<Vec<usize>> = events.steps.iter().map(of_rank).collect();
        let done = of.iter().map(Vec::len).collect();
        Slots { done, of, count: ends.iter().flatten().copied().max().unwrap_or(0) }
    }
}

impl Graph {
    fn new(plan: &Plan, pairs: &Pairs, done: &[usize]) -> (Graph, Events) {
        let mut graph = Graph { edges: Vec::new(), takes: Vec::new() };
        let mut events = Events { steps: Vec::new(), items: vec![None; pairs.items()] };
        for (rank, &done) in done.iter().enumerate() {
            let mut steps = Vec::with_capacity(done);
            for (number, step) in plan.steps(rank)[..done].iter().enumerate() {
                steps.push(graph.event(step.kind == StepKind::Compute));
                for (item, comm) in pairs.of_step(rank, number).zip(plan.items(step)) {
                    if comm.send {
                        events.items[item] = Some(graph.event(false));
                    }
                }
            }
            events.steps.push(steps);
        }
        let writers = writers(plan, pairs, &events);
        for (rank, &done) in done.iter().enumerate() {
            graph.rank(plan, pairs, rank, done, &events, &writers);
        }
        (graph, events)
    }

    fn event(&mut self, takes: bool) -> u32 {
        self.takes.push(takes);
        self.takes.len() as u32 - 1
    }

    fn rank(
        &mut self,
        plan: &Plan,
        pairs: &Pairs,
        rank: usize,
        done: usize,
        events: &Events,
        writers: &HashMap<Value, u32>,
    ) {
        let mut compute: Option<u32> = None;
        // What brought each value here, and the receives since the last compute step.
        let mut bringer: HashMap<Value, u32> = HashMap::new();
        let mut received: Vec<u32> = Vec::new();
        for (number, step) in plan.steps(rank)[..done].iter().enumerate() {
            let own = events.steps[rank][number];
            self.edges.extend(compute.map(|before| (before, own)));
            if step.kind == StepKind::Compute {
                let uses = plan.uses(step);
                let reads = uses.iter().filter(|used| used.role == Role::Read);
                let before = |value: &Value| bringer.get(value).or_else(|| writers.get(value)).copied();
                self.edges.extend(reads.filter_map(|used| Some((before(&used.value)?, own))));
                if uses.iter().all(|used| matches!(used.role, Role::Name | Role::After)) {
                    self.edges.extend(received.iter().map(|&before| (before, own)));
                }
                let writes = uses.iter().filter(|used| used.role == Role::Write);
                bringer.extend(writes.map(|used| (used.value, own)));
                compute = Some(own);
                received.clear();
            }
            let items = || pairs.of_step(rank, number).zip(plan.items(step));
            for (item, comm) in items().filter(|(_, comm)| comm.send) {
                let before = bringer.get(&comm.value).copied().or(compute);
                self.edges.extend(before.zip(events.items[item]));
            }
            for (item, comm) in items().filter(|(_, comm)| !comm.send) {
                if let Some(send) = pairs.partner(item).and_then(|partner| events.items[partner]) {
                    bringer.insert(comm.value, send);
                    received.push(send);
                }
            }
        }
    }

    /// When each event is over; `None` for those that wait for themselves. Time is linear in the number of edges.
    fn ends(&self) -> Vec<Option<usize>> {
        let count = self.takes.len();
        let mut missing = vec![0u32; count];
        let mut starts = vec![0usize; count + 1];
        for &(before, after) in &self.edges {
            missing[after as usize] += 1;
            starts[before as usize + 1] += 1;
        }
        (0..count).for_each(|event| starts[event + 1] += starts[event]);
        let mut after = vec![0u32; self.edges.len()];
        let mut next = starts.clone();
        for &(before, later) in &self.edges {
            after[next[before as usize]] = later;
            next[before as usize] += 1;
        }
        let takes = |event: usize| usize::from(self.takes[event]);
        let mut ends: Vec<usize> = (0..count).map(takes).collect();
        let mut ready: Vec<u32> = (0..count as u32).filter(|&event| missing[event as usize] == 0).collect();
        while let Some(event) = ready.pop() {
            let event = event as usize;
            for &later in &after[starts[event]..starts[event + 1]] {
                let later = later as usize;
                ends[later] = ends[later].max(ends[event] + takes(later));
                missing[later] -= 1;
                if missing[later] == 0 {
                    ready.push(later as u32);
                }
            }
        }
        ends.into_iter().zip(missing).map(|(end, missing)| (missing == 0).then_some(end)).collect()
    }
}

/// Who writes each value, in a plan without any communication: a compute order, whose values travel by themselves.
fn writers(plan: &Plan, pairs: &Pairs, events: &Events) -> HashMap<Value, u32> {
    let mut writers = HashMap::new();
    if pairs.items() > 0 {
        return writers;
    }
    for (rank, steps) in events.steps.iter().enumerate() {
        for (step, &event) in plan.steps(rank).iter().zip(steps) {
            let writes = plan.uses(step).iter().filter(|used| used.role == Role::Write);
            writers.extend(writes.map(|used| (used.value, event)));
        }
    }
    writers
}
