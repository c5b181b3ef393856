//! The choice between rules.

use core::fmt;

use super::clock::{self, Links, Place};
use super::lay::{Programs, lay_down};
use super::transfers::{Transfer, Transfers};
use super::{CommsError, batches, faults, rounds};
use crate::model::{Channel, Model};
use crate::plan::Plan;
use crate::simulate::{Costs, Ticks};

/// Where a rule puts the send and the receive of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// In rounds over the ranks, as PyTorch does: see [`paired`](super::paired).
    Paired,
    /// In the order of production in the ideal execution: see [`timed`](super::timed).
    Timed,
    /// As they fit on one queue per rank: whenever two ranks are both free, the most urgent transfer between them, together
    /// with one in the opposite direction where there is one. Urgent is that on which the longest chain of steps hangs, or
    /// that which its reader wants first; both are tried.
    Urgent,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 3] = [Rule::Paired, Rule::Timed, Rule::Urgent];

    /// The word for this rule.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Paired => "paired",
            Rule::Timed => "timed",
            Rule::Urgent => "urgent",
        }
    }

    /// The rule with this name.
    pub fn from_name(name: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.name() == name)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What communication is chosen for.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The model on which it is to be fast.
    pub fast: Model,
    /// The model under which batches must leave it safe. Without batches it is safe under all.
    pub safe: Model,
    /// How long compute steps and transfers take.
    pub costs: Costs,
    /// The only rule to try; all of them where there is none.
    pub rule: Option<Rule>,
}

impl Default for Goal {
    /// Fast on one queue for communication and one for compute steps, safe under every model.
    fn default() -> Goal {
        let fast = Model::new(Channel::Queue, crate::BatchRule::Gang).expect("there is such a model");
        Goal { fast, safe: Model::PORTABLE, costs: Costs::new(), rule: None }
    }
}

/// What one rule gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The rule.
    pub rule: Rule,
    /// How many batches there are; each holds a send and a receive.
    pub batches: usize,
    /// How long it takes on the model on which it is to be fast.
    pub makespan: Ticks,
}

/// A plan with communication, and what it was chosen from.
#[derive(Clone, Debug)]
pub struct Inserted {
    /// The plan.
    pub plan: Plan,
    /// What it was chosen from.
    pub choice: Choice,
}

/// A choice between rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What was tried, in order. A rule stands here twice where batches could be made of it.
    pub tried: Vec<Candidate>,
    /// The place of what was chosen.
    pub chosen: usize,
    /// How long the compute order takes where links have no limits: nothing is faster.
    pub ideal: Ticks,
}

impl Choice {
    /// What was chosen.
    pub fn best(&self) -> &Candidate {
        &self.tried[self.chosen]
    }
}

impl fmt::Display for Choice {
    /// One line, such as `urgent with 24 batches: makespan 134 (paired 135, timed 147; ideal 134)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |f: &mut fmt::Formatter<'_>, one: &Candidate| match one.batches {
            0 => write!(f, "{}", one.rule),
            1 => write!(f, "{} with 1 batch", one.rule),
            n => write!(f, "{} with {n} batches", one.rule),
        };
        name(f, self.best())?;
        write!(f, ": makespan {} (", self.best().makespan)?;
        for (_, one) in self.tried.iter().enumerate().filter(|(at, _)| *at != self.chosen) {
            name(f, one)?;
            write!(f, " {}, ", one.makespan)?;
        }
        write!(f, "ideal {})", self.ideal)
    }
}

/// A rule's programs, with and without batches.
struct Tried {
    candidate: Candidate,
    programs: Programs,
}

/// Inserts communication by the rule that gives the shortest makespan on [`Goal::fast`].
///
/// Each rule is laid down and run with a clock; then neighbours that could run at the same time are put into batches, and
/// the result is run again. What is taken is the fastest that the verifier finds safe under [`Goal::safe`], the first of
/// several equally good ones. Where one of the first two rules reaches the makespan of links without limits, which none can
/// beat, the third is not tried.
///
/// ```
/// use counterpart_core::comms::{self, Goal};
/// use counterpart_core::tape::{NONE, Role};
/// use counterpart_core::{Model, Plan};
///
/// let mut plan = Plan::new("handover");
/// let (make, take, act) = (plan.value("make"), plan.value("take"), plan.value("Act"));
/// plan.begin_rank();
/// plan.compute(make, &[(Role::Write, act)], NONE);
/// plan.begin_rank();
/// plan.compute(take, &[(Role::Read, act)], NONE);
///
/// let inserted = comms::auto(&plan, &Goal::default())?;
/// assert_eq!(inserted.choice.to_string(), "paired: makespan 2 (timed 2, ideal 2)");
/// assert!(inserted.plan.verify(Model::PORTABLE).is_safe());
/// # Ok::<(), counterpart_core::comms::CommsError>(())
/// ```
///
/// # Errors
/// As [`paired`](super::paired).
pub fn auto(plan: &Plan, goal: &Goal) -> Result<Inserted, CommsError> {
    super::compute_only(plan)?;
    let transfers = Transfers::of(plan).map_err(|wrong| faults::wrong(plan, &wrong))?;
    let place = match goal.fast.channel() {
        Channel::Blocking => Place::Begin,
        _ => Place::End,
    };
    let stuck = |stopped| Box::new(faults::stuck(plan, &transfers, &stopped));
    let ideal = clock::walk(plan, &transfers, &goal.costs, &Links::Free, place).map_err(stuck)?;
    let mut all: Vec<Tried> = Vec::new();
    for rule in Rule::ALL.into_iter().filter(|rule| goal.rule.is_none_or(|only| only == *rule)) {
        let sets = match rule {
            Rule::Paired => vec![rounds::run(plan, &transfers).map_err(stuck)?],
            Rule::Timed => vec![ideal.programs.clone()],
            Rule::Urgent => urgencies(plan, &transfers, &goal.costs, &ideal.ends)
                .into_iter()
                .map(|links| Ok(clock::walk(plan, &transfers, &goal.costs, &links, place)?.programs))
                .collect::<Result<_, _>>()
                .map_err(stuck)?,
        };
        for programs in sets {
            all.extend(candidates(plan, &transfers, goal, rule, programs));
        }
        let is_ideal = all.iter().any(|tried| tried.candidate.makespan <= ideal.makespan);
        if rule != Rule::Paired && is_ideal {
            break;
        }
    }
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&at| all[at].candidate.makespan);
    let laid = |at: usize| (at, lay_down(plan, &transfers, &all[at].programs));
    let best = order.iter().map(|&at| laid(at)).find(|(_, plan)| plan.verify(goal.safe).is_safe());
    // What is unsafe by its order alone, such as a step that runs before what it comes after, gets no batches.
    let plain = || order.iter().find(|&&at| all[at].candidate.batches == 0).copied().unwrap_or_default();
    let (chosen, plan) = best.unwrap_or_else(|| laid(plain()));
    let tried = all.iter().map(|tried| tried.candidate).collect();
    Ok(Inserted { plan, choice: Choice { tried, chosen, ideal: ideal.makespan } })
}

/// A rule's programs as they are, and with batches where there can be any.
fn candidates(plan: &Plan, transfers: &Transfers, goal: &Goal, rule: Rule, programs: Programs) -> Vec<Tried> {
    let run = |programs: Programs, batches: usize| {
        let makespan = lay_down(plan, transfers, &programs).simulate(goal.fast, &goal.costs)?.makespan;
        Some(Tried { candidate: Candidate { rule, batches, makespan }, programs })
    };
    let mut batched = programs.clone();
    let made = batches::batch(&mut batched, transfers);
    let there = batches::count(&programs);
    let with = (made > 0).then(|| run(batched, there + made)).flatten();
    run(programs, there).into_iter().chain(with).collect()
}

/// Ways to say which transfer is urgent: by how much work hangs on it, and by when its reader wants it.
pub(super) fn urgencies(
    plan: &Plan,
    transfers: &Transfers,
    costs: &Costs,
    ends: &[Vec<Ticks>],
) -> Vec<Links> {
    let cost = |(rank, step): (u32, u32)| costs.step(plan, &plan.steps(rank as usize)[step as usize]);
    let wanted =
        |transfer: &Transfer| ends[transfer.to.0 as usize][transfer.to.1 as usize] - cost(transfer.to);
    let due = transfers
        .list
        .iter()
        .map(|transfer| if transfer.from.0 == transfer.to.0 { 0 } else { wanted(transfer) });
    let due: Vec<Ticks> = due.collect();
    let tails = tails(plan, transfers, costs, ends);
    let behind = |transfer: &Transfer| Ticks::MAX - tails[transfer.to.0 as usize][transfer.to.1 as usize];
    vec![Links::Queues(transfers.list.iter().map(behind).collect()), Links::Queues(due)]
}

/// How long it takes at least from the beginning of each compute step to the end of everything that needs it.
fn tails(plan: &Plan, transfers: &Transfers, costs: &Costs, ends: &[Vec<Ticks>]) -> Vec<Vec<Ticks>> {
    let mut tails: Vec<Vec<Ticks>> = ends.iter().map(|ends| vec![0; ends.len()]).collect();
    let mut order: Vec<(Ticks, u32, u32)> = Vec::with_capacity(plan.len());
    for (rank, ends) in ends.iter().enumerate() {
        order.extend(ends.iter().zip(0..).map(|(&end, step)| (end, rank as u32, step)));
    }
    // What a step enables ends later; where both take no time, the tail may come out too short, which only costs urgency.
    order.sort_unstable_by(|a, b| b.cmp(a));
    let mut last: Vec<usize> = transfers.sends.iter().map(Vec::len).collect();
    for (_, rank, step) in order {
        let (r, s) = (rank as usize, step as usize);
        let mut tail = tails[r].get(s + 1).copied().unwrap_or_default();
        while last[r] > 0 && transfers.sends[r][last[r] - 1].0 == step {
            last[r] -= 1;
            let to = transfers.list[transfers.sends[r][last[r]].1 as usize].to;
            tail = tail.max(costs.of_transfer().saturating_add(tails[to.0 as usize][to.1 as usize]));
        }
        tails[r][s] = tail.saturating_add(costs.step(plan, &plan.steps(r)[s]));
    }
    tails
}
