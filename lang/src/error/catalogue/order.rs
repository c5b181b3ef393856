//! What is said of requirements, costs, communication that is inserted, and orders.

use super::shape::words;
use crate::error::Message;
use counterpart_core::comms::Rule;

pub fn require(found: &str) -> Message {
    Message::new(format!("expected `,` and a text, found {found}")).help(
        "say what is wrong where it does not hold: `require M >= P, \"fewer micro-batches than ranks\";`",
    )
}

pub fn cost(name: &str, found: &str) -> Message {
    Message::new(format!("expected `=` and how long `{name}` takes, found {found}"))
        .help(format!("`cost {name} = 2;`"))
}

pub fn comms(found: &str) -> Message {
    let rules = words(Rule::ALL.map(Rule::name));
    Message::new(format!("expected a rule by which communication is inserted, found {found}"))
        .help(format!("`comms auto;` takes the fastest of {rules}; each of them may be asked for, too"))
}

pub fn order(found: &str) -> Message {
    Message::new(format!("expected `search`, found {found}"))
        .help("`order search;` looks for an order; otherwise each `rank` says its own")
}

pub fn empty_overlap() -> Message {
    Message::new("nothing overlaps here").help("`overlap { forward(r, m); backward(r, k); }`")
}

pub fn compute_expected(found: &str) -> Message {
    Message::new(format!("expected a compute step, found {found}"))
        .help("a compute step with its indices, such as `forward(r, m);`")
}

pub fn communication_in_auto() -> Message {
    Message::new("this schedule has its communication inserted")
        .help("leave sends, receives and batches out, or leave out `comms`")
}

pub fn rank_and_search() -> Message {
    Message::new("this schedule has its order searched for")
        .help("leave out the programs, or `order search;`")
}

pub fn search_without(compute: &str, what: &str) -> Message {
    Message::new(format!("`order search;` needs {what} of `{compute}`")).help(format!(
        "`compute {compute}(s in 0..P, m in 0..M) on s {{ … }}` says how often it runs, and where"
    ))
}

pub fn search_without_comms() -> Message {
    Message::new("an order that is searched for has no communication yet").help("add `comms auto;`")
}
