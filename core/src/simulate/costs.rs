//! How long things take.

use std::collections::HashMap;

use crate::plan::Plan;
use crate::tape::{Item, Role, Step};

/// A length of time. What one tick is, is up to who declares the costs; all costs of a plan are in the same unit.
pub type Ticks = u64;

/// How long compute steps and transfers take.
///
/// A compute step with several names takes the time of all of them together.
///
/// ```
/// use counterpart_core::Plan;
/// use counterpart_core::simulate::Costs;
///
/// let mut plan = Plan::new("costs");
/// let backward = plan.family("backward", 2);
/// let costs = Costs::new().compute(backward, 2).transfer(1);
/// assert_eq!((costs.of(backward), costs.of(plan.family("forward", 2))), (2, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Costs {
    computes: HashMap<u32, Ticks>,
    default: Ticks,
    transfer: Ticks,
}

impl Default for Costs {
    fn default() -> Costs {
        Costs { computes: HashMap::new(), default: 1, transfer: 0 }
    }
}

impl Costs {
    /// Every compute step takes one tick, and a transfer no time.
    pub fn new() -> Costs {
        Costs::default()
    }

    /// The same, but compute steps of this family take so long.
    #[must_use]
    pub fn compute(mut self, family: u32, ticks: Ticks) -> Costs {
        self.computes.insert(family, ticks);
        self
    }

    /// The same, but compute steps of families that are not named take so long.
    #[must_use]
    pub fn others(self, ticks: Ticks) -> Costs {
        Costs { default: ticks, ..self }
    }

    /// The same, but a transfer takes so long.
    #[must_use]
    pub fn transfer(self, ticks: Ticks) -> Costs {
        Costs { transfer: ticks, ..self }
    }

    /// How long a compute step of this family takes.
    pub fn of(&self, family: u32) -> Ticks {
        self.computes.get(&family).copied().unwrap_or(self.default)
    }

    /// How long a compute step of a plan takes; no time for a communication step.
    pub fn step(&self, plan: &Plan, step: &Step) -> Ticks {
        let names = plan.uses(step).iter().filter(|used| used.role == Role::Name);
        names.map(|name| self.of(name.value.family())).fold(0, Ticks::saturating_add)
    }

    /// How long an item of a communication step takes from one rank to the other.
    pub fn item(&self, _item: &Item) -> Ticks {
        self.transfer
    }

    /// How long a transfer takes.
    pub fn of_transfer(&self) -> Ticks {
        self.transfer
    }
}
