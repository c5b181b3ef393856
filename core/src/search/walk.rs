//! One walk: every rank takes the most urgent task that can begin and has room.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::problem::Problem;
use crate::simulate::Ticks;

/// What a walk goes by.
pub(super) struct Rule {
    /// For each task how urgent it is: the smallest number first.
    pub urgency: Vec<i64>,
    /// For each task that takes a place when it may begin at the earliest.
    pub release: Vec<i64>,
}

/// What it found.
#[derive(Clone)]
pub(super) struct Walked {
    /// When each task begins.
    pub begin: Vec<Ticks>,
    /// The tasks of each rank in order.
    pub order: Vec<Vec<usize>>,
    pub makespan: Ticks,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Ends(usize),
    CanBegin(usize),
}

struct Walk<'a> {
    problem: &'a Problem,
    rule: &'a Rule,
    now: Ticks,
    events: BinaryHeap<Reverse<(Ticks, Event)>>,
    left: Vec<usize>,
    earliest: Vec<Ticks>,
    /// Of each rank, the tasks that could begin, by urgency.
    ready: Vec<BTreeSet<(i64, usize)>>,
    busy: Vec<bool>,
    /// Free places of each room.
    free: Vec<u64>,
    /// For each group and room: places that it still will take, and that it has.
    needs: Vec<u64>,
    has: Vec<u64>,
    /// Groups that have places.
    active: Vec<usize>,
    walked: Walked,
    done: usize,
}

/// Walks through all tasks. `None` when it takes as long as `limit` or longer.
///
/// A place is only taken where afterwards all groups that have places can end one after the other (the banker's
/// algorithm), so that the walk never stops short.
pub(super) fn walk(problem: &Problem, rule: &Rule, limit: Ticks) -> Option<Walked> {
    let rooms = problem.rooms.len();
    let mut needs = vec![0; problem.groups * rooms];
    for task in &problem.tasks {
        task.takes.iter().for_each(|&room| needs[task.group * rooms + room] += 1);
    }
    let tasks = problem.tasks.len();
    let mut walk = Walk {
        problem,
        rule,
        now: 0,
        events: BinaryHeap::with_capacity(tasks),
        left: problem.tasks.iter().map(|task| task.before.len()).collect(),
        earliest: vec![0; tasks],
        ready: vec![BTreeSet::new(); problem.ranks],
        busy: vec![false; problem.ranks],
        free: problem.rooms.clone(),
        has: vec![0; needs.len()],
        needs,
        active: Vec::new(),
        walked: Walked { begin: vec![0; tasks], order: vec![Vec::new(); problem.ranks], makespan: 0 },
        done: 0,
    };
    (0..tasks).filter(|&t| problem.tasks[t].before.is_empty()).for_each(|t| walk.arrives(t));
    loop {
        while let Some(&Reverse((time, event))) = walk.events.peek() {
            if time > walk.now {
                break;
            }
            walk.events.pop();
            match event {
                Event::Ends(t) => walk.ends(t),
                Event::CanBegin(t) => drop(walk.ready[problem.tasks[t].rank].insert((rule.urgency[t], t))),
            }
        }
        (0..problem.ranks).for_each(|rank| walk.begin(rank));
        let Some(&Reverse((time, _))) = walk.events.peek() else { break };
        walk.now = time;
        if time >= limit {
            return None;
        }
    }
    (walk.done == tasks).then(|| {
        walk.walked.makespan = walk.now;
        walk.walked
    })
}

/// Takes the tasks of each rank in this order, each as early as it can begin.
pub(super) fn follow(problem: &Problem, order: Vec<Vec<usize>>) -> Walked {
    let mut begin = vec![0; problem.tasks.len()];
    let mut done = vec![false; problem.tasks.len()];
    let mut next = vec![0; problem.ranks];
    let mut free = vec![0; problem.ranks];
    let mut moved = true;
    while moved {
        moved = false;
        for rank in 0..problem.ranks {
            while let Some(&t) = order[rank].get(next[rank])
                && problem.tasks[t].before.iter().all(|&(before, _)| done[before])
            {
                let end =
                    |&(before, late): &(usize, Ticks)| begin[before] + problem.tasks[before].cost + late;
                let there = problem.tasks[t].before.iter().map(end).max().unwrap_or_default();
                begin[t] = there.max(free[rank]);
                free[rank] = begin[t] + problem.tasks[t].cost;
                done[t] = true;
                next[rank] += 1;
                moved = true;
            }
        }
    }
    Walked { begin, order, makespan: free.into_iter().max().unwrap_or_default() }
}

impl Walk<'_> {
    /// A task waits for nothing any more but the time.
    fn arrives(&mut self, t: usize) {
        let task = &self.problem.tasks[t];
        let release =
            if task.takes.is_empty() { 0 } else { Ticks::try_from(self.rule.release[t]).unwrap_or(0) };
        let time = self.earliest[t].max(release).max(self.now);
        self.events.push(Reverse((time, Event::CanBegin(t))));
    }

    /// Begins the most urgent task of a rank that has room.
    fn begin(&mut self, rank: usize) {
        if self.busy[rank] {
            return;
        }
        let next = self.ready[rank].iter().copied().find(|&(_, t)| self.has_room(t));
        let Some((urgency, t)) = next else { return };
        self.ready[rank].remove(&(urgency, t));
        self.busy[rank] = true;
        self.take(t);
        self.walked.begin[t] = self.now;
        self.walked.order[rank].push(t);
        self.events.push(Reverse((self.now + self.problem.tasks[t].cost, Event::Ends(t))));
    }

    fn ends(&mut self, t: usize) {
        let task = &self.problem.tasks[t];
        self.busy[task.rank] = false;
        self.done += 1;
        let rooms = self.free.len();
        for &room in &task.leaves {
            self.free[room] += 1;
            self.has[task.group * rooms + room] -= 1;
        }
        let own = task.group * rooms..(task.group + 1) * rooms;
        if !task.leaves.is_empty() && self.has[own.clone()].iter().chain(&self.needs[own]).all(|&n| n == 0) {
            self.active.retain(|&group| group != task.group);
        }
        for &(behind, late) in &task.behind {
            self.earliest[behind] = self.earliest[behind].max(self.now + late);
            self.left[behind] -= 1;
            if self.left[behind] == 0 {
                self.arrives(behind);
            }
        }
    }

    fn take(&mut self, t: usize) {
        let task = &self.problem.tasks[t];
        let rooms = self.free.len();
        for &room in &task.takes {
            self.free[room] -= 1;
            self.needs[task.group * rooms + room] -= 1;
            self.has[task.group * rooms + room] += 1;
        }
        if !task.takes.is_empty() && !self.active.contains(&task.group) {
            self.active.push(task.group);
        }
    }

    /// Can a task take its places so that all groups can still end?
    fn has_room(&self, t: usize) -> bool {
        let task = &self.problem.tasks[t];
        if task.takes.is_empty() {
            return true;
        }
        let rooms = self.free.len();
        let mut free = self.free.clone();
        for &room in &task.takes {
            if free[room] == 0 {
                return false;
            }
            free[room] -= 1;
        }
        let is_new = !self.active.contains(&task.group);
        let mut waiting: Vec<usize> =
            self.active.iter().copied().chain(is_new.then_some(task.group)).collect();
        // What this task takes, its group does not need any more.
        let needs = |group: usize, room: usize| {
            let own = group == task.group && task.takes.contains(&room);
            self.needs[group * rooms + room] - u64::from(own)
        };
        while !waiting.is_empty() {
            let fits = |&group: &usize| (0..rooms).all(|room| needs(group, room) <= free[room]);
            let Some(at) = waiting.iter().position(fits) else { return false };
            let group = waiting.remove(at);
            for (room, free) in free.iter_mut().enumerate() {
                let own = group == task.group && task.takes.contains(&room);
                *free += self.has[group * rooms + room] + u64::from(own);
            }
        }
        true
    }
}
