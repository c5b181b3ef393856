//! Edits: what a slip of the pen makes of a plan.
//!
//! [`edits`] lists every single edit of a plan, and [`Edit::apply`] makes the mutant. A verifier has to find out every
//! mutant that is wrong and accept those that are as good as the original; people see in them what a mistake does.

mod list;

use core::fmt;

use crate::dtype::Payload;
use crate::plan::{Comm, Plan};
use crate::tape::StepKind;

pub use list::edits;

/// What kind of slip it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// A step is left out.
    Drop,
    /// A step is there twice.
    Duplicate,
    /// Two sends, or two receives, or two compute steps of a rank change places.
    Swap,
    /// A receive stands just before the compute step that reads its value.
    ToConsumer,
    /// A communication step stands earlier: by one place, and before the compute step before it.
    MoveEarlier,
    /// A communication step stands later: by one place, and after the compute step after it.
    MoveLater,
    /// A send or receive names another rank.
    Retarget,
    /// A send or receive names another value.
    ChangeValue,
    /// A send or receive has one element more.
    ChangePayload,
    /// A send is a receive, or a receive a send.
    Turn,
    /// Two communication steps that follow each other are one batch.
    Join,
    /// An item of a batch stands before it.
    Split,
}

impl Class {
    /// Every class.
    pub const ALL: [Class; 12] = [
        Class::Drop,
        Class::Duplicate,
        Class::Swap,
        Class::ToConsumer,
        Class::MoveEarlier,
        Class::MoveLater,
        Class::Retarget,
        Class::ChangeValue,
        Class::ChangePayload,
        Class::Turn,
        Class::Join,
        Class::Split,
    ];

    /// The word for it on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Drop => "drop",
            Class::Duplicate => "duplicate",
            Class::Swap => "swap",
            Class::ToConsumer => "to-consumer",
            Class::MoveEarlier => "move-earlier",
            Class::MoveLater => "move-later",
            Class::Retarget => "retarget",
            Class::ChangeValue => "change-value",
            Class::ChangePayload => "change-payload",
            Class::Turn => "turn",
            Class::Join => "join",
            Class::Split => "split",
        }
    }

    /// The class with this name.
    pub fn from_name(name: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.name() == name)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One edit at one step of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What kind of slip it is.
    pub class: Class,
    /// The rank.
    pub rank: usize,
    /// The step, by its number in the original.
    pub step: usize,
    change: Change,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Drop,
    Duplicate,
    /// Changes places with a later step.
    Swap(usize),
    /// Stands before this step of the original; behind all where that is the number of steps.
    Before(usize),
    /// An item says something else.
    Item(usize, Comm),
    /// Is one batch with the next step.
    Join,
    /// An item stands before the rest of its batch.
    Split(usize),
}

impl Edit {
    /// The mutant. Families, payloads, domains and places in the source are those of the original.
    ///
    /// # Panics
    /// When the plan is another one than that for which the edit was listed, and has no such step.
    pub fn apply(&self, plan: &Plan) -> Plan {
        let mut mutant = plan.emptied();
        for rank in 0..plan.ranks() {
            mutant.begin_rank();
            if rank == self.rank {
                self.edit(plan, &mut mutant);
            } else {
                (0..plan.steps(rank).len()).for_each(|step| mutant.copy(plan, rank, step));
            }
        }
        mutant
    }

    /// Adds the rank that is edited.
    fn edit(&self, plan: &Plan, mutant: &mut Plan) {
        let (rank, step, len) = (self.rank, self.step, plan.steps(self.rank).len());
        let comms = |step: usize| -> Vec<Comm> {
            let items = plan.items(&plan.steps(rank)[step]).len();
            (0..items).map(|item| plan.comm(rank, step, item)).collect()
        };
        let source = plan.source_number(rank, step, None);
        for at in 0..len {
            match self.change {
                Change::Before(to) if at == to => {
                    mutant.copy(plan, rank, step);
                    mutant.copy(plan, rank, at);
                }
                Change::Before(_) if at == step => {}
                Change::Swap(other) if at == other => mutant.copy(plan, rank, step),
                Change::Swap(other) if at == step => mutant.copy(plan, rank, other),
                Change::Join if at == step + 1 => {}
                _ if at != step => mutant.copy(plan, rank, at),
                Change::Drop => {}
                Change::Duplicate => {
                    mutant.copy(plan, rank, at);
                    mutant.copy(plan, rank, at);
                }
                Change::Item(item, comm) => {
                    let mut comms = comms(at);
                    comms[item] = comm;
                    match plan.steps(rank)[at].kind {
                        StepKind::Single => mutant.single(comm),
                        _ => mutant.batch(&comms, source),
                    }
                }
                Change::Join => mutant.batch(&[comms(at), comms(at + 1)].concat(), source),
                Change::Split(item) => {
                    let mut rest = comms(at);
                    mutant.single(rest.remove(item));
                    mutant.batch(&rest, source);
                }
                Change::Before(_) | Change::Swap(_) => {}
            }
        }
        if self.change == Change::Before(len) {
            mutant.copy(plan, rank, step);
        }
    }

    /// What is done, in words, such as ``drop: rank 1, step 3: `recv Act[1,0] from 0` ``.
    pub fn describe(&self, plan: &Plan) -> String {
        let words = |step: usize| plan.describe(self.rank, step).unwrap_or_default();
        let what = words(self.step);
        let class = self.class;
        match self.change {
            Change::Drop | Change::Duplicate => format!("{class}: {what}"),
            Change::Swap(other) => format!("{class}: {what} with step {other}"),
            Change::Before(to) if to == plan.steps(self.rank).len() => format!("{class}: {what} to the end"),
            Change::Before(to) => format!("{class}: {what} to before step {to}"),
            Change::Item(_, comm) => {
                let words = plan.comm_words(comm.send, comm.value, comm.peer);
                let payload = match comm.payload {
                    payload if class == Class::ChangePayload => {
                        format!(" ({} elements)", Payload::count(payload))
                    }
                    _ => String::new(),
                };
                format!("{class}: {what} becomes `{words}`{payload}")
            }
            Change::Join => format!("{class}: {what} with step {}", self.step + 1),
            Change::Split(item) => format!("{class}: {what}, item {item}"),
        }
    }
}
