//! Reflected session types as flat code: the first half of unrolling.
//!
//! Every node becomes one operation. Families are numbered, and labels packed, once per node and not once per turn of
//! a loop. Index ranges are checked here, at both ends of every loop.

use crate::node::{Affine, Comm, Comms, Label, MAX_LOOPS, Node, Uses};
use crate::tape::Role;
use crate::text::Text;
use crate::value::{INDEX_LIMIT, MAX_ARITY, Name, Value};
use crate::{Payload, message, text};

/// Families of messages and compute steps together.
pub(crate) const MAX_FAMILIES: usize = 256;
/// Blocks and loops that may enclose a step.
pub(crate) const MAX_DEPTH: usize = 24;

/// One operation.
#[derive(Clone, Copy)]
pub(crate) enum Op {
    /// One send or receive.
    Single(CodeItem),
    /// A batch of so many items; they follow as [`Op::Item`].
    Batch(u32),
    /// An item of a batch.
    Item(CodeItem),
    /// A compute step with so many uses; they follow as [`Op::Use`].
    Compute(CodeLabel, u32),
    /// A use of a compute step.
    Use(Role, CodeLabel),
    /// What follows up to its end, so many times.
    Repeat(u32),
    /// The end of the innermost repetition.
    End,
}

/// A label packed: `word + Σ stride · counter`, in wrapping arithmetic, is the packed value.
#[derive(Clone, Copy)]
pub(crate) struct CodeLabel {
    pub word: u128,
    pub strides: [u128; MAX_LOOPS],
    /// Counters that matter, the innermost first.
    pub loops: usize,
}

impl CodeLabel {
    const fn family(&self) -> usize {
        (self.word >> 96) as usize
    }
}

/// One send or receive.
#[derive(Clone, Copy)]
pub(crate) struct CodeItem {
    pub send: bool,
    pub peer: i32,
    pub payload: Payload,
    pub label: CodeLabel,
}

impl CodeItem {
    /// Stands where there is none yet.
    pub(crate) const NONE: CodeItem = CodeItem {
        send: false,
        peer: 0,
        payload: Payload::UNKNOWN,
        label: CodeLabel { word: 0, strides: [0; MAX_LOOPS], loops: 0 },
    };
}

/// Family names by number, as const evaluation can hold them.
pub(crate) struct Families {
    pub names: [Name<'static>; MAX_FAMILIES],
    pub len: usize,
    /// What the messages of each family are; unknown for compute steps.
    payloads: [Payload; MAX_FAMILIES],
    /// The first family of which two kinds of messages were seen, and the payload of the other kind; 0 for none.
    twice: (usize, Payload),
}

impl Families {
    pub(crate) const fn new() -> Families {
        Families {
            names: [Name { text: "_", arity: 0 }; MAX_FAMILIES],
            len: 1,
            payloads: [Payload::UNKNOWN; MAX_FAMILIES],
            twice: (0, Payload::UNKNOWN),
        }
    }

    /// Notes what the messages of a family are.
    const fn carries(&mut self, family: usize, payload: Payload) {
        let before = self.payloads[family];
        if !before.is_known() {
            self.payloads[family] = payload;
        } else if !before.agrees(payload) && self.twice.0 == 0 {
            self.twice = (family, payload);
        }
    }

    /// Stops where one name stands for two kinds of messages: they would share buffers.
    #[track_caller]
    pub(crate) const fn alike(&self) {
        let (family, other) = self.twice;
        if family == 0 {
            return;
        }
        let mut t = Text::new();
        t.str("two families of messages are called `");
        t.str(self.names[family].text);
        t.str("`: ");
        message::payload(self.payloads[family], &mut t);
        t.str(" and ");
        message::payload(other, &mut t);
        t.str("\nhelp: give one of them another name");
        text::stop(&t);
    }

    /// The number of a family, a new one where it is not known yet.
    #[track_caller]
    pub(crate) const fn number(&mut self, name: &'static str, arity: usize) -> u32 {
        let mut i = 1;
        while i < self.len {
            if self.names[i].arity == arity && same(self.names[i].text, name) {
                return i as u32;
            }
            i += 1;
        }
        assert!(self.len < MAX_FAMILIES, "a schedule has at most 255 kinds of messages and compute steps");
        self.names[self.len] = Name { text: name, arity };
        self.len += 1;
        i as u32
    }
}

/// Writes the operations of one program and returns where they end.
pub(crate) struct Coder<'a> {
    pub ops: &'a mut [Op],
    pub len: usize,
    pub families: &'a mut Families,
    /// The rank whose program is being written, for messages.
    pub rank: usize,
}

impl Coder<'_> {
    /// Writes a program. `counts` are those of the enclosing loops, the innermost first.
    #[track_caller]
    pub(crate) const fn program(&mut self, first: &'static Node, counts: [u32; MAX_LOOPS], depth: usize) {
        assert!(depth < MAX_DEPTH, "loops and blocks are nested at most 24 deep");
        let mut node = first;
        loop {
            match node {
                Node::End => return,
                Node::Single(comm, next) => {
                    let item = self.item(comm, &counts);
                    self.push(Op::Single(item));
                    node = next;
                }
                Node::Batch(comms, next) => {
                    self.batch(comms, &counts);
                    node = next;
                }
                Node::Compute(label, uses, next) => {
                    self.compute(label, uses, &counts);
                    node = next;
                }
                Node::Repeat(count, body, next) => {
                    if *count > 0 {
                        assert!(counts[MAX_LOOPS - 1] == 0, "loops are nested at most 4 deep");
                        self.push(Op::Repeat(*count));
                        self.program(body, [*count, counts[0], counts[1], counts[2]], depth + 1);
                        self.push(Op::End);
                    }
                    node = next;
                }
                Node::Block(body, next) => {
                    self.program(body, counts, depth + 1);
                    node = next;
                }
            }
        }
    }

    const fn push(&mut self, op: Op) {
        self.ops[self.len] = op;
        self.len += 1;
    }

    #[track_caller]
    const fn batch(&mut self, comms: &'static Comms, counts: &[u32; MAX_LOOPS]) {
        let head = self.len;
        self.push(Op::Batch(0));
        let mut list = comms;
        let mut n = 0;
        while let Comms::Cons(comm, rest) = list {
            let item = self.item(comm, counts);
            self.push(Op::Item(item));
            list = rest;
            n += 1;
        }
        self.ops[head] = Op::Batch(n);
    }

    #[track_caller]
    const fn compute(&mut self, label: &Label, uses: &'static Uses, counts: &[u32; MAX_LOOPS]) {
        let name = self.label(label, counts);
        let head = self.len;
        self.push(Op::Compute(name, 0));
        let mut list = uses;
        let mut n = 0;
        loop {
            match list {
                Uses::Nil => break,
                Uses::Absent(rest) => list = rest,
                Uses::Cons(role, label, payload, rest) => {
                    let label = self.label(label, counts);
                    self.families.carries(label.family(), *payload);
                    self.push(Op::Use(*role, label));
                    n += 1;
                    list = rest;
                }
            }
        }
        self.ops[head] = Op::Compute(name, n);
    }

    #[track_caller]
    const fn item(&mut self, comm: &Comm, counts: &[u32; MAX_LOOPS]) -> CodeItem {
        let peer = if comm.peer > i32::MAX as u32 { i32::MAX } else { comm.peer as i32 };
        let label = self.label(&comm.label, counts);
        self.families.carries(label.family(), comm.payload);
        CodeItem { send: comm.send, peer, payload: comm.payload, label }
    }

    #[track_caller]
    const fn label(&mut self, label: &Label, counts: &[u32; MAX_LOOPS]) -> CodeLabel {
        let arity = label.indices.len();
        assert!(arity <= MAX_ARITY, "a value has at most 4 indices");
        let mut word = (self.families.number(label.name, arity) as u128) << 96;
        let mut strides = [0u128; MAX_LOOPS];
        let mut loops = 0;
        let mut j = 0;
        while j < arity {
            let index = &label.indices[j];
            let shift = Value::shift(j);
            // Most indices are fixed, and quickly checked.
            if !matches!(index.strides, [0, 0, 0, 0]) {
                in_range(label, j, index, counts, self.rank);
                let mut k = 0;
                while k < MAX_LOOPS {
                    if index.strides[k] != 0 {
                        strides[k] = strides[k].wrapping_add((index.strides[k] as i128 as u128) << shift);
                        if k + 1 > loops {
                            loops = k + 1;
                        }
                    }
                    k += 1;
                }
            } else if index.base < 0 || index.base >= INDEX_LIMIT as i64 {
                in_range(label, j, index, counts, self.rank);
            }
            word += (index.base as u128) << shift;
            j += 1;
        }
        CodeLabel { word, strides, loops }
    }
}

/// An index is affine, so its smallest and its largest value lie at the ends of the loops.
#[track_caller]
const fn in_range(label: &Label, j: usize, index: &Affine, counts: &[u32; MAX_LOOPS], rank: usize) {
    let (mut low, mut high) = (index.base, index.base);
    let mut k = 0;
    while k < MAX_LOOPS {
        if counts[k] > 0 {
            let reach = index.strides[k].saturating_mul(counts[k] as i64 - 1);
            if reach < 0 {
                low = low.saturating_add(reach);
            } else {
                high = high.saturating_add(reach);
            }
        } else if index.strides[k] != 0 {
            let mut t = index_of(label, j, rank);
            t.str(" moves with a loop that is not around it\nhelp: put the step into a `Repeat`, or leave the stride out");
            text::stop(&t);
        }
        k += 1;
    }
    if low < 0 || high >= INDEX_LIMIT as i64 {
        let mut t = index_of(label, j, rank);
        t.str(" runs from ");
        t.int(low);
        t.str(" to ");
        t.int(high);
        t.str(", but an index is 0 or more and below 2^24");
        text::stop(&t);
    }
}

/// ``rank 3: index 0 of `Act` ``
const fn index_of(label: &Label, j: usize, rank: usize) -> Text {
    let mut t = Text::new();
    t.str("rank ");
    t.num(rank as u64);
    t.str(": index ");
    t.num(j as u64);
    t.str(" of `");
    t.str(label.name);
    t.str("`");
    t
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
