//! A program in words, for the documentation of what is inserted or searched for and so stands in no source.

use crate::reroll::{Affine, Comm, Label, Node, Op};
use counterpart_core::tape::Role;
use counterpart_core::value::Name;

/// Names of loop counters, the outermost first.
const COUNTERS: [&str; 4] = ["i", "j", "k", "l"];

/// The lines of a program, in the words of the language. Loop counters begin at 0.
pub fn lines(names: &[Name<'_>], nodes: &[Node]) -> Vec<String> {
    let mut listing = Listing { names, lines: Vec::new(), indent: 0 };
    listing.nodes(nodes, 0);
    listing.lines
}

struct Listing<'a> {
    names: &'a [Name<'a>],
    lines: Vec<String>,
    indent: usize,
}

impl Listing<'_> {
    fn line(&mut self, text: &str) {
        self.lines.push(format!("{:indent$}{text}", "", indent = 4 * self.indent));
    }

    /// Nodes inside of so many loops.
    fn nodes(&mut self, nodes: &[Node], loops: usize) {
        for node in nodes {
            match node {
                Node::Op(op) => self.op(op, loops),
                Node::Block(body) => self.nodes(body, loops),
                Node::Repeat { count, body } => {
                    self.line(&format!("for {} in 0..{count} {{", COUNTERS[loops]));
                    self.indent += 1;
                    self.nodes(body, loops + 1);
                    self.indent -= 1;
                    self.line("}");
                }
            }
        }
    }

    fn op(&mut self, op: &Op, loops: usize) {
        let text = match op {
            Op::Single(comm) => self.comm(comm, loops),
            Op::Batch(comms) => {
                let items: Vec<String> = comms.iter().map(|comm| self.comm(comm, loops)).collect();
                format!("batch {{ {} }}", items.join(" "))
            }
            Op::Compute { name, uses, .. } => {
                let more = uses.iter().filter(|(role, _)| *role == Role::Name).map(|(_, label)| label);
                let names: Vec<String> = [name]
                    .into_iter()
                    .chain(more)
                    .map(|label| self.label(label, loops, ["(", ")"]) + ";")
                    .collect();
                match &names[..] {
                    [only] => only.clone(),
                    _ => format!("overlap {{ {} }}", names.join(" ")),
                }
            }
        };
        self.line(&text);
    }

    fn comm(&self, comm: &Comm, loops: usize) -> String {
        let (word, toward) = if comm.send { ("send", "to") } else { ("recv", "from") };
        format!("{word} {} {toward} {};", self.label(&comm.value, loops, ["[", "]"]), comm.peer)
    }

    fn label(&self, label: &Label, loops: usize, [open, close]: [&str; 2]) -> String {
        let name = self.names[label.family as usize].text;
        let indices: Vec<String> = label.indices.iter().map(|index| affine(index, loops)).collect();
        match indices.is_empty() && open == "[" {
            true => name.to_owned(),
            false => format!("{name}{open}{}{close}", indices.join(", ")),
        }
    }
}

/// `3 + 2 * i - j`
fn affine(index: &Affine, loops: usize) -> String {
    let mut text = if index.base == 0 { String::new() } else { index.base.to_string() };
    for (counter, name) in COUNTERS.iter().enumerate().take(loops) {
        let stride = index.strides[loops - 1 - counter];
        if stride == 0 {
            continue;
        }
        text.push_str(match (text.is_empty(), stride < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        });
        if stride.abs() > 1 {
            text.push_str(&format!("{} * ", stride.abs()));
        }
        text.push_str(name);
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_read_as_one_writes_them() {
        let index =
            |base, strides: [i64; 2]| affine(&Affine { base, strides: [strides[0], strides[1], 0, 0] }, 2);
        assert_eq!(index(3, [0, 0]), "3");
        assert_eq!(index(0, [1, 0]), "j");
        assert_eq!(index(3, [1, 2]), "3 + 2 * i + j");
        assert_eq!(index(7, [-1, 0]), "7 - j");
        assert_eq!(index(0, [0, 4]), "4 * i");
    }
}
