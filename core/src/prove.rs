//! The proof: the verifier run by rustc over reflected session types.
//!
//! Const evaluation has no heap, so every stage picks the smallest of a few fixed sizes that holds its arrays.

use crate::code::{CodeItem, Coder, Families, MAX_FAMILIES, Op};
use crate::dtype::Payload;
use crate::message;
use crate::model::{Channel, Model};
use crate::node::{Comms, Domains, MAX_LOOPS, Node, Ranks, Uses};
use crate::tape::{Domain, Item, Role, Step, StepKind, Tape, Use};
use crate::text::{self, Text};
use crate::unroll::{Length, Unroller, length};
use crate::value::{Name, Value};
use crate::verify::findings::Findings;
use crate::verify::{Scope, judge, memory};
use crate::walk::{Move, Moves, accepts};

/// Ranks that a proof can hold.
pub const MAX_RANKS: usize = 4096;
/// Items and uses up to which rustc also proves dataflow and coverage: beyond that its evaluator, which takes tens of
/// microseconds for each, would be too slow, and the judgement of the macro and of the library stands alone.
pub const DATAFLOW_LIMIT: u64 = 12_000;
const MAX_DOMAINS: usize = 64;
/// Steps of a schedule, its items and its uses, turns of loops counted: what a driver can list at run time.
const MAX_LENGTH: u64 = 1 << 24;

/// A schedule as its session types say it is.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// The name for messages.
    pub name: &'static str,
    /// The model that is asked for.
    pub model: Model,
    /// The programs.
    pub ranks: &'static Ranks,
    /// The declared domains.
    pub domains: &'static Domains,
}

macro_rules! smallest {
    ($n:expr, $function:ident, $($argument:expr),*) => {{
        let n: u64 = $n;
        if n <= 1 << 4 { $function::<{ 1 << 4 }>($($argument),*) }
        else if n <= 1 << 6 { $function::<{ 1 << 6 }>($($argument),*) }
        else if n <= 1 << 8 { $function::<{ 1 << 8 }>($($argument),*) }
        else if n <= 1 << 10 { $function::<{ 1 << 10 }>($($argument),*) }
        else if n <= 1 << 12 { $function::<{ 1 << 12 }>($($argument),*) }
        else if n <= 1 << 14 { $function::<{ 1 << 14 }>($($argument),*) }
        else if n <= 1 << 16 { $function::<{ 1 << 16 }>($($argument),*) }
        else if n <= 1 << 18 { $function::<{ 1 << 18 }>($($argument),*) }
        else if n <= 1 << 20 { $function::<{ 1 << 20 }>($($argument),*) }
        else if n <= 1 << 22 { $function::<{ 1 << 22 }>($($argument),*) }
        else if n <= 1 << 24 { $function::<{ 1 << 24 }>($($argument),*) }
        else { panic!("the schedule is too long to be proven at compile time: verify its plan at run time") }
    }};
}

/// Proves a schedule.
///
/// # Panics
/// When it is unsafe, with the first fault as text; in const evaluation that is the compile error.
#[track_caller]
pub const fn prove(subject: &Subject) {
    smallest!(ops_in_ranks(subject.ranks), coded, subject)
}

/// Session types to code.
#[track_caller]
const fn coded<const N: usize>(subject: &Subject) {
    let mut ops = [Op::End; N];
    let mut starts = [0; MAX_RANKS + 1];
    let mut families = Families::new();
    let mut coder = Coder { ops: &mut ops, len: 0, families: &mut families, rank: 0 };
    let ranks = code_ranks(subject.ranks, 0, &mut coder, &mut starts);
    let len = coder.len;
    starts[ranks] = len as u32;

    let mut domains = [Domain { family: 0, arity: 0, from: [0; 4], to: [0; 4] }; MAX_DOMAINS];
    let (mut list, mut n) = (subject.domains, 0);
    while let Domains::Cons(name, domain, rest) = list {
        assert!(n < MAX_DOMAINS, "a schedule declares at most 64 domains");
        let family = families.number(name, domain.arity as usize);
        once(&domains, n, family, name);
        domains[n] = Domain { family, ..*domain };
        n += 1;
        list = rest;
    }
    let code = Code {
        ops: ops.split_at(len).0,
        starts: starts.split_at(ranks + 1).0,
        families: &families,
        domains: domains.split_at(n).0,
    };
    let Length { steps, items, uses } = length(code.ops);
    let most = if items > steps { items } else { steps };
    let most = if uses > most { uses } else { most };
    assert!(
        most <= MAX_LENGTH,
        "a schedule has at most 2^24 steps, items and uses, turns of loops counted: take fewer turns, and run it several times"
    );
    let accepted = walks::<N>(code.ops, code.starts);
    let flows = items + uses <= DATAFLOW_LIMIT;
    let scope = match (accepted, flows) {
        (true, false) => return families.alike(),
        (true, true) => Scope::VALUES,
        (false, true) => Scope::ALL,
        (false, false) => Scope::COMMUNICATION,
    };
    smallest!(most, unrolled, subject, &code, scope);
    families.alike();
}

/// Stops where a compute step is declared over two domains.
#[track_caller]
const fn once(domains: &[Domain; MAX_DOMAINS], n: usize, family: u32, name: &str) {
    let mut d = 0;
    while d < n {
        if domains[d].family == family {
            let mut t = Text::new();
            t.str("compute step `");
            t.str(name);
            t.str("` is declared over two domains: keep one `Covers`");
            text::stop(&t);
        }
        d += 1;
    }
}

/// Does the quick way accept the schedule? It has at most `N` operations.
const fn walks<const N: usize>(ops: &[Op], starts: &[u32]) -> bool {
    let mut starts_of = [0; MAX_RANKS + 1];
    let mut programs = Moves {
        starts: starts_of.split_at_mut(starts.len()).0,
        moves: &mut [Move::End; N],
        items: &mut [CodeItem::NONE; N],
    };
    programs.write(ops, starts) && smallest!(starts.len() as u64 - 1, accepts, &programs)
}

struct Code<'a> {
    ops: &'a [Op],
    starts: &'a [u32],
    families: &'a Families,
    domains: &'a [Domain],
}

/// Code to tape.
#[track_caller]
const fn unrolled<const N: usize>(subject: &Subject, code: &Code<'_>, scope: Scope) {
    let blocking = matches!(subject.model.channel(), Channel::Blocking);
    let mut steps = [Step { rank: 0, number: 0, first: 0, len: 0, kind: StepKind::Compute }; N];
    let mut items = [Item { value: Value::ANY, payload: Payload::UNKNOWN, step: 0, peer: 0, send: false }; N];
    let mut uses = [Use { role: Role::Name, value: Value::ANY }; N];
    let mut starts = [0; MAX_RANKS + 1];
    let mut out = Unroller {
        steps: &mut steps,
        items: &mut items,
        uses: &mut uses,
        steps_len: 0,
        items_len: 0,
        uses_len: 0,
        computes: scope.dataflow || !blocking,
    };
    let ranks = code.starts.len() - 1;
    let mut r = 0;
    while r < ranks {
        starts[r] = out.steps_len as u32;
        let (before, _) = code.ops.split_at(code.starts[r + 1] as usize);
        out.rank(before.split_at(code.starts[r] as usize).1, r as u32);
        r += 1;
    }
    starts[r] = out.steps_len as u32;
    let (steps_len, items_len, uses_len) = (out.steps_len, out.items_len, out.uses_len);
    let names: &[Name<'static>; MAX_FAMILIES] = &code.families.names;
    let tape = Tape {
        starts: starts.split_at(ranks + 1).0,
        steps: steps.split_at(steps_len).0,
        items: items.split_at(items_len).0,
        uses: uses.split_at(uses_len).0,
        domains: code.domains,
        names: names.split_at(code.families.len).0,
    };
    smallest!(memory(&tape, subject.model, scope) as u64, judged, subject, &tape, scope)
}

/// Tape to verdict.
#[track_caller]
const fn judged<const WORDS: usize>(subject: &Subject, tape: &Tape<'_>, scope: Scope) {
    let mut words = [0; WORDS];
    let found = judge(tape, subject.model, scope, &mut words);
    if found.len > 0 {
        let next = words.split_at(tape.items.len()).1;
        text::stop(&report(subject, tape, next, &found));
    }
}

/// The most helpful fault in words: the first of the kind that comes first.
const fn report(subject: &Subject, tape: &Tape<'_>, next: &[u32], found: &Findings) -> Text {
    let mut best = 0;
    let mut i = 1;
    while i < found.len {
        if (found.list[i].detail.kind() as u8) < found.list[best].detail.kind() as u8 {
            best = i;
        }
        i += 1;
    }
    let fault = &found.list[best];
    let mut t = Text::new();
    t.str("schedule `");
    t.str(subject.name);
    t.str("` is unsafe under ");
    t.str(subject.model.channel().name());
    t.str("+");
    t.str(subject.model.batch().name());
    t.str("\n");
    t.str(fault.detail.kind().name());
    t.str(": ");
    message::describe(tape, found, fault, &mut t);
    let mut help = Text::new();
    message::mend(tape, next, found, fault, &mut help);
    if !help.is_empty() {
        t.str("\nhelp: ");
        t.str(help.as_str());
    }
    let more = found.len - 1 + found.lost;
    if more > 0 {
        t.str("\nand ");
        t.num(more as u64);
        t.str(if more == 1 { " fault more" } else { " faults more" });
    }
    t
}

/// Codes the ranks of a list; `r` is the number of the first. Returns the number after the last.
#[track_caller]
const fn code_ranks(ranks: &'static Ranks, r: usize, coder: &mut Coder<'_>, starts: &mut [u32]) -> usize {
    let (mut list, mut r) = (ranks, r);
    loop {
        match list {
            Ranks::Nil => return r,
            Ranks::Cons(number, program, rest) => {
                assert!(r < MAX_RANKS, "a proof holds at most 4096 ranks");
                if *number as usize != r {
                    let mut t = Text::new();
                    t.str("the program of rank ");
                    t.num(*number as u64);
                    t.str(" stands where that of rank ");
                    t.num(r as u64);
                    t.str(" belongs: list the ranks in order, from 0");
                    text::stop(&t);
                }
                starts[r] = coder.len as u32;
                coder.rank = r;
                coder.program(program, [0; MAX_LOOPS], 0);
                r += 1;
                list = rest;
            }
            Ranks::Group(some, rest) => {
                r = code_ranks(some, r, coder, starts);
                list = rest;
            }
        }
    }
}

const fn ops_in_ranks(ranks: &'static Ranks) -> u64 {
    let (mut list, mut n) = (ranks, 0);
    loop {
        match list {
            Ranks::Nil => return n,
            Ranks::Cons(_, program, rest) => {
                n += ops_in(program);
                list = rest;
            }
            Ranks::Group(some, rest) => {
                n += ops_in_ranks(some);
                list = rest;
            }
        }
    }
}

/// The operations that a program becomes.
const fn ops_in(program: &'static Node) -> u64 {
    let (mut node, mut n) = (program, 0);
    loop {
        match node {
            Node::End => return n,
            Node::Single(_, next) => {
                n += 1;
                node = next;
            }
            Node::Batch(items, next) => {
                n += 1;
                let mut list = *items;
                while let Comms::Cons(_, rest) = list {
                    n += 1;
                    list = rest;
                }
                node = next;
            }
            Node::Compute(_, uses, next) => {
                n += 1;
                let mut list = *uses;
                loop {
                    match list {
                        Uses::Nil => break,
                        Uses::Absent(rest) => list = rest,
                        Uses::Cons(_, _, _, rest) => {
                            n += 1;
                            list = rest;
                        }
                    }
                }
                node = next;
            }
            Node::Repeat(_, body, next) => {
                n += 2 + ops_in(body);
                node = next;
            }
            Node::Block(body, next) => {
                n += ops_in(body);
                node = next;
            }
        }
    }
}
