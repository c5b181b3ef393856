//! Random schedules that are safe under every model.
//!
//! They are made in one global order: a compute step here, a transfer there, now and then an exchange among several
//! ranks in which each takes exactly one step. Whatever the order of items in a batch, such a schedule can run in the
//! order in which it was made, even when every step blocks.

use counterpart_core::DType;
use fastrand::Rng;

use crate::world::{Comm, Compute, Domain, Step, World};

/// The name of every compute step.
const WORK: &str = "work";

/// A schedule of two to seven ranks and up to `rounds` compute steps, transfers and exchanges; the same for the same
/// seed. It declares what it reads and writes and a domain for its compute steps, and has no fault of any kind.
pub fn safe(seed: u64, rounds: usize) -> World {
    let mut rng = Rng::with_seed(seed);
    let ranks = rng.usize(2..8);
    let mut maker = Maker { rng, ranks: vec![Rank::default(); ranks], values: 0, computes: 0 };
    for rank in 0..ranks {
        maker.compute(rank);
    }
    for _ in 0..rounds {
        let rank = maker.rng.usize(..ranks);
        match maker.rng.u8(..8) {
            0..3 => maker.compute(rank),
            3..6 => maker.exchange(2),
            6 => maker.exchange(ranks),
            _ => maker.ranks[rank].program.push(Step::Batch(Vec::new())),
        }
    }
    for rank in 0..ranks {
        maker.use_up(rank);
    }
    let work = Domain { name: WORK.to_owned(), ranges: std::iter::once(0..maker.computes).collect() };
    World { programs: maker.ranks.into_iter().map(|rank| rank.program).collect(), domains: vec![work] }
}

#[derive(Clone, Default)]
struct Rank {
    program: Vec<Step>,
    /// Values that are there.
    held: Vec<String>,
    /// Received values that no step has used so far.
    unused: Vec<String>,
}

struct Maker {
    rng: Rng,
    ranks: Vec<Rank>,
    values: u64,
    computes: u64,
}

impl Maker {
    /// A compute step that reads some of what is there and writes something new.
    fn compute(&mut self, rank: usize) {
        let mut compute = Compute { name: self.next_name(), ..Compute::default() };
        for _ in 0..self.rng.usize(..3) {
            if let Some(label) = self.rng.choice(&self.ranks[rank].held).cloned() {
                self.ranks[rank].unused.retain(|unused| *unused != label);
                compute.reads.push(label);
            }
        }
        for _ in 0..self.rng.usize(..3) {
            self.values += 1;
            let (family, value) = (self.rng.choice(["Act", "Grad", "x"]).unwrap_or("x"), self.values);
            compute.writes.push(format!("{family}[{rank},{value}]"));
        }
        let ran = self.ranks[rank].program.iter().filter_map(Step::as_compute).map(|c| c.name.clone());
        if self.rng.u8(..4) == 0 {
            compute.after.extend(self.rng.choice(ran.collect::<Vec<_>>()));
        }
        let here = &mut self.ranks[rank];
        here.held.extend(compute.writes.iter().cloned());
        here.program.push(Step::Compute(compute));
    }

    /// Transfers among `many` ranks, at most one per direction and pair; each rank takes part with one step.
    fn exchange(&mut self, many: usize) {
        let mut group: Vec<usize> = (0..self.ranks.len()).collect();
        self.rng.shuffle(&mut group);
        group.truncate(many);
        // From a few pairs, which may form chains, to nearly all.
        let odds = self.rng.u8(1..8);
        let mut items = vec![Vec::new(); self.ranks.len()];
        let mut arrivals = vec![Vec::new(); self.ranks.len()];
        for &from in &group {
            for &to in group.iter().filter(|&&to| to != from) {
                let there =
                    |label: &String| self.ranks[to].held.contains(label) || arrivals[to].contains(label);
                let news: Vec<String> =
                    self.ranks[from].held.iter().filter(|label| !there(label)).cloned().collect();
                let chosen = (self.rng.u8(..8) < odds).then(|| self.rng.choice(news)).flatten();
                let Some(label) = chosen else { continue };
                items[from].push(self.send(from, &label, to));
                items[to].push(with_payload(Comm::recv(&label, from as i32)));
                arrivals[to].push(label);
            }
        }
        for (rank, (mut items, arrivals)) in items.into_iter().zip(arrivals).enumerate() {
            self.rng.shuffle(&mut items);
            let here = &mut self.ranks[rank];
            here.held.extend(arrivals.iter().cloned());
            here.unused.extend(arrivals);
            match items.len() {
                0 => {}
                1 if self.rng.bool() => here.program.push(Step::Single(items.remove(0))),
                _ => here.program.push(Step::Batch(items)),
            }
        }
    }

    /// A send of something that the rank has; at times it does not say what.
    fn send(&mut self, from: usize, label: &str, to: usize) -> Comm {
        let labelled = with_payload(Comm::send(label, to as i32));
        if self.rng.u8(..16) == 0 {
            return Comm { label: "_".to_owned(), ..labelled };
        }
        self.ranks[from].unused.retain(|unused| unused != label);
        labelled
    }

    /// A last compute step that reads what was received and not used.
    fn use_up(&mut self, rank: usize) {
        let reads = std::mem::take(&mut self.ranks[rank].unused);
        if !reads.is_empty() {
            let compute = Compute { name: self.next_name(), reads, ..Compute::default() };
            self.ranks[rank].program.push(Step::Compute(compute));
        }
    }

    fn next_name(&mut self) -> String {
        self.computes += 1;
        format!("{WORK}[{}]", self.computes - 1)
    }
}

/// Some families have a payload, always the same for the same value.
fn with_payload(comm: Comm) -> Comm {
    let payload = match comm.label.split_once('[') {
        Some(("Act", indices)) => Some((DType::F32, 64 * indices.len() as u64)),
        Some(("Grad", _)) => Some((DType::Bf16, 128)),
        _ => None,
    };
    Comm { payload, ..comm }
}
