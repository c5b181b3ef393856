//! Small worlds: all schedules of a few ranks with a few steps each.
//!
//! The steps come from an [`Alphabet`] per rank. Most ways to put programs side by side leave a send or a receive
//! without its counterpart, which is soon judged; [`balanced`] visits only those where every edge has as many sends as
//! receives, and there verifier and oracle have to think.

use std::collections::HashMap;

use crate::world::{Comm, Step, World};

/// The steps that one rank may take.
pub type Alphabet = Vec<Step>;

/// All programs of at most `longest` steps.
pub fn programs(alphabet: &[Step], longest: usize) -> Vec<Vec<Step>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..longest {
        let to = all.len();
        for k in from..to {
            for step in alphabet {
                let mut longer = all[k].clone();
                longer.push(step.clone());
                all.push(longer);
            }
        }
        from = to;
    }
    all
}

/// Calls `visit` with every world that takes one program per rank.
pub fn all(ranks: &[Vec<Vec<Step>>], visit: &mut dyn FnMut(&World)) {
    let every: Vec<Vec<usize>> = ranks.iter().map(|programs| (0..programs.len()).collect()).collect();
    extend(ranks, &|rank, _| &every[rank], &|_| true, &mut Vec::new(), visit);
}

/// Calls `visit` with every world that takes one program per rank, in which each edge has as many sends as receives,
/// and of which `keep` approves. `keep` is asked with the number of each rank's program.
pub fn balanced(ranks: &[Vec<Vec<Step>>], keep: &dyn Fn(&[usize]) -> bool, visit: &mut dyn FnMut(&World)) {
    let counts: Vec<Vec<Counts>> = ranks
        .iter()
        .map(|programs| programs.iter().map(|program| count(program, ranks.len())).collect())
        .collect();
    // The programs of each rank by what they exchange with the ranks before it.
    let mut fitting: Vec<HashMap<Counts, Vec<usize>>> = Vec::new();
    for (rank, counts) in counts.iter().enumerate() {
        let mut by_counts: HashMap<Counts, Vec<usize>> = HashMap::new();
        for (k, count) in counts.iter().enumerate() {
            by_counts.entry(count[..rank].to_vec()).or_default().push(k);
        }
        fitting.push(by_counts);
    }
    let fits = |rank: usize, chosen: &[usize]| {
        let wanted: Counts = chosen
            .iter()
            .enumerate()
            .map(|(other, &k)| {
                let (sends, recvs) = counts[other][k][rank];
                (recvs, sends)
            })
            .collect();
        fitting[rank].get(&wanted).map_or(&[][..], Vec::as_slice)
    };
    extend(ranks, &fits, keep, &mut Vec::new(), visit);
}

/// Is this choice of programs the first among those that arise by renaming the ranks in a circle? For alphabets that are
/// the same from every rank's point of view, one of each circle is enough.
pub fn first_of_circle(chosen: &[usize]) -> bool {
    (1..chosen.len()).all(|k| {
        let turned = chosen[k..].iter().chain(&chosen[..k]);
        chosen.iter().le(turned)
    })
}

/// Sends to and receives from each rank.
type Counts = Vec<(usize, usize)>;

fn count(program: &[Step], ranks: usize) -> Counts {
    let comms = |send, peer| {
        let all = program.iter().flat_map(Step::comms);
        all.filter(|c| c.send == send && c.peer == peer as i32).count()
    };
    (0..ranks).map(|peer| (comms(true, peer), comms(false, peer))).collect()
}

fn extend<'c>(
    ranks: &[Vec<Vec<Step>>],
    choices: &dyn Fn(usize, &[usize]) -> &'c [usize],
    keep: &dyn Fn(&[usize]) -> bool,
    chosen: &mut Vec<usize>,
    visit: &mut dyn FnMut(&World),
) {
    if chosen.len() == ranks.len() {
        if keep(chosen) {
            let programs = chosen.iter().zip(ranks).map(|(&k, programs)| programs[k].clone());
            visit(&World::new(programs.collect()));
        }
        return;
    }
    for &k in choices(chosen.len(), chosen) {
        chosen.push(k);
        extend(ranks, choices, keep, chosen, visit);
        chosen.pop();
    }
}

/// Two ranks that exchange two values, alone and in batches, and compute on them without writing.
pub fn exchange(rank: usize) -> Alphabet {
    let peer = 1 - rank as i32;
    let (send, recv) = (|label| Comm::send(label, peer), |label| Comm::recv(label, peer));
    vec![
        Step::send("a", peer),
        Step::recv("a", peer),
        Step::send("b", peer),
        Step::recv("b", peer),
        Step::Batch(vec![send("a"), recv("a")]),
        Step::Batch(vec![send("a"), recv("b")]),
        Step::Batch(vec![recv("a"), send("b")]),
        Step::Batch(vec![send("a"), send("b")]),
        Step::Batch(vec![recv("a"), recv("b")]),
        Step::Batch(vec![send("a")]),
        Step::compute("f", &["a"], &[]),
    ]
}

/// Two ranks with values that are written, read, passed on; with order between compute steps, with the label `_`.
pub fn flow(rank: usize) -> Alphabet {
    let peer = 1 - rank as i32;
    let mut after = Step::compute("g", &["b"], &[]);
    if let Step::Compute(compute) = &mut after {
        compute.after.push("f".to_owned());
    }
    vec![
        Step::send("a", peer),
        Step::recv("a", peer),
        Step::recv("b", peer),
        Step::send("_", peer),
        Step::Batch(vec![Comm::send("b", peer), Comm::recv("a", peer)]),
        Step::compute("f", &[], &["a"]),
        Step::compute("f", &["a"], &["b"]),
        Step::compute("h", &["_"], &["_"]),
        after,
    ]
}

/// What goes wrong with peers, empty batches and payloads; two ranks.
pub fn oddities(rank: usize) -> Alphabet {
    let peer = 1 - rank as i32;
    let known = |comm: Comm, count| Comm { payload: Some((counterpart_core::DType::F32, count)), ..comm };
    vec![
        Step::send("a", peer),
        Step::recv("a", peer),
        Step::Single(known(Comm::send("a", peer), 8)),
        Step::Single(known(Comm::recv("a", peer), 8)),
        Step::Single(known(Comm::recv("a", peer), 4)),
        Step::send("a", rank as i32),
        Step::recv("a", -1),
        Step::send("a", 2),
        Step::Batch(Vec::new()),
        Step::Batch(vec![Comm::send("a", 2), Comm::send("a", 2), Comm::recv("a", peer)]),
        Step::Batch(vec![known(Comm::send("a", peer), 4), Comm::recv("_", peer)]),
        Step::compute("f", &[], &[]),
    ]
}

/// Three ranks that exchange one value with both neighbours: singles, and the batches that a ring or a pipeline has.
pub fn ring(rank: usize) -> Alphabet {
    let mut steps = triangle(rank);
    steps.truncate(8);
    steps
}

/// Three ranks that exchange one value with both neighbours in every way.
pub fn triangle(rank: usize) -> Alphabet {
    let [p, q] = others(rank);
    let (send, recv) = (|peer| Comm::send("a", peer), |peer| Comm::recv("a", peer));
    vec![
        Step::Single(send(p)),
        Step::Single(recv(p)),
        Step::Single(send(q)),
        Step::Single(recv(q)),
        Step::Batch(vec![send(p), recv(p)]),
        Step::Batch(vec![send(q), recv(q)]),
        Step::Batch(vec![send(p), recv(q)]),
        Step::Batch(vec![recv(p), send(q)]),
        Step::Batch(vec![send(p), send(q)]),
        Step::Batch(vec![recv(p), recv(q)]),
        Step::Batch(vec![send(p), recv(p), send(q), recv(q)]),
        Step::compute("f", &["a"], &[]),
    ]
}

fn others(rank: usize) -> [i32; 2] {
    [(rank as i32 + 1) % 3, (rank as i32 + 2) % 3]
}
