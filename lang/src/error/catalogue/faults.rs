//! What is said of an unsafe plan; the verifier words the faults themselves.

use crate::error::Message;
use counterpart_core::Fault;

/// `others`: where the other places of the fault are.
pub fn fault(fault: &Fault, others: Option<&str>, instance: &str) -> Message {
    let note = match others {
        Some(others) => format!("in `{instance}`; see also {others}"),
        None => format!("in `{instance}`"),
    };
    let message = Message::new(format!("{}: {}", fault.kind, fault.message)).note(note);
    match &fault.help {
        Some(help) => message.help(help),
        None => message,
    }
}

/// The second error of a fault, at the other end. Ranks and steps in pairs.
pub fn counterpart(here: (usize, usize), there: (usize, usize), line: &str) -> Message {
    let (here, there) = (step(here), step(there));
    Message::new(format!("{here} is the counterpart of {there}, at {line}"))
}

fn step((rank, step): (usize, usize)) -> String {
    format!("rank {rank}, step {step}")
}

/// Another wait of a deadlock whose first stands in `line`.
pub fn wait(wait: &str, line: &str) -> Message {
    Message::new(format!("{wait}, in the deadlock at {line}"))
}
