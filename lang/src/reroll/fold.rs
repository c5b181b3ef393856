//! Repetitions become loops.

use super::choose::{Fold, choose};
use super::node::{MAX_LOOPS, Node};
use super::profile::Profile;
use super::runs::find;

/// Folds repetitions into loops where that makes the program shorter. A body has at most 256 nodes at the time it is
/// found, loops inside it counting as one; where a whole turn of an outer loop is longer, inner loops come first.
///
/// Afterwards at most [`MAX_LOOPS`] loops stand inside each other, every index has strides for the loops around it and
/// none beyond, and the program unrolls to the same steps as before.
pub fn fold(nodes: Vec<Node>) -> Vec<Node> {
    fold_inside(nodes, 0)
}

/// The same for a list that stands inside `outer` loops.
fn fold_inside(mut nodes: Vec<Node>, outer: usize) -> Vec<Node> {
    if outer < MAX_LOOPS {
        // What one pass folds, the next may fold again into an outer loop; each pass goes one loop further out. Pairs
        // come last: they may be there by chance, and would hide the turns of an outer loop.
        for _ in 0..2 * MAX_LOOPS {
            let profile = Profile::new(&nodes, MAX_LOOPS - outer - 1);
            let (mut runs, pairs) = find(&profile);
            let mut folds = choose(&profile, &runs);
            if folds.is_empty() {
                runs.extend(pairs);
                folds = choose(&profile, &runs);
            }
            if folds.is_empty() {
                break;
            }
            nodes = apply(nodes, &profile, &folds);
        }
    }
    for node in &mut nodes {
        match node {
            Node::Op(_) => {}
            Node::Block(body) => *body = fold_inside(core::mem::take(body), outer),
            Node::Repeat { body, .. } => *body = fold_inside(core::mem::take(body), outer + 1),
        }
    }
    nodes
}

fn apply(nodes: Vec<Node>, profile: &Profile, folds: &[Fold]) -> Vec<Node> {
    let mut left = nodes.into_iter();
    let mut out = Vec::new();
    let mut at = 0;
    for fold in folds {
        out.extend(left.by_ref().take(fold.at - at));
        at = fold.at + fold.period * fold.count;
        let Some(strides) = strides(profile, fold) else {
            out.extend(left.by_ref().take(at - fold.at));
            continue;
        };
        let mut body: Vec<Node> = left.by_ref().take(fold.period).collect();
        left.by_ref().take(at - fold.at - fold.period).for_each(drop);
        let mut strides = strides.into_iter();
        body.iter_mut().for_each(|node| add_loop(node, 0, &mut strides));
        out.push(Node::Repeat { count: fold.count as u64, body });
    }
    out.extend(left);
    out
}

/// By how much each index of the body moves per repetition; `None` where equal prints have deceived.
fn strides(profile: &Profile, fold: &Fold) -> Option<Vec<i64>> {
    let turn = |k: usize| profile.bases(fold.at + k * fold.period, fold.at + (k + 1) * fold.period);
    let moved = |k: usize| turn(k).iter().zip(turn(k - 1)).map(|(after, before)| after - before);
    let strides: Vec<i64> = moved(1).collect();
    (2..fold.count).all(|k| moved(k).eq(strides.iter().copied())).then_some(strides)
}

/// Gives every index of `node` its stride in a new loop around it, inside the loops that are there already; `inner` is
/// how many loops of the new body stand around `node`.
fn add_loop(node: &mut Node, inner: usize, strides: &mut impl Iterator<Item = i64>) {
    match node {
        Node::Op(op) => op.for_each_label(|label| {
            for index in &mut label.indices {
                index.strides[inner..].rotate_right(1);
                index.strides[inner] = strides.next().expect("one stride per index");
            }
        }),
        Node::Block(body) => body.iter_mut().for_each(|node| add_loop(node, inner, strides)),
        Node::Repeat { body, .. } => body.iter_mut().for_each(|node| add_loop(node, inner + 1, strides)),
    }
}
