//! What the parser says.

use super::suggestion;
use crate::error::Message;
use counterpart_core::{BatchRule, Channel, DType};
use proc_macro2::Delimiter;

const TEMPLATE: &str = "a schedule has this shape
    schedule! {
        pub schedule Name(P, M);
        message Act[s, m]: [f32; 32, 64];
        compute forward(s in 0..P, m in 0..M) {
            reads  Act[s, m]     if s > 0;
            writes Act[s + 1, m] if s + 1 < P;
        }
        rank r in 0..P {
            for m in 0..M {
                recv Act[r, m] from r - 1 if r > 0;
                forward(r, m);
                send Act[r + 1, m] to r + 1 if r + 1 < P;
            }
        }
        instance Name<4, 8>;
    }";

/// A list of words in back-ticks, separated by commas.
pub(super) fn words<'a>(list: impl IntoIterator<Item = &'a str>) -> String {
    list.into_iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// `help`, with a suggestion in front of it where there is one.
pub(super) fn or_suggest(word: Option<&str>, candidates: &[&str], help: impl Into<String>) -> String {
    match word.and_then(|word| suggestion(word, candidates.iter().copied())) {
        Some(near) => format!("did you mean `{near}`? {}", help.into()),
        None => help.into(),
    }
}

pub fn header_expected(found: &str) -> Message {
    Message::new(format!("expected `schedule` and a name, found {found}")).help(TEMPLATE)
}

pub fn second_header() -> Message {
    Message::new("a second header").help("give every schedule a `schedule! { … }` of its own")
}

pub fn braces_around_items() -> Message {
    Message::new("the items of a schedule stand in no braces of their own")
        .help("end the header with `;`, and take these braces away")
}

pub fn no_rank(schedule: &str) -> Message {
    Message::new(format!("`{schedule}` has no rank")).help("say what the ranks do: `rank r in 0..P { … }`")
}

pub fn too_deep(limit: usize) -> Message {
    Message::new(format!("brackets are nested more than {limit} deep"))
        .help("take parts out with `let` and helper functions")
}

pub fn visibility_on_item() -> Message {
    Message::new("only the header has a visibility")
        .help("everything that a schedule defines is as visible as the schedule")
}

pub fn attribute() -> Message {
    Message::new("only doc comments may stand here")
        .help("an attribute for the whole schedule stands before its header")
}

pub fn conditional() -> Message {
    Message::new("a condition on the header leaves out one half of the schedule")
        .help("put it before `counterpart::schedule!`")
}

pub fn unknown_item(word: Option<&str>, items: &[&str], found: &str) -> Message {
    let help = format!("a schedule consists of {}", words(items.iter().copied()));
    Message::new(format!("expected an item, found {found}")).help(or_suggest(word, items, help))
}

pub fn statement_outside(word: &str) -> Message {
    Message::new(format!("`{word}` stands outside of a rank's program"))
        .help("put it into `rank r in 0..P { … }`")
}

pub fn item_inside(word: &str) -> Message {
    let help = match word {
        "compute" => {
            "a program runs a compute step without that word, `F(m);`; what it reads and writes is declared outside of `rank … { … }`"
        }
        _ => "put it outside of `rank … { … }`",
    };
    Message::new(format!("`{word}` stands inside of a rank's program")).help(help)
}

pub fn unknown_statement(word: Option<&str>, statements: &[&str], found: &str) -> Message {
    let help =
        format!("a program consists of {}, assignments and compute steps", words(statements.iter().copied()));
    let near = match word {
        Some(word) if suggestion(word, ["receive"]).is_some() => Some("recv"),
        word => word,
    };
    Message::new(format!("expected a statement, found {found}")).help(or_suggest(near, statements, help))
}

pub fn unknown_use(word: Option<&str>, uses: &[&str], found: &str) -> Message {
    let help = "what it computes stands in your code, here only what it needs and makes";
    Message::new(format!("expected one of {}, found {found}", words(uses.iter().copied())))
        .help(or_suggest(word, uses, help))
}

pub fn no_jumps(word: &str) -> Message {
    Message::new(format!("there is no `{word}` in a schedule"))
        .help("decide with `if`, or loop with `while` over a condition")
}

pub fn inside_batch(what: &str) -> Message {
    let message = Message::new(format!("{what} can't stand inside of a batch"));
    match what {
        "`batch`" => {
            message.help("the sends and receives of one batch already run together; list all of them here")
        }
        "a compute step" => message.help("put it before or after the batch"),
        _ => message.help("a batch holds `send`, `recv`, `for`, `if` and `let`"),
    }
}

pub fn missing_semicolon(what: &str, found: &str) -> Message {
    Message::new(format!("missing `;` after {what}, found {found}")).help("end it with `;`")
}

pub fn missing_comma(found: &str) -> Message {
    Message::new(format!("expected `,`, found {found}")).help("separate the parts of a list with `,`")
}

pub fn name_expected(what: &str, found: &str) -> Message {
    Message::new(format!("expected the name of {what}, found {found}"))
        .help("a name is a word such as `warmup` that is no keyword of Rust")
}

pub fn group_expected(what: &str, delimiter: Delimiter, found: &str) -> Message {
    let (open, pair) = match delimiter {
        Delimiter::Parenthesis => ("(", "( … )"),
        Delimiter::Bracket => ("[", "[ … ]"),
        _ => ("{", "{ … }"),
    };
    Message::new(format!("expected `{open}`, found {found}")).help(format!("put {what} into `{pair}`"))
}

pub fn wrong_direction(send: bool) -> Message {
    let (wrong, right) = if send { ("a `send` with `from`", "to") } else { ("a `recv` with `to`", "from") };
    Message::new(wrong).help(format!("`send` goes `to` a rank, `recv` comes `from` one; write `{right}`"))
}

pub fn no_direction(send: bool, found: &str) -> Message {
    let (word, sample) =
        if send { ("to", "send Act[r + 1, m] to r + 1;") } else { ("from", "recv Act[r, m] from r - 1;") };
    Message::new(format!("expected `{word}` and a rank, found {found}")).help(format!("write `{sample}`"))
}

pub fn value_expected(what: &str, found: &str) -> Message {
    let sample = if what == "after" { "after forward[s, m];" } else { "Act[s, m]" };
    Message::new(format!("expected a name after `{what}`, found {found}"))
        .help(format!("name it with its indices, such as `{sample}`"))
}

pub fn indices_in_brackets(name: &str) -> Message {
    Message::new(format!("the indices of `{name}` stand in parentheses"))
        .help(format!("write `{name}[…]`; only the call of a compute step has parentheses"))
}

pub fn message_type(found: &str) -> Message {
    Message::new(format!("expected the type of the message, found {found}"))
        .help("write the element type and the shape: `message Act[s, m]: [f32; 32, 64];`")
}

pub fn unknown_dtype(found: &str) -> Message {
    Message::new(format!("expected an element type, found {found}"))
        .help(format!("one of {}", words(DType::ALL.iter().map(|d| d.name()))))
}

pub fn too_many_indices(limit: usize) -> Message {
    Message::new(format!("more than {limit} indices"))
        .help("combine two of them into one, such as `chunk * M + m`")
}

pub fn too_many_uses(limit: usize) -> Message {
    Message::new(format!("more than {limit} uses in one compute step")).help("split the compute step")
}

pub fn partial_domain(name: &str) -> Message {
    Message::new(format!("`{name}` has no range although another index has one"))
        .help("give every index a range, then coverage is judged, or give none of them one")
}

pub fn memory(expected: &str, found: &str) -> Message {
    Message::new(format!("expected {expected}, found {found}"))
        .help("write `memory r <= min(M, P - r) Act;`: the rank, the bound, the message")
}

pub fn unknown_channel(found: &str) -> Message {
    let known = words(["portable"].into_iter().chain(Channel::ALL.iter().map(|c| c.name())));
    Message::new(format!("expected a channel, found {found}")).help(format!("one of {known}"))
}

pub fn unknown_rule(found: &str) -> Message {
    let known = words(BatchRule::ALL.iter().map(|rule| rule.name()));
    Message::new(format!("expected a batch rule, found {found}")).help(format!("one of {known}"))
}

pub fn second_model() -> Message {
    Message::new("a second `model`").help("a schedule asks for one model, the weakest that it needs")
}

pub fn eager_gang() -> Message {
    Message::new("there is no `eager` channel with `gang` batches").help("write `model eager + item;`")
}

pub fn size(found: &str) -> Message {
    Message::new(format!("expected a size, found {found}"))
        .help("an instance gives every parameter a whole number: `instance OneF1B<4, 8>;`")
}

pub fn sizes_in_angles(schedule: &str) -> Message {
    Message::new("the sizes of an instance stand in parentheses")
        .help(format!("write `instance {schedule}<…>;`"))
}

pub fn no_type(what: &str) -> Message {
    Message::new(format!("{what} has no type in a schedule"))
        .help("every parameter is an integer, and a variable is what its value is; leave out the type")
}

pub fn return_type(found: &str) -> Message {
    Message::new(format!("expected `bool`, found {found}"))
        .help("a helper function returns an integer, or with `-> bool` a condition")
}

pub fn no_value(name: &str, found: &str) -> Message {
    Message::new(format!("expected `=`, found {found}"))
        .help(format!("every `let` gives a value: `let {name} = 0;`"))
}

pub fn mutable_constant(name: &str) -> Message {
    Message::new(format!("`{name}` can't be `mut` outside of a rank's program"))
        .help("leave out `mut`, or move the `let` into the program of the rank")
}

pub fn for_shape(found: &str) -> Message {
    Message::new(format!("expected `in`, found {found}")).help("write `for m in 0..M { … }`")
}

pub fn open_range() -> Message {
    Message::new("a range without an end").help("give both ends: `0..M`")
}

pub fn not_a_range(found: &str) -> Message {
    Message::new(format!("expected a range, found `{found}`")).help("write `0..M`, `1..=M` or `(0..M).rev()`")
}

pub fn expression(syn: &str) -> Message {
    Message::new(syn.to_lowercase()).help(match syn.contains("chained") {
        true => "write `0 <= r && r < P`",
        false => "an expression is an integer or a condition, such as `min(M, P - 1 - r)`",
    })
}

pub fn expression_too_deep(limit: usize) -> Message {
    Message::new(format!("an expression is nested more than {limit} deep")).help("take parts out with `let`")
}

pub fn unsupported(what: &str) -> Message {
    Message::new(format!("{what} can't stand in an expression of a schedule")).help(
        "an expression consists of integers, names, `+ - * / %`, comparisons, `&& || !`, \
         `if c { a } else { b }`, `min`, `max`, `abs` and helper functions",
    )
}

pub fn unsupported_operator() -> Message {
    Message::new("this operator does not exist in a schedule")
        .help("there are `+ - * / %`, `== != < <= > >=`, `&& ||` and the prefixes `-` and `!`")
}

pub fn no_else() -> Message {
    Message::new("an `if` without `else` has no value").help("write `if c { a } else { b }`")
}

pub fn no_final_expression() -> Message {
    Message::new("a block without a value")
        .help("end it with an expression and no `;`, such as `{ let w = P - 1; w - r }`")
}

pub fn only_lets() -> Message {
    Message::new("only `let x = …;` may stand before the value of a block")
        .help("loops, sends and receives stand in the program of a rank")
}

pub fn suffix(suffix: &str, digits: &str) -> Message {
    Message::new(format!("an integer with the suffix `{suffix}`"))
        .help(format!("every integer of a schedule has 64 bits; write `{digits}`"))
}

pub fn literal_too_large() -> Message {
    Message::new("an integer that does not fit into 64 bits").help(format!("the largest is {}", i64::MAX))
}

pub fn not_an_integer(found: &str) -> Message {
    Message::new(format!("expected an integer, found `{found}`"))
        .help("schedules count ranks, stages and micro-batches; there are no other numbers and no texts")
}

pub fn default_in_front(param: &str) -> Message {
    Message::new(format!("`{param}` has no default, but one before it has"))
        .help("parameters with a default stand last")
}

pub fn twice(word: &str) -> Message {
    Message::new(format!("a second `{word}`")).help("a schedule has at most one")
}
