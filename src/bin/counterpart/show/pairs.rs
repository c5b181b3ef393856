//! Which send meets which receive.

use std::collections::HashMap;

use counterpart::core::Plan;

/// The other end of every item.
pub struct Pairs {
    /// For each item, by its place in the plan, that of its counterpart.
    partners: Vec<Option<usize>>,
    /// Rank and step of each item.
    places: Vec<(usize, usize)>,
    /// For each rank, where the items of each step begin.
    starts: Vec<Vec<usize>>,
    /// How many pairs there are.
    pub count: usize,
}

impl Pairs {
    /// Pairs the k-th send of every edge with its k-th receive.
    pub fn new(plan: &Plan) -> Pairs {
        let mut pairs = Pairs { partners: Vec::new(), places: Vec::new(), starts: Vec::new(), count: 0 };
        // By sender and receiver: sends and receives that have no counterpart so far.
        let mut open: HashMap<(i64, i64), [Vec<usize>; 2]> = HashMap::new();
        for rank in 0..plan.ranks() {
            let mut starts = Vec::with_capacity(plan.steps(rank).len() + 1);
            for (step, at) in plan.steps(rank).iter().enumerate() {
                starts.push(pairs.places.len());
                for item in plan.items(at) {
                    let (own, peer) = (rank as i64, i64::from(item.peer));
                    let edge = if item.send { (own, peer) } else { (peer, own) };
                    if own != peer {
                        open.entry(edge).or_default()[usize::from(item.send)].push(pairs.places.len());
                    }
                    pairs.places.push((rank, step));
                }
            }
            starts.push(pairs.places.len());
            pairs.starts.push(starts);
        }
        pairs.partners = vec![None; pairs.places.len()];
        for [receives, sends] in open.into_values() {
            for (receive, send) in receives.into_iter().zip(sends) {
                pairs.partners[receive] = Some(send);
                pairs.partners[send] = Some(receive);
                pairs.count += 1;
            }
        }
        pairs
    }

    /// The number of items.
    pub fn items(&self) -> usize {
        self.places.len()
    }

    /// The items of a step, by their place in the plan.
    pub fn of_step(&self, rank: usize, step: usize) -> std::ops::Range<usize> {
        self.starts[rank][step]..self.starts[rank][step + 1]
    }

    /// The counterpart of an item, as a place in the plan.
    pub fn partner(&self, item: usize) -> Option<usize> {
        self.partners[item]
    }

    /// Rank and step of an item.
    pub fn place(&self, item: usize) -> (usize, usize) {
        self.places[item]
    }
}
