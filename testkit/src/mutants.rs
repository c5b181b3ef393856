//! Every schedule that is one edit away from a given one.

use counterpart_core::DType;

use crate::world::{Comm, Step, World};

/// Calls `visit` with every mutant of a world and a few words on what was done to it.
///
/// Steps are dropped, doubled, swapped and moved; items are turned round, sent elsewhere, given another value or
/// payload, taken out of their batch or put into one; what compute steps read, write and are called is changed; domains
/// grow and shrink. Some mutants are as good as the original.
pub fn each(world: &World, visit: &mut dyn FnMut(&str, &World)) {
    for rank in 0..world.programs.len() {
        for at in 0..world.programs[rank].len() {
            let mut editor = Editor { world, rank, at, visit };
            editor.step();
            editor.grouping();
            editor.overlap();
            for i in 0..world.programs[rank][at].comms().len() {
                editor.item(i);
            }
            editor.compute();
        }
    }
    domains(world, visit);
}

/// Edits at one step.
struct Editor<'w, 'v> {
    world: &'w World,
    rank: usize,
    at: usize,
    visit: &'v mut dyn FnMut(&str, &World),
}

impl Editor<'_, '_> {
    fn edit(&mut self, what: &str, change: impl FnOnce(&mut Vec<Step>)) {
        let mut mutant = self.world.clone();
        change(&mut mutant.programs[self.rank]);
        (self.visit)(&format!("{what} at rank {}, step {}", self.rank, self.at), &mutant);
    }

    /// Drop, double, swap, move.
    fn step(&mut self) {
        let (at, len) = (self.at, self.world.programs[self.rank].len());
        self.edit("drop", |p| drop(p.remove(at)));
        self.edit("double", |p| p.insert(at, p[at].clone()));
        for to in (0..len).filter(|&to| to != at && to + 1 != at) {
            self.edit(&format!("move to {to}"), |p| {
                let step = p.remove(at);
                p.insert(to, step);
            });
        }
    }

    /// Overlap a compute step with the next step.
    fn overlap(&mut self) {
        let at = self.at;
        let program = &self.world.programs[self.rank];
        let pair = (program[at].as_compute(), program.get(at + 1).and_then(Step::as_compute));
        let (Some(first), Some(second)) = pair else { return };
        let mut both = first.clone();
        both.also.push(second.name.clone());
        both.also.extend(second.also.iter().cloned());
        both.reads.extend(second.reads.iter().cloned());
        both.writes.extend(second.writes.iter().cloned());
        both.after.extend(second.after.iter().cloned());
        self.edit("overlap with the next step", |p| drop(p.splice(at..=at + 1, [Step::Compute(both)])));
    }

    /// Into a batch and out of it.
    fn grouping(&mut self) {
        let program = &self.world.programs[self.rank];
        let at = self.at;
        let comms = program[at].comms();
        match &program[at] {
            Step::Single(comm) => {
                let comm = comm.clone();
                self.edit("a batch of one", |p| p[at] = Step::Batch(vec![comm]));
            }
            Step::Batch(_) => {
                let apart: Vec<Step> = comms.iter().cloned().map(Step::Single).collect();
                self.edit("take the batch apart", |p| drop(p.splice(at..=at, apart)));
            }
            Step::Compute(_) => return,
        }
        if let Some(next) = program.get(at + 1).filter(|next| next.as_compute().is_none()) {
            let both = [comms, next.comms()].concat();
            self.edit("join with the next step", |p| drop(p.splice(at..=at + 1, [Step::Batch(both)])));
        }
    }

    /// One send or receive.
    fn item(&mut self, i: usize) {
        let at = self.at;
        let ranks = self.world.programs.len() as i32;
        let comm = &self.world.programs[self.rank][at].comms()[i];
        let mut change = |what: &str, change: &dyn Fn(&mut Comm)| {
            self.edit(&format!("{what} of item {i}"), |p| change(&mut p[at].comms_mut()[i]));
        };
        change("direction", &|c| c.send = !c.send);
        for peer in (-1..=ranks).filter(|&peer| peer != comm.peer) {
            change("another peer", &|c| c.peer = peer);
        }
        for label in ["_", "Act[9,9]", "x[0,1]", "odd"] {
            change("another value", &|c| c.label = label.to_owned());
        }
        let count = comm.payload.map_or(4, |(_, count)| count);
        for payload in
            [None, Some((DType::F32, count)), Some((DType::F16, count)), Some((DType::F32, count + 1))]
        {
            change("another payload", &|c| c.payload = payload);
        }
        if let Step::Batch(comms) = &self.world.programs[self.rank][at] {
            let mut rest = comms.clone();
            let single = Step::Single(rest.remove(i));
            let rest = Step::Batch(rest);
            self.edit("drop an item", |p| p[at] = rest.clone());
            self.edit("an item before the batch", |p| {
                drop(p.splice(at..=at, [single.clone(), rest.clone()]))
            });
            self.edit("an item after the batch", |p| drop(p.splice(at..=at, [rest, single])));
            let doubled = [&comms[..], &comms[i..=i]].concat();
            self.edit("double an item", |p| p[at] = Step::Batch(doubled));
            let mut turned = comms.clone();
            turned.rotate_left(i);
            self.edit("turn the items", |p| p[at] = Step::Batch(turned));
        }
    }

    /// What a compute step is called, reads and writes.
    fn compute(&mut self) {
        let at = self.at;
        let Some(compute) = self.world.programs[self.rank][at].as_compute() else { return };
        let mut change = |what: &str, change: &dyn Fn(&mut crate::Compute)| {
            let mut changed = compute.clone();
            change(&mut changed);
            self.edit(what, |p| p[at] = Step::Compute(changed));
        };
        for name in ["work[0]", "work[99]", "work", "other[0]"] {
            change("another name", &|c| c.name = name.to_owned());
            change("one name more", &|c| c.also.push(name.to_owned()));
            change("another order", &|c| c.after.push(name.to_owned()));
        }
        for label in ["_", "Act[0,1]", "x[0,1]", "odd"] {
            change("one read more", &|c| c.reads.push(label.to_owned()));
            change("one write more", &|c| c.writes.push(label.to_owned()));
        }
        change("one read less", &|c| drop(c.reads.pop()));
        change("one write less", &|c| drop(c.writes.pop()));
        change("no order", &|c| c.after.clear());
    }
}

fn domains(world: &World, visit: &mut dyn FnMut(&str, &World)) {
    for d in 0..world.domains.len() {
        for (j, range) in world.domains[d].ranges.iter().enumerate() {
            let (from, to) = (range.start, range.end);
            let others = [from..to + 1, from..to.saturating_sub(1), from + 1..to, to..to, from..to + 1_000];
            for other in others {
                let mut mutant = world.clone();
                mutant.domains[d].ranges[j] = other;
                visit("another range", &mutant);
            }
        }
        let mut mutant = world.clone();
        mutant.domains.remove(d);
        visit("one domain less", &mutant);
    }
}
