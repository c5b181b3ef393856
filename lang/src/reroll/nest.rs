//! Long lists become lists of lists.
//!
//! rustc needs two levels of recursion for every element of a type-level list, and its default limit is 128. A list of
//! `n` nodes needs `2 n` levels; as blocks of blocks, `d` deep with `f` nodes each, it needs about `2 f d`.

use super::node::{Node, Op};

/// The most nodes that a list keeps.
pub const MAX_LIST: usize = 12;

/// Levels of recursion that a program should stay within: rustc's limit less what stands around a program.
const LEVELS: usize = 100;
/// What one element of a list needs.
const ELEMENT: usize = 2;

/// Splits lists of more than [`MAX_LIST`] nodes into blocks of nearly equal size, in loop bodies too, with as few
/// blocks inside each other as that takes. Where the [`depth`] of the program is above 100 then, shorter lists, which
/// make more blocks, are tried.
///
/// Afterwards no list has more than [`MAX_LIST`] nodes and no block less than two. The items of a batch stay one list,
/// so a batch of more than 50 is deeper than 100 levels whatever is done.
pub fn nest(nodes: Vec<Node>) -> Vec<Node> {
    let mut nodes = split_all(open_blocks(nodes), MAX_LIST);
    for limit in [7, 5, 4, 3] {
        if depth(&nodes) <= LEVELS {
            break;
        }
        nodes = split_all(open_blocks(nodes), limit);
    }
    nodes
}

/// The levels of recursion that the type of a program needs, along its worst path: two per element of every list from
/// the outermost to the innermost, batches being lists too.
pub fn depth(nodes: &[Node]) -> usize {
    let inside = |node: &Node| match node {
        Node::Op(Op::Batch(comms)) => ELEMENT * comms.len(),
        Node::Op(_) => 0,
        Node::Repeat { body, .. } | Node::Block(body) => depth(body),
    };
    nodes.iter().enumerate().map(|(i, node)| ELEMENT * (i + 1) + inside(node)).max().unwrap_or(0)
}

/// The number of steps and loops that a program is written with. Blocks don't count.
pub fn size(nodes: &[Node]) -> usize {
    let one = |node: &Node| match node {
        Node::Op(_) => 1,
        Node::Repeat { body, .. } => 1 + size(body),
        Node::Block(body) => size(body),
    };
    nodes.iter().map(one).sum()
}

fn open_blocks(nodes: Vec<Node>) -> Vec<Node> {
    let mut open = Vec::with_capacity(nodes.len());
    for node in nodes {
        match node {
            Node::Op(_) => open.push(node),
            Node::Repeat { count, body } => open.push(Node::Repeat { count, body: open_blocks(body) }),
            Node::Block(body) => open.extend(open_blocks(body)),
        }
    }
    open
}

/// Splits a list without blocks, and the bodies of its loops.
fn split_all(mut nodes: Vec<Node>, limit: usize) -> Vec<Node> {
    for node in &mut nodes {
        if let Node::Repeat { body, .. } = node {
            *body = split_all(core::mem::take(body), limit);
        }
    }
    let levels = (1..).find(|&d| limit.pow(d) >= nodes.len()).expect("a power of the limit is larger");
    let fanout = (1..=limit).find(|f| f.pow(levels) >= nodes.len()).expect("the limit is large enough");
    split(nodes, fanout, levels)
}

/// Makes at most `fanout` blocks of nearly equal size, each at most `levels - 1` blocks deep.
fn split(nodes: Vec<Node>, fanout: usize, levels: u32) -> Vec<Node> {
    if nodes.len() <= fanout {
        return nodes;
    }
    let parts = nodes.len().div_ceil(fanout.pow(levels - 1));
    let (size, larger) = (nodes.len() / parts, nodes.len() % parts);
    let mut left = nodes.into_iter();
    let mut part = |k: usize| {
        let part: Vec<Node> = left.by_ref().take(size + usize::from(k < larger)).collect();
        match <[Node; 1]>::try_from(part) {
            Ok([node]) => node,
            Err(part) => Node::Block(split(part, fanout, levels - 1)),
        }
    };
    (0..parts).map(&mut part).collect()
}
