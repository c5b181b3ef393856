//! Building blocks: the tasks of one micro-batch laid out so that, repeated every so many ticks, they never collide.
//!
//! This is modulo scheduling, and the idea of "Pipeline Parallelism with Controllable Memory" (Qi et al., 2024): a block
//! that is laid out tightly keeps activations for a short time and so needs little memory, one with more time between
//! ranks needs more and fills the pipeline faster.

use super::problem::Problem;
use crate::simulate::Ticks;

/// How a block is laid out, besides being as tight as that allows. Times in ticks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Time between a task and what waits for it on a rank of a larger number.
    pub up: Ticks,
    /// The same for a smaller number.
    pub down: Ticks,
    /// Time between taking a place and what follows on the same rank at once: where a chain turns back.
    pub turn: Ticks,
    /// Lay tasks out last that nothing waits for.
    pub ends_last: bool,
}

/// A block: when each task of a group begins, counted from the beginning of the block.
pub(super) struct Block {
    pub begin: Vec<Ticks>,
    /// How often the block can begin.
    pub period: Ticks,
}

/// The tasks of each group, in the order of the problem; `None` where groups are not all alike.
pub(super) fn groups(problem: &Problem) -> Option<Vec<Vec<usize>>> {
    let mut groups = vec![Vec::new(); problem.groups];
    let mut place = vec![0; problem.tasks.len()];
    let mut by_place: Vec<usize> = (0..problem.tasks.len()).collect();
    by_place.sort_by_key(|&t| (problem.tasks[t].depth, problem.tasks[t].rank, problem.tasks[t].step));
    for t in by_place {
        let group: &mut Vec<usize> = &mut groups[problem.tasks[t].group];
        place[t] = group.len();
        group.push(t);
    }
    let look = |t: usize| {
        let task = &problem.tasks[t];
        let mut before: Vec<_> = task.before.iter().map(|&(b, late)| (place[b], late)).collect();
        before.sort_unstable();
        (task.rank, task.cost, before, task.takes.clone(), task.leaves.clone())
    };
    let (first, rest) = groups.split_first()?;
    let are_alike = |group: &Vec<usize>| {
        group.len() == first.len() && group.iter().zip(first).all(|(&a, &b)| look(a) == look(b))
    };
    rest.iter().all(are_alike).then_some(groups)
}

/// Lays out the tasks of one group.
pub(super) fn block(problem: &Problem, group: &[usize], layout: Layout) -> Option<Block> {
    let mut work = vec![0; problem.ranks];
    group.iter().for_each(|&t| work[problem.tasks[t].rank] += problem.tasks[t].cost);
    let shortest = work.iter().copied().max().unwrap_or_default().max(1);
    // Tasks of different lengths may leave gaps that none fits into.
    let step = shortest.div_ceil(16);
    (0..=16).find_map(|more| lay_out(problem, group, layout, shortest + more * step))
}

fn lay_out(problem: &Problem, group: &[usize], layout: Layout, period: Ticks) -> Option<Block> {
    let Layout { up, down, turn, ends_last } = layout;
    let mut order: Vec<usize> = (0..group.len()).collect();
    let is_end = |at: usize| problem.tasks[group[at]].behind.is_empty();
    order.sort_by_key(|&at| (ends_last && is_end(at), problem.tasks[group[at]].depth, at));
    let mut number = vec![usize::MAX; problem.tasks.len()];
    group.iter().enumerate().for_each(|(at, &t)| number[t] = at);
    let mut begin = vec![0; group.len()];
    let mut taken: Vec<Vec<(Ticks, Ticks)>> = vec![Vec::new(); problem.ranks];
    for at in order {
        let task = &problem.tasks[group[at]];
        let after = task.before.iter().map(|&(b, late)| {
            let before = &problem.tasks[b];
            let end = begin[number[b]] + before.cost + late;
            let is_turn = !before.takes.is_empty()
                && task.takes.is_empty()
                && before.depth + before.cost + late == task.depth;
            end + match before.rank.cmp(&task.rank) {
                core::cmp::Ordering::Less => up,
                core::cmp::Ordering::Greater => down,
                core::cmp::Ordering::Equal if is_turn => turn,
                core::cmp::Ordering::Equal => 0,
            }
        });
        let earliest = after.max().unwrap_or_default();
        begin[at] = free_from(&taken[task.rank], earliest, task.cost, period)?;
        taken[task.rank].push((begin[at] % period, task.cost));
    }
    Some(Block { begin, period })
}

/// The first time from `earliest` on at which a rank is free for so long in every period.
fn free_from(taken: &[(Ticks, Ticks)], earliest: Ticks, cost: Ticks, period: Ticks) -> Option<Ticks> {
    if cost > period {
        return None;
    }
    let mut time = earliest;
    while time < earliest + period {
        // Of two stretches on a ring, one begins in the other or they do not meet.
        let meets = |&&(begin, length): &&(Ticks, Ticks)| {
            let (ahead, behind) =
                ((begin + period - time % period) % period, (time + period - begin) % period);
            ahead < cost || behind < length
        };
        match taken.iter().find(meets) {
            None => return Some(time),
            Some(&(begin, length)) => time += ((begin + length + 2 * period - time % period) % period).max(1),
        }
    }
    None
}
