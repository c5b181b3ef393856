//! How long a plan takes under a channel model: every step with the time at which it begins and ends.
//!
//! The clock walks over the event graph that the verifier judges, so what waits for what is the same in both. A step
//! begins when all that it waits for inside its rank has ended. A compute step takes its cost. A transfer begins when both
//! its ends have begun, under `gang` when all steps of the gang have, and takes the cost of a transfer; a communication step
//! ends with the last of its items. Under `eager` a send does not wait for its receive. Queues have no other limits: links
//! are not shared.

mod costs;

pub use costs::{Costs, Ticks};

use crate::model::{Channel, Model};
use crate::plan::Plan;
use crate::tape::{StepKind, Tape};
use crate::verify::graph::Graph;

/// When each step of a plan begins and ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// For each rank and step when it begins: when nothing inside its rank holds it up any more.
    pub begin: Vec<Vec<Ticks>>,
    /// For each rank and step when it ends.
    pub end: Vec<Vec<Ticks>>,
    /// When the last step ends.
    pub makespan: Ticks,
}

impl Plan {
    /// Runs the plan with a clock. `None` where it does not run to its end under this model; [`Plan::verify`] says why.
    ///
    /// ```
    /// use counterpart_core::plan::Comm;
    /// use counterpart_core::simulate::Costs;
    /// use counterpart_core::tape::{NONE, Role};
    /// use counterpart_core::{Model, Plan};
    ///
    /// let mut plan = Plan::new("handover");
    /// let (make, take, act) = (plan.value("make"), plan.value("take"), plan.value("Act"));
    /// plan.begin_rank();
    /// plan.compute(make, &[(Role::Write, act)], NONE);
    /// plan.single(Comm::send(act, 1));
    /// plan.begin_rank();
    /// plan.single(Comm::recv(act, 0));
    /// plan.compute(take, &[(Role::Read, act)], NONE);
    ///
    /// let costs = Costs::new().compute(take.family(), 5).transfer(2);
    /// let timeline = plan.simulate(Model::PORTABLE, &costs).unwrap();
    /// assert_eq!(timeline.end, [[1, 3], [3, 8]]);
    /// assert_eq!(timeline.makespan, 8);
    /// ```
    pub fn simulate(&self, model: Model, costs: &Costs) -> Option<Timeline> {
        self.with_tape(|tape| {
            let graph = Graph::of(tape, model);
            let mut clock = Clock::new(self, tape, &graph, model, costs);
            (!graph.is_stuck && clock.run()).then(|| clock.timeline())
        })
    }
}

/// A run over the event graph.
struct Clock<'a> {
    plan: &'a Plan,
    tape: &'a Tape<'a>,
    graph: &'a Graph,
    costs: &'a Costs,
    eager: bool,
    begin: Vec<Ticks>,
    end: Vec<Ticks>,
    begun: Vec<bool>,
    /// Of each step, the waits inside its rank that are not over.
    waits: Vec<u32>,
    /// Of each step, the items that have not met; at the first member of a gang, the members that have not begun.
    open: Vec<u32>,
    /// The steps that wait for step `s`: `followers[first[s]..first[s + 1]]`.
    first: Vec<u32>,
    followers: Vec<u32>,
    /// Members of the gang with this first member, where there are several.
    members: Vec<Vec<u32>>,
    ready: Vec<u32>,
    ended: usize,
}

impl<'a> Clock<'a> {
    fn new(
        plan: &'a Plan,
        tape: &'a Tape<'a>,
        graph: &'a Graph,
        model: Model,
        costs: &'a Costs,
    ) -> Clock<'a> {
        let steps = tape.steps.len();
        let mut first = vec![0; steps + 1];
        graph.waits.iter().for_each(|&before| first[before as usize + 1] += 1);
        (0..steps).for_each(|s| first[s + 1] += first[s]);
        let mut followers = vec![0; graph.waits.len()];
        let mut next = first.clone();
        let mut waits = vec![0; steps];
        let mut members = vec![Vec::new(); steps];
        let mut open = vec![0; steps];
        for s in 0..steps {
            waits[s] = graph.waits(s).len() as u32;
            for &before in graph.waits(s) {
                followers[next[before as usize] as usize] = s as u32;
                next[before as usize] += 1;
            }
            let root = graph.gang[s] as usize;
            open[s] = tape.steps[s].len;
            if graph.gang_size[root] > 1 {
                members[root].push(s as u32);
            }
        }
        (0..steps).filter(|&s| members[s].len() > 1).for_each(|s| open[s] = members[s].len() as u32);
        let ready = (0..steps as u32).filter(|&s| waits[s as usize] == 0).collect();
        Clock {
            plan,
            tape,
            graph,
            costs,
            eager: model.channel() == Channel::Eager,
            begin: vec![0; steps],
            end: vec![0; steps],
            begun: vec![false; steps],
            waits,
            open,
            first,
            followers,
            members,
            ready,
            ended: 0,
        }
    }

    /// Runs until nothing moves, and says whether every step has ended.
    fn run(&mut self) -> bool {
        while let Some(s) = self.ready.pop() {
            let s = s as usize;
            self.begun[s] = true;
            let step = &self.tape.steps[s];
            let root = self.graph.gang[s] as usize;
            if step.kind == StepKind::Compute || step.len == 0 {
                let cost = self.costs.step(self.plan, step);
                self.finish(s, self.begin[s].saturating_add(cost));
            } else if self.graph.gang_size[root] > 1 {
                self.open[root] -= 1;
                if self.open[root] == 0 {
                    self.finish_gang(root);
                }
            } else {
                self.meet(s);
            }
        }
        self.ended == self.tape.steps.len()
    }

    fn finish_gang(&mut self, root: usize) {
        let members = std::mem::take(&mut self.members[root]);
        let begin = members.iter().map(|&s| self.begin[s as usize]).max().unwrap_or_default();
        for s in members {
            let step = &self.tape.steps[s as usize];
            let items = &self.tape.items[step.first as usize..(step.first + step.len) as usize];
            let longest = items.iter().map(|item| self.costs.item(item)).max().unwrap_or_default();
            self.finish(s as usize, begin.saturating_add(longest));
        }
    }

    /// Each item of a step meets its partner if that has begun.
    fn meet(&mut self, s: usize) {
        let step = self.tape.steps[s];
        for i in step.first as usize..(step.first + step.len) as usize {
            let partner = self.graph.partner[i];
            let item = &self.tape.items[i];
            let other = self.tape.items[partner as usize].step as usize;
            let cost = self.costs.item(item);
            if self.eager {
                if item.send {
                    self.met(s, self.begin[s].saturating_add(cost));
                }
                if self.begun[other] {
                    let (send, recv) = if item.send { (s, other) } else { (other, s) };
                    self.met(recv, self.begin[recv].max(self.begin[send].saturating_add(cost)));
                }
            } else if self.begun[other] {
                let end = self.begin[s].max(self.begin[other]).saturating_add(cost);
                self.met(s, end);
                self.met(other, end);
            }
        }
    }

    /// An item of a step has been there at this time.
    fn met(&mut self, s: usize, time: Ticks) {
        self.end[s] = self.end[s].max(time);
        self.open[s] -= 1;
        if self.open[s] == 0 {
            self.finish(s, self.end[s]);
        }
    }

    fn finish(&mut self, s: usize, time: Ticks) {
        self.end[s] = time;
        self.ended += 1;
        for at in self.first[s]..self.first[s + 1] {
            let follower = self.followers[at as usize] as usize;
            self.begin[follower] = self.begin[follower].max(time);
            self.waits[follower] -= 1;
            if self.waits[follower] == 0 {
                self.ready.push(follower as u32);
            }
        }
    }

    fn timeline(self) -> Timeline {
        let makespan = self.end.iter().copied().max().unwrap_or_default();
        let by_rank = |times: &[Ticks]| {
            let ranks = self.tape.starts.windows(2);
            ranks.map(|ends| times[ends[0] as usize..ends[1] as usize].to_vec()).collect()
        };
        Timeline { begin: by_rank(&self.begin), end: by_rank(&self.end), makespan }
    }
}
