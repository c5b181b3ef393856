//! What is said of an unsafe plan; the verifier words the faults themselves.

use crate::error::Message;
use counterpart_core::{Fault, FaultKind};

/// `others`: where the other places of the fault are.
pub fn fault(fault: &Fault, others: Option<&str>, instance: &str) -> Message {
    let note = match others {
        Some(others) => format!("in `{instance}`; see also {others}"),
        None => format!("in `{instance}`"),
    };
    let message = Message::new(format!("{}: {}", fault.kind, fault.message)).note(note);
    match (&fault.help, fault.kind) {
        (Some(help), _) => message.help(help),
        (None, FaultKind::Peer) => {
            message.help("leave it out there: add a condition, such as `if r + 1 < P`")
        }
        (None, _) => message,
    }
}

/// The second error of a fault, at the other end. Ranks and steps in pairs.
pub fn counterpart(here: (usize, usize), there: (usize, usize), line: &str) -> Message {
    let is_counterpart = if here.0 == there.0 { "belongs to the fault" } else { "is the counterpart" };
    Message::new(match here == there {
        true => format!("this belongs to the fault at {line}"),
        false => format!("{} {is_counterpart} of {}, at {line}", step(here), step(there)),
    })
}

fn step((rank, step): (usize, usize)) -> String {
    format!("rank {rank}, step {step}")
}

/// Another wait of a deadlock whose first stands in `line`.
pub fn wait(wait: &str, line: &str) -> Message {
    Message::new(format!("{wait}, in the deadlock at {line}"))
}
