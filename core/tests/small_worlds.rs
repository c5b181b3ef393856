//! All small worlds: verifier and oracle agree on each under every model.
//!
//! Worlds are counted, so that a change of the enumeration does not go by unseen.

use std::cell::Cell;

use counterpart_testkit::small::{self, Alphabet};
use counterpart_testkit::{Step, World, agreement};

/// Programs of every rank.
fn programs(ranks: usize, longest: usize, alphabet: fn(usize) -> Alphabet) -> Vec<Vec<Vec<Step>>> {
    (0..ranks).map(|rank| small::programs(&alphabet(rank), longest)).collect()
}

/// How many worlds were checked, how many are safe under `blocking` + `gang`, and how many under no model.
#[derive(Default, Debug, PartialEq)]
struct Count {
    worlds: usize,
    portable: usize,
    never: usize,
}

impl Count {
    fn visit(&mut self, world: &World) {
        let safe = agreement::check(world).unwrap_or_else(|why| panic!("{why}"));
        self.worlds += 1;
        self.portable += usize::from(safe[0]);
        self.never += usize::from(!safe.contains(&true));
    }
}

#[test]
fn odd_peers_and_payloads() {
    let mut count = Count::default();
    small::all(&programs(2, 2, small::oddities), &mut |world| count.visit(world));
    assert_eq!(count, Count { worlds: 24_649, portable: 445, never: 24_083 });
}

#[test]
fn two_ranks_exchange() {
    let mut count = Count::default();
    let programs = programs(2, 3, small::exchange);
    small::balanced(&programs, &small::first_of_circle, &mut |world| count.visit(world));
    assert_eq!(count, Count { worlds: 73_260, portable: 1_190, never: 67_001 });
}

#[test]
fn two_ranks_with_dataflow() {
    let mut count = Count::default();
    let programs = programs(2, 3, small::flow);
    small::balanced(&programs, &small::first_of_circle, &mut |world| count.visit(world));
    assert_eq!(count, Count { worlds: 39_120, portable: 289, never: 38_572 });
}

#[test]
fn three_ranks_two_steps() {
    let mut count = Count::default();
    let programs = programs(3, 2, small::triangle);
    small::balanced(&programs, &|_| true, &mut |world| count.visit(world));
    assert_eq!(count, Count { worlds: 12_773, portable: 3_519, never: 965 });
}

#[test]
fn three_ranks_three_steps() {
    let mut count = Count::default();
    let programs = programs(3, 3, small::ring);
    small::balanced(&programs, &small::first_of_circle, &mut |world| count.visit(world));
    assert_eq!(count, Count { worlds: 95_306, portable: 4_450, never: 25_002 });
}

/// Of the 7,093,404 balanced worlds with the full alphabet every 151st.
#[test]
fn three_ranks_three_steps_sampled() {
    let mut count = Count::default();
    let programs = programs(3, 3, small::triangle);
    let turn = Cell::new(0);
    let sampled = |_: &[usize]| {
        turn.set(turn.get() + 1);
        turn.get() % 151 == 0
    };
    small::balanced(&programs, &sampled, &mut |world| count.visit(world));
    assert_eq!(turn.get(), 7_093_404);
    assert_eq!(count, Count { worlds: 46_976, portable: 1_961, never: 11_086 });
}
