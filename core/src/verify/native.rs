//! The verifier's caller at run time: memory from the heap, faults with their own text.

use super::findings::{Detail, Finding, Findings, Hop};
use super::{Scope, judge, memory};
use crate::fault::{Fault, Verdict, Wait};
use crate::message;
use crate::model::Model;
use crate::plan::Plan;
use crate::tape::{NONE, StepKind, Tape};
use crate::text::Text;
use crate::value::Value;

impl Plan {
    /// Judges the plan under a model: time and memory are linear in its length.
    ///
    /// Values are followed when some compute step declares what it writes; what has to run `after` what is judged always,
    /// coverage for the declared domains.
    ///
    /// ```
    /// use counterpart_core::plan::Comm;
    /// use counterpart_core::{BatchRule, Channel, FaultKind, Model, Plan};
    ///
    /// let mut plan = Plan::new("both send first");
    /// let (act, grad) = (plan.value("Act"), plan.value("Grad"));
    /// plan.begin_rank();
    /// plan.single(Comm::send(act, 1));
    /// plan.single(Comm::recv(grad, 1));
    /// plan.begin_rank();
    /// plan.single(Comm::send(grad, 0));
    /// plan.single(Comm::recv(act, 0));
    ///
    /// let verdict = plan.verify(Model::PORTABLE);
    /// assert_eq!(verdict.faults[0].kind, FaultKind::Deadlock);
    /// println!("{verdict}"); // the cycle of waits, and what unties it
    ///
    /// let eager = Model::new(Channel::Eager, BatchRule::Item).unwrap();
    /// assert!(plan.verify(eager).is_safe());
    /// ```
    pub fn verify(&self, model: Model) -> Verdict {
        self.with_tape(|tape| {
            let mut words = vec![0; memory(tape, model, Scope::ALL)];
            let found = judge(tape, model, Scope::ALL, &mut words);
            let next = &words[tape.items.len()..2 * tape.items.len()];
            let mut faults: Vec<Fault> =
                found.list[..found.len].iter().map(|f| fault(tape, next, &found, f)).collect();
            faults.sort_by_key(|f| f.kind);
            Verdict { model, faults, more: found.lost }
        })
    }
}

fn fault(tape: &Tape<'_>, next: &[u32], all: &Findings, finding: &Finding) -> Fault {
    let (mut message, mut help) = (Text::new(), Text::new());
    message::describe(tape, all, finding, &mut message);
    message::mend(tape, next, all, finding, &mut help);
    let (rank, step) = place(tape, finding.step);
    let (peer_rank, peer_step) = place(tape, finding.other_step);
    let cycle: &[Hop] = match finding.detail {
        Detail::Cycle => &all.cycle[..all.cycle_len],
        _ => &[],
    };
    Fault {
        rank,
        step,
        item: item(tape, finding.step, finding.item),
        peer_rank,
        peer_step,
        peer_item: item(tape, finding.other_step, finding.other_item),
        help: (!help.is_empty()).then(|| help.as_str().to_owned()),
        element: (finding.detail == Detail::Missing).then_some(Value(finding.element)),
        waits: cycle.iter().map(|hop| wait(tape, hop)).collect(),
        ..Fault::new(finding.detail.kind(), message.as_str().to_owned())
    }
}

fn wait(tape: &Tape<'_>, hop: &Hop) -> Wait {
    let (step, on) = (&tape.steps[hop.step as usize], &tape.steps[hop.on as usize]);
    let mut message = Text::new();
    message::wait(tape, hop, &mut message);
    Wait {
        rank: step.rank as usize,
        step: step.number as usize,
        item: item(tape, hop.step, hop.item),
        on_rank: on.rank as usize,
        on_step: on.number as usize,
        message: message.as_str().to_owned(),
    }
}

fn place(tape: &Tape<'_>, step: u32) -> (Option<usize>, Option<usize>) {
    match step {
        NONE => (None, None),
        s => (Some(tape.steps[s as usize].rank as usize), Some(tape.steps[s as usize].number as usize)),
    }
}

/// The place of an item in its batch; nothing for other steps.
fn item(tape: &Tape<'_>, step: u32, item: u32) -> Option<usize> {
    if step == NONE || item == NONE || tape.steps[step as usize].kind != StepKind::Batch {
        return None;
    }
    Some((item - tape.steps[step as usize].first) as usize)
}
