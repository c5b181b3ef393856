//! One queue per rank: which transfers wait, and which of them begin next.

use std::collections::{BTreeSet, HashMap};

use super::transfers::{Transfer, Transfers};
use crate::simulate::Ticks;

/// A transfer with its urgency, the smallest number first.
type Urgent = (Ticks, u32);

/// The queues of all ranks.
///
/// All transfers of a directed edge need the same two ranks, so that only the most urgent of each edge matters; and an edge
/// can only begin when one of its ranks has become free or has written something.
pub(super) struct Queues {
    edges: Vec<Edge>,
    /// The edge of each transfer.
    edge_of: Vec<usize>,
    /// The edges that each rank is an end of.
    touching: Vec<Vec<usize>>,
    busy: Vec<bool>,
    /// Edges that may be able to begin.
    changed: BTreeSet<usize>,
}

struct Edge {
    ends: [usize; 2],
    /// The edge in the opposite direction.
    back: Option<usize>,
    waiting: BTreeSet<Urgent>,
}

/// A transfer that begins, together with one in the opposite direction where there is one.
pub(super) struct Begun {
    pub there: u32,
    pub back: Option<u32>,
}

impl Queues {
    /// The edges of these transfers; nothing waits.
    pub fn new(transfers: &Transfers, ranks: usize) -> Queues {
        let mut numbers: HashMap<[usize; 2], usize> = HashMap::new();
        let mut edges: Vec<Edge> = Vec::new();
        let mut touching = vec![Vec::new(); ranks];
        let edge_of = transfers.list.iter().map(|Transfer { from, to, .. }| {
            let ends = [from.0 as usize, to.0 as usize];
            *numbers.entry(ends).or_insert_with(|| {
                ends.iter().for_each(|&end| touching[end].push(edges.len()));
                edges.push(Edge { ends, back: None, waiting: BTreeSet::new() });
                edges.len() - 1
            })
        });
        let edge_of = edge_of.collect();
        for edge in &mut edges {
            edge.back = numbers.get(&[edge.ends[1], edge.ends[0]]).copied();
        }
        Queues { edges, edge_of, touching, busy: vec![false; ranks], changed: BTreeSet::new() }
    }

    /// The value of a transfer has been written.
    pub fn written(&mut self, transfer: u32, urgency: Ticks) {
        let edge = self.edge_of[transfer as usize];
        self.edges[edge].waiting.insert((urgency, transfer));
        self.changed.insert(edge);
    }

    /// A transfer has ended: its ranks are free.
    pub fn ended(&mut self, transfer: u32) {
        for end in self.edges[self.edge_of[transfer as usize]].ends {
            self.busy[end] = false;
            self.changed.extend(&self.touching[end]);
        }
    }

    /// Begins every transfer that can, the most urgent first.
    pub fn begin(&mut self) -> Vec<Begun> {
        let changed = std::mem::take(&mut self.changed);
        let head = |&edge: &usize| Some((*self.edges[edge].waiting.first()?, edge));
        let mut heads: Vec<(Urgent, usize)> = changed.iter().filter_map(head).collect();
        heads.sort_unstable();
        let mut begun = Vec::new();
        for (_, edge) in heads {
            let ends = self.edges[edge].ends;
            if ends.iter().any(|&end| self.busy[end]) {
                continue;
            }
            ends.iter().for_each(|&end| self.busy[end] = true);
            let mut take = |edge: usize| self.edges[edge].waiting.pop_first().map(|(_, transfer)| transfer);
            let Some(there) = take(edge) else { continue };
            let back = self.edges[edge]
                .back
                .and_then(|back| self.edges[back].waiting.pop_first().map(|(_, transfer)| transfer));
            begun.push(Begun { there, back });
        }
        begun
    }
}
