//! What is to be put into an order: compute steps, what they wait for, and the room that they take.

use std::collections::HashMap;

use super::{Goal, SearchError};
use crate::plan::Plan;
use crate::simulate::Ticks;
use crate::tape::Role;
use crate::value::Value;

/// The part of a packed value that holds its indices.
const INDICES: u128 = (1 << 96) - 1;

/// The longest time that all steps may take together.
const LONGEST: Ticks = 1 << 62;

/// One compute step.
pub(super) struct Task {
    pub rank: usize,
    /// Its number in the plan.
    pub step: usize,
    pub cost: Ticks,
    /// The tasks that it belongs together with, by number: a micro-batch, in a pipeline.
    pub group: usize,
    /// What has to end before it, and how much later it can begin.
    pub before: Vec<(usize, Ticks)>,
    /// What waits for it, and how much later that can begin.
    pub behind: Vec<(usize, Ticks)>,
    /// Places that it takes when it begins, and that it leaves when it ends: numbers of rooms.
    pub takes: Vec<usize>,
    pub leaves: Vec<usize>,
    /// When it can begin at the earliest.
    pub depth: Ticks,
    /// How long it takes at least from its beginning to the end of all that waits for it.
    pub tail: Ticks,
}

/// All of it.
pub(super) struct Problem {
    pub ranks: usize,
    /// In an order in which every task stands behind what it waits for.
    pub tasks: Vec<Task>,
    /// How many places each room has: one for each bound and rank that could be reached.
    pub rooms: Vec<u64>,
    pub groups: usize,
}

impl Problem {
    pub fn of(plan: &Plan, goal: &Goal) -> Result<Problem, SearchError> {
        let mut tasks = tasks(plan, goal);
        waits(plan, goal, &mut tasks)?;
        let lateness = tasks.iter().flat_map(|task| &task.before).map(|(_, late)| *late);
        let all = tasks.iter().map(|task| task.cost).chain(lateness).try_fold(0, Ticks::checked_add);
        if all.is_none_or(|all| all > LONGEST) {
            return Err(SearchError::TooLong);
        }
        let order = order(plan, &tasks)?;
        let mut problem =
            Problem { ranks: plan.ranks(), tasks: sorted(tasks, &order), rooms: Vec::new(), groups: 0 };
        problem.find_groups();
        problem.find_ends();
        problem.find_rooms(plan, goal)?;
        Ok(problem)
    }

    /// No order takes less: the busiest rank with what comes before and after it, or the longest chain.
    pub fn bound(&self) -> Ticks {
        let rank_bound = |rank: usize| {
            let own = || self.tasks.iter().filter(|task| task.rank == rank);
            let head = own().map(|task| task.depth).min()?;
            let tail = own().map(|task| task.tail - task.cost).min()?;
            Some(own().map(|task| task.cost).sum::<Ticks>() + head + tail)
        };
        let chain = self.tasks.iter().map(|task| task.depth + task.tail).max();
        (0..self.ranks).filter_map(rank_bound).chain(chain).max().unwrap_or_default()
    }

    /// The same with the first groups only.
    pub fn first(&self, groups: usize) -> Problem {
        let kept: Vec<usize> = (0..self.tasks.len()).filter(|&t| self.tasks[t].group < groups).collect();
        let numbers: HashMap<usize, usize> = kept.iter().enumerate().map(|(new, &old)| (old, new)).collect();
        let moved = |list: &[(usize, Ticks)]| list.iter().map(|&(t, late)| (numbers[&t], late)).collect();
        let task = |&t: &usize| {
            let task = &self.tasks[t];
            Task {
                before: moved(&task.before),
                behind: moved(&task.behind),
                takes: task.takes.clone(),
                leaves: task.leaves.clone(),
                ..*task
            }
        };
        let tasks = kept.iter().map(task).collect();
        Problem { ranks: self.ranks, tasks, rooms: self.rooms.clone(), groups: groups.min(self.groups) }
    }

    /// The same where every task takes one tick and a value arrives at once; `None` where that is so already.
    pub fn uniform(&self) -> Option<Problem> {
        let is_uniform = |task: &Task| task.cost == 1 && task.before.iter().all(|&(_, late)| late == 0);
        if self.tasks.iter().all(is_uniform) {
            return None;
        }
        let mut uniform = self.first(self.groups);
        for task in &mut uniform.tasks {
            task.cost = 1;
            task.before.iter_mut().chain(&mut task.behind).for_each(|(_, late)| *late = 0);
        }
        uniform.find_ends();
        Some(uniform)
    }

    /// Tasks that wait for each other, directly or not, are a group. Groups are numbered by their first tasks in the plan.
    fn find_groups(&mut self) {
        let mut root: Vec<usize> = (0..self.tasks.len()).collect();
        fn find(root: &mut [usize], mut t: usize) -> usize {
            while root[t] != t {
                root[t] = root[root[t]];
                t = root[t];
            }
            t
        }
        for t in 0..self.tasks.len() {
            for at in 0..self.tasks[t].before.len() {
                let other = self.tasks[t].before[at].0;
                let (a, b) = (find(&mut root, t), find(&mut root, other));
                root[a] = b;
            }
        }
        let mut by_place: Vec<usize> = (0..self.tasks.len()).collect();
        by_place.sort_by_key(|&t| (self.tasks[t].rank, self.tasks[t].step));
        let mut numbers = HashMap::new();
        for t in by_place {
            let next = numbers.len();
            self.tasks[t].group = *numbers.entry(find(&mut root, t)).or_insert(next);
        }
        self.groups = numbers.len();
    }

    fn find_ends(&mut self) {
        for t in 0..self.tasks.len() {
            let early =
                self.tasks[t].before.iter().map(|&(b, late)| self.tasks[b].depth + self.tasks[b].cost + late);
            self.tasks[t].depth = early.max().unwrap_or_default();
        }
        for t in (0..self.tasks.len()).rev() {
            let behind = self.tasks[t].behind.iter().map(|&(b, late)| self.tasks[b].tail + late);
            self.tasks[t].tail = self.tasks[t].cost + behind.max().unwrap_or_default();
        }
    }

    /// Bounds that can be reached become rooms. Every group has to fit alone, so that groups can run one after the other.
    fn find_rooms(&mut self, plan: &Plan, goal: &Goal) -> Result<(), SearchError> {
        for kept in &goal.kept {
            // For each rank and indices: who takes the place, and who leaves it.
            let mut places: HashMap<(usize, u128), (Option<usize>, Option<usize>)> = HashMap::new();
            for (t, task) in self.tasks.iter().enumerate() {
                for name in plan.compute_names(&plan.steps(task.rank)[task.step]) {
                    let place = (task.rank, name.0 & INDICES);
                    if name.family() == kept.from {
                        places.entry(place).or_default().0 = Some(t);
                    }
                    if name.family() == kept.until {
                        places.entry(place).or_default().1 = Some(t);
                    }
                }
            }
            for rank in 0..self.ranks {
                let most = kept.most.get(rank).copied().unwrap_or(u64::MAX);
                let own: Vec<_> =
                    places.iter().filter(|((r, _), _)| *r == rank).map(|(_, ends)| *ends).collect();
                let mut needs: HashMap<usize, u64> = HashMap::new();
                for take in own.iter().filter_map(|(take, _)| *take) {
                    *needs.entry(self.tasks[take].group).or_default() += 1;
                }
                if own.len() as u64 <= most {
                    continue;
                }
                if let Some(&needed) = needs.values().max().filter(|&&needed| needed > most) {
                    let name = |family: u32| plan.names()[family as usize].text.to_owned();
                    let (from, until) = (name(kept.from), name(kept.until));
                    return Err(SearchError::NoRoom { rank, from, until, most, needed });
                }
                for (take, leave) in own {
                    if let Some(take) = take {
                        self.tasks[take].takes.push(self.rooms.len());
                        if let Some(leave) = leave {
                            self.tasks[leave].leaves.push(self.rooms.len());
                        }
                    }
                }
                self.rooms.push(most);
            }
        }
        Ok(())
    }
}

fn tasks(plan: &Plan, goal: &Goal) -> Vec<Task> {
    let mut tasks = Vec::with_capacity(plan.len());
    for rank in 0..plan.ranks() {
        for (number, step) in plan.steps(rank).iter().enumerate() {
            tasks.push(Task {
                rank,
                step: number,
                cost: goal.costs.step(plan, step),
                group: 0,
                before: Vec::new(),
                behind: Vec::new(),
                takes: Vec::new(),
                leaves: Vec::new(),
                depth: 0,
                tail: 0,
            });
        }
    }
    tasks
}

/// What waits for what: reads for writes, wherever they are, and what runs `after` something for that, on its own rank.
fn waits(plan: &Plan, goal: &Goal, tasks: &mut [Task]) -> Result<(), SearchError> {
    let mut writers: HashMap<Value, usize> = HashMap::new();
    let mut named: HashMap<(usize, Value), usize> = HashMap::new();
    for (t, task) in tasks.iter().enumerate() {
        for used in plan.uses(&plan.steps(task.rank)[task.step]) {
            match used.role {
                Role::Name => drop(named.insert((task.rank, used.value), t)),
                Role::Write if writers.insert(used.value, t).is_some() => {
                    return Err(wrong(plan, task, "writes", used.value, "which another step writes, too"));
                }
                _ => {}
            }
        }
    }
    for t in 0..tasks.len() {
        let (rank, step) = (tasks[t].rank, tasks[t].step);
        for used in plan.uses(&plan.steps(rank)[step]) {
            let (before, late) = match used.role {
                Role::Read => match writers.get(&used.value) {
                    Some(&writer) if tasks[writer].rank == rank => (writer, 0),
                    Some(&writer) => (writer, goal.costs.of_transfer()),
                    None => return Err(wrong(plan, &tasks[t], "reads", used.value, "which no step writes")),
                },
                Role::After => match named.get(&(rank, used.value)) {
                    // Parts of one step run in their order.
                    Some(&other) if other == t && plan.compute_names(&plan.steps(rank)[step]).count() > 1 => {
                        continue;
                    }
                    Some(&other) => (other, 0),
                    None => {
                        return Err(wrong(
                            plan,
                            &tasks[t],
                            "runs after",
                            used.value,
                            "which is not on its rank",
                        ));
                    }
                },
                Role::Name | Role::Write => continue,
            };
            tasks[t].before.push((before, late));
            tasks[before].behind.push((t, late));
        }
    }
    Ok(())
}

fn wrong(plan: &Plan, task: &Task, does: &str, value: Value, why: &str) -> SearchError {
    let name = plan.compute_label(&plan.steps(task.rank)[task.step]);
    SearchError::Wrong(format!("rank {}: `{name}` {does} `{}`, {why}", task.rank, plan.label(value)))
}

/// The tasks in an order in which each stands behind what it waits for.
fn order(plan: &Plan, tasks: &[Task]) -> Result<Vec<usize>, SearchError> {
    let mut left: Vec<usize> = tasks.iter().map(|task| task.before.len()).collect();
    let mut order: Vec<usize> = (0..tasks.len()).filter(|&t| left[t] == 0).collect();
    let mut at = 0;
    while at < order.len() {
        for &(behind, _) in &tasks[order[at]].behind {
            left[behind] -= 1;
            if left[behind] == 0 {
                order.push(behind);
            }
        }
        at += 1;
    }
    if order.len() == tasks.len() {
        return Ok(order);
    }
    // Whatever is left waits for something that is left: going back from it comes to a circle.
    let mut t = left.iter().position(|&left| left > 0).expect("not all tasks are in the order");
    let mut seen = vec![false; tasks.len()];
    let mut path = Vec::new();
    while !seen[t] {
        seen[t] = true;
        path.push(t);
        t = tasks[t].before.iter().map(|(b, _)| *b).find(|&b| left[b] > 0).expect("it waits for one of them");
    }
    let circle = path[path.iter().position(|&p| p == t).unwrap_or_default()..].iter();
    let names: Vec<String> = circle
        .map(|&t| format!("`{}`", plan.compute_label(&plan.steps(tasks[t].rank)[tasks[t].step])))
        .collect();
    Err(SearchError::Circle(names.join(" for ")))
}

fn sorted(tasks: Vec<Task>, order: &[usize]) -> Vec<Task> {
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
    let mut tasks: Vec<Option<Task>> = tasks.into_iter().map(Some).collect();
    let moved = |list: Vec<(usize, Ticks)>| list.into_iter().map(|(t, late)| (place[t], late)).collect();
    let take = |&old: &usize| {
        let task = tasks[old].take().expect("each task once");
        Task { before: moved(task.before), behind: moved(task.behind), ..task }
    };
    order.iter().map(take).collect()
}
