//! Many walks by different rules, of which the best counts, and small changes to that.

use super::blocks::{self, Block, Layout};
use super::problem::Problem;
use super::walk::{Rule, Walked, follow, walk};
use crate::simulate::Ticks;

/// Tasks that may be walked over while rules are compared, and while the best is changed.
const COMPARED: usize = 300_000;
const CHANGED: usize = 100_000;
/// Rules that are tried on the whole problem after a trial on its beginning.
const FINALISTS: usize = 12;
/// What nothing can wait for.
const LAST: i64 = 1 << 40;

/// How a block is repeated.
#[derive(Clone, Copy)]
struct Repeat {
    /// By how many periods, in halves, a task that takes a place may come before its time in the block.
    ahead: i64,
    /// Of how many of the last groups the tasks that nothing waits for are put off to the end.
    put_off: usize,
    /// The first groups, as many as there are ranks, may come as early as they can.
    rush: bool,
}

/// The best order that is found.
pub(super) fn best(problem: &Problem) -> Option<Walked> {
    let mut search = Search { problem, bound: problem.bound(), best: None };
    let plain = plain_rules(problem);
    if let Some(groups) = blocks::groups(problem) {
        search.blocks(&groups);
    }
    for rule in &plain {
        search.attempt(rule);
    }
    // What is regular where all tasks are alike is often good where they are not.
    if !search.is_done()
        && let Some(uniform) = problem.uniform()
        && let Some(walked) = best(&uniform)
    {
        let walked = follow(problem, walked.order);
        if search.best.as_ref().is_none_or(|best| walked.makespan < best.makespan) {
            search.best = Some(walked);
        }
    }
    search.change();
    search.best
}

struct Search<'a> {
    problem: &'a Problem,
    bound: Ticks,
    best: Option<Walked>,
}

impl Search<'_> {
    fn is_done(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.makespan <= self.bound)
    }

    fn attempt(&mut self, rule: &Rule) {
        if self.is_done() {
            return;
        }
        let limit = self.best.as_ref().map_or(Ticks::MAX, |best| best.makespan);
        if let Some(walked) = walk(self.problem, rule, limit) {
            self.best = Some(walked);
        }
    }

    /// Repeats building blocks. Which of them are good shows on the first micro-batches already.
    fn blocks(&mut self, groups: &[Vec<usize>]) {
        let beginning = self.problem.first(self.problem.ranks + 4);
        let own: Vec<Vec<usize>> = match blocks::groups(&beginning) {
            Some(own) => own,
            None => return,
        };
        let made: Vec<Block> = layouts(self.problem)
            .into_iter()
            .filter_map(|layout| blocks::block(&beginning, &own[0], layout))
            .collect();
        let mut ranking: Vec<(Ticks, usize, Repeat)> = Vec::new();
        let mut walked_over = 0;
        let bound = beginning.bound();
        'all: for repeat in repeats(self.problem) {
            for (at, block) in made.iter().enumerate() {
                if walked_over > COMPARED {
                    break 'all;
                }
                walked_over += beginning.tasks.len();
                if let Some(walked) = walk(&beginning, &repeated(&beginning, &own, block, repeat), Ticks::MAX)
                {
                    ranking.push((walked.makespan, at, repeat));
                    if walked.makespan <= bound {
                        self.attempt(&repeated(self.problem, groups, block, repeat));
                    }
                }
                if self.is_done() {
                    return;
                }
            }
        }
        ranking.sort_by_key(|&(makespan, ..)| makespan);
        for &(_, block, repeat) in ranking.iter().take(FINALISTS) {
            self.attempt(&repeated(self.problem, groups, &made[block], repeat));
        }
    }

    /// Walks again in nearly the same order, and keeps what is no worse.
    fn change(&mut self) {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        let unit = self.problem.tasks.iter().map(|task| task.cost).max().unwrap_or_default().max(1) as i64;
        for _ in 0..CHANGED / self.problem.tasks.len().max(1) {
            let Some(best) = &self.best else { return };
            if self.is_done() {
                return;
            }
            let wild = unit << numbers.below(4);
            let ahead = [0, 1, 2, 4, 8][numbers.below(5) as usize] * unit;
            let begin = || best.begin.iter().map(|&begin| begin as i64);
            let urgency = begin().map(|begin| 16 * begin + numbers.below(16 * wild as u64) as i64).collect();
            let release = begin().map(|begin| begin - ahead).collect();
            // One that takes as long leads on to others.
            if let Some(walked) = walk(self.problem, &Rule { urgency, release }, best.makespan + 1) {
                self.best = Some(walked);
            }
        }
    }
}

fn layouts(problem: &Problem) -> Vec<Layout> {
    let costs = problem.tasks.iter().map(|task| task.cost).filter(|&cost| cost > 0);
    let unit = costs.clone().sum::<Ticks>() / (costs.count() as Ticks).max(1);
    let mut layouts = Vec::new();
    for (up, down) in [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)] {
        for turn in [0, 2] {
            for ends_last in [false, true] {
                layouts.push(Layout { up: up * unit, down: down * unit, turn: turn * unit, ends_last });
            }
        }
    }
    layouts
}

fn repeats(problem: &Problem) -> Vec<Repeat> {
    let mut repeats = Vec::new();
    for ahead in [4, 2, 6, 0, 8, 16] {
        for put_off in [problem.ranks, 2 * problem.ranks, 0, 2] {
            for rush in [false, true] {
                repeats.push(Repeat { ahead, put_off, rush });
            }
        }
    }
    repeats
}

/// The rule by which a block is repeated for every group.
fn repeated(problem: &Problem, groups: &[Vec<usize>], block: &Block, repeat: Repeat) -> Rule {
    let mut rule = Rule { urgency: vec![0; problem.tasks.len()], release: vec![0; problem.tasks.len()] };
    let period = block.period as i64;
    for (number, group) in groups.iter().enumerate() {
        for (&t, &begin) in group.iter().zip(&block.begin) {
            let time = number as i64 * period + begin as i64;
            let is_put_off = problem.tasks[t].behind.is_empty() && number + repeat.put_off >= groups.len();
            rule.urgency[t] = time + if is_put_off { LAST } else { 0 };
            rule.release[t] = match repeat.rush && number < problem.ranks {
                true => 0,
                false => time - repeat.ahead * period / 2,
            };
        }
    }
    rule
}

/// Rules for any problem: by group, by place in the group, and by what mixes them.
fn plain_rules(problem: &Problem) -> Vec<Rule> {
    let mut work = vec![0; problem.ranks];
    problem.tasks.iter().for_each(|task| work[task.rank] += task.cost);
    let period = (work.into_iter().max().unwrap_or_default() / (problem.groups as Ticks).max(1)) as i64;
    let mut rules = Vec::new();
    for stretch in [0, 1, 2, 4, 8] {
        for lag in [0, period / 2, period, 2 * period, 4 * period, LAST] {
            let urgency = problem.tasks.iter().map(|task| {
                let lag = if task.behind.is_empty() { lag } else { 0 };
                task.group as i64 * period + stretch * task.depth as i64 / 2 + lag
            });
            rules.push(Rule { urgency: urgency.collect(), release: vec![0; problem.tasks.len()] });
        }
    }
    let tail = problem.tasks.iter().map(|task| -(task.tail as i64)).collect();
    rules.push(Rule { urgency: tail, release: vec![0; problem.tasks.len()] });
    rules
}

/// Numbers that look like chance and are the same every time (xorshift, Marsaglia 2003).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end.max(1)
    }
}
