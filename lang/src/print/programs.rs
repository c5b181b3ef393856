//! The steps of each rank as statements.

use counterpart_core::tape::{NONE, StepKind};
use counterpart_core::{Plan, Value, plan};

use super::computes::Computes;
use super::linear::Linear;
use super::merge::{self, Program};
use super::messages::Messages;
use super::names::Names;
use super::parts::Parts;
use crate::reroll::{Affine, Comm, Label, MAX_LOOPS, Node, Op, flat, fold};

/// A piece of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// Words.
    Text(&'static str),
    /// A name of a message or compute step, or a variable.
    Name(String),
    /// A number.
    Number(Linear),
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How many blocks it stands in.
    pub depth: usize,
    /// A statement; the items of a batch, which fit on one line or do not; or where a block begins or ends.
    pub parts: Vec<Vec<Token>>,
    /// Are the parts items of a batch?
    pub batch: bool,
}

/// All programs, ranks that only differ in numbers together.
pub struct Programs {
    /// In order of ranks.
    pub list: Vec<Program>,
    /// Batches of nothing, which were left out.
    pub empty_batches: usize,
}

/// Makes statements of the steps of every rank.
pub fn collect(
    plan: &Plan,
    messages: &Messages,
    computes: &Computes,
    parts: &Parts,
    names: &mut Names,
) -> Programs {
    let (plain, empty_batches) = plain(plan, messages, computes, parts);
    let rank = names.variable("r", &[]);
    let families = families(messages, computes, parts);
    let programs = (0..plain.ranks()).map(|rank_number| {
        let nodes = fold(flat(&plain, rank_number, |_| 0).into_iter().map(Node::Op).collect());
        let nodes = open_pairs(nodes);
        let mut writer =
            Writer { families: &families, names, rank: &rank, loops: Vec::new(), lines: Vec::new() };
        writer.nodes(&nodes);
        writer.lines
    });
    Programs { list: merge::ranks(programs.collect(), &rank), empty_batches }
}

/// What a family is called, and its indices.
type Named = (String, Vec<String>);

fn families(messages: &Messages, computes: &Computes, parts: &Parts) -> Vec<Named> {
    let messages = messages.list.iter().map(|message| (message.name.clone(), message.indices.clone()));
    let computes = parts.list.iter().map(|part| {
        let group = &computes.groups[part.group];
        (part.name.clone(), group.indices.clone())
    });
    messages.chain(computes).collect()
}

/// The plan in families of the printed schedule, without what compute steps use. Family `k + 1` is the `k`-th.
fn plain(plan: &Plan, messages: &Messages, computes: &Computes, parts: &Parts) -> (Plan, usize) {
    let mut plain = Plan::new("");
    let named = families(messages, computes, parts);
    let numbers: Vec<u32> = named.iter().map(|(name, indices)| plain.family(name, indices.len())).collect();
    let mut empty = 0;
    for rank in 0..plan.ranks() {
        plain.begin_rank();
        let mut occurrence = computes.starts[rank];
        for step in plan.steps(rank) {
            let comm = |item: &counterpart_core::tape::Item| {
                let family = numbers[messages.of_item(item) as usize];
                let value = Value(item.value.0 & ((1 << 96) - 1) | u128::from(family) << 96);
                match item.send {
                    true => plan::Comm::send(value, item.peer),
                    false => plan::Comm::recv(value, item.peer),
                }
            };
            match step.kind {
                StepKind::Compute => {
                    let part = parts.of[occurrence];
                    let arity = named[messages.list.len() + part].1.len();
                    let index = &computes.occurrences[occurrence].index[..arity];
                    plain.compute(Value::new(numbers[messages.list.len() + part], index), &[], NONE);
                    occurrence += 1;
                }
                StepKind::Single => plain.single(comm(&plan.items(step)[0])),
                StepKind::Batch if step.len == 0 => empty += 1,
                StepKind::Batch => {
                    plain.batch(&plan.items(step).iter().map(comm).collect::<Vec<_>>(), NONE);
                }
            }
        }
    }
    (plain, empty)
}

/// Writes loops of two turns out where their indices move at different speeds: a person would not see a loop there.
fn open_pairs(nodes: Vec<Node>) -> Vec<Node> {
    let mut out = Vec::new();
    for node in nodes {
        match node {
            Node::Repeat { count, body } => {
                let body = open_pairs(body);
                let mut speeds = Vec::new();
                each_index(&mut body.clone(), 0, &mut |inner, index| speeds.push(index.strides[inner]));
                speeds.retain(|&speed| speed != 0);
                speeds.dedup();
                if count > 2 || speeds.len() < 2 {
                    out.push(Node::Repeat { count, body });
                    continue;
                }
                for turn in 0..count as i64 {
                    let mut body = body.clone();
                    each_index(&mut body, 0, &mut |inner, index| {
                        index.base += turn * index.strides[inner];
                        index.strides[inner..].rotate_left(1);
                        index.strides[MAX_LOOPS - 1] = 0;
                    });
                    out.extend(body);
                }
            }
            Node::Block(body) => out.push(Node::Block(open_pairs(body))),
            Node::Op(op) => out.push(Node::Op(op)),
        }
    }
    out
}

/// Calls `f` with every index and the number of loops inside of `nodes` around it.
fn each_index(nodes: &mut [Node], inner: usize, f: &mut impl FnMut(usize, &mut Affine)) {
    for node in nodes {
        match node {
            Node::Block(body) => each_index(body, inner, f),
            Node::Repeat { body, .. } => each_index(body, inner + 1, f),
            Node::Op(op) => {
                op.for_each_label(|label| label.indices.iter_mut().for_each(|index| f(inner, index)));
            }
        }
    }
}

/// A loop around the present statement: its counter is `sign · (variable - origin)`.
struct Loop {
    variable: String,
    sign: i64,
    origin: i64,
}

struct Writer<'a> {
    families: &'a [Named],
    names: &'a Names,
    rank: &'a str,
    /// The outermost first.
    loops: Vec<Loop>,
    lines: Vec<Line>,
}

impl Writer<'_> {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Op(Op::Single(comm)) => {
                    let tokens = self.comm(comm);
                    self.line(vec![tokens], false);
                }
                Node::Op(Op::Batch(comms)) => {
                    let items = comms.iter().map(|comm| self.comm(comm)).collect();
                    self.line(items, true);
                }
                Node::Op(Op::Compute { name, .. }) => {
                    let tokens = self.label(name, ["(", ")"]);
                    let tokens = tokens.into_iter().chain([Token::Text(";")]).collect();
                    self.line(vec![tokens], false);
                }
                Node::Block(body) => self.nodes(body),
                Node::Repeat { count, body } => self.repeat(*count as i64, body),
            }
        }
    }

    fn line(&mut self, parts: Vec<Vec<Token>>, batch: bool) {
        self.lines.push(Line { depth: self.loops.len(), parts, batch });
    }

    fn comm(&self, comm: &Comm) -> Vec<Token> {
        let (word, toward) = if comm.send { ("send ", " to ") } else { ("recv ", " from ") };
        let mut tokens = vec![Token::Text(word)];
        tokens.extend(self.label(&comm.value, ["[", "]"]));
        tokens.push(Token::Text(toward));
        tokens.push(Token::Number(Linear::number(comm.peer.into())));
        tokens.push(Token::Text(";"));
        tokens
    }

    fn label(&self, label: &Label, [open, close]: [&'static str; 2]) -> Vec<Token> {
        let mut tokens = vec![Token::Name(self.families[label.family as usize - 1].0.clone())];
        let brackets = open == "(" || !label.indices.is_empty();
        tokens.extend(brackets.then_some(Token::Text(open)));
        for (j, index) in label.indices.iter().enumerate() {
            tokens.extend((j > 0).then_some(Token::Text(", ")));
            tokens.push(Token::Number(self.index(index)));
        }
        tokens.extend(brackets.then_some(Token::Text(close)));
        tokens
    }

    fn index(&self, index: &Affine) -> Linear {
        let mut linear = Linear::number(index.base);
        for (depth, one) in self.loops.iter().enumerate() {
            let factor = index.strides[self.loops.len() - 1 - depth] * one.sign;
            linear.constant -= factor * one.origin;
            linear = linear.plus(factor, &one.variable);
        }
        linear
    }

    fn repeat(&mut self, count: i64, body: &[Node]) {
        let mut best: Option<Choice> = None;
        candidates(body, 0, &mut |choice| {
            if best.as_ref().is_none_or(|best| choice.score > best.score) {
                best = Some(choice);
            }
        });
        let (sign, origin, wanted) = match &best {
            Some(best) => {
                let indices = &self.families[best.family as usize - 1].1;
                (best.sign, best.base, indices[best.place].as_str())
            }
            None => (1, 0, "k"),
        };
        let mut taken: Vec<String> = self.loops.iter().map(|one| one.variable.clone()).collect();
        taken.push(self.rank.to_owned());
        let variable = self.names.variable(wanted, &taken);
        let (from, to) = if sign > 0 { (origin, origin + count) } else { (origin + 1 - count, origin + 1) };
        let number = |n: i64| Token::Number(Linear::number(n));
        let [open, close] = if sign > 0 { [" in ", " {"] } else { [" in (", ").rev() {"] };
        let head = [Token::Text("for "), Token::Name(variable.clone()), Token::Text(open), number(from)];
        let tail = [Token::Text(".."), number(to), Token::Text(close)];
        self.line(vec![head.into_iter().chain(tail).collect()], false);
        self.loops.push(Loop { variable, sign, origin });
        self.nodes(body);
        self.loops.pop();
        self.line(vec![vec![Token::Text("}")]], false);
    }
}

/// An index that a loop may count.
struct Choice {
    /// The better, the larger.
    score: u32,
    family: u32,
    place: usize,
    sign: i64,
    base: i64,
}

/// Calls `found` with every index that moves by one per turn of the loop around `body`; `inner` is how many loops stand
/// in between.
fn candidates(body: &[Node], inner: usize, found: &mut impl FnMut(Choice)) {
    for node in body {
        match node {
            Node::Block(body) => candidates(body, inner, found),
            Node::Repeat { body, .. } => candidates(body, inner + 1, found),
            Node::Op(op) => {
                let is_compute = matches!(op, Op::Compute { .. });
                op.clone().for_each_label(|label| {
                    for (place, index) in label.indices.iter().enumerate() {
                        let sign = index.strides[inner];
                        let still = |strides: &[i64]| strides.iter().all(|&stride| stride == 0);
                        if sign.abs() == 1 && still(&index.strides[..inner]) {
                            let alone = still(&index.strides[inner + 1..]);
                            let score =
                                u32::from(alone) * 4 + u32::from(is_compute) * 2 + u32::from(sign > 0);
                            found(Choice { score, family: label.family, place, sign, base: index.base });
                        }
                    }
                });
            }
        }
    }
}
