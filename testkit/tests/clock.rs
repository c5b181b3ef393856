//! The slow clock, on cases worked out by hand.

use counterpart_core::{BatchRule, Channel, Model};
use counterpart_testkit::World;
use counterpart_testkit::oracle::times;
use counterpart_testkit::world::{Comm, Step};

type Times = Option<Vec<Vec<(u64, u64)>>>;

fn model(channel: Channel, batch: BatchRule) -> Model {
    Model::new(channel, batch).expect("there is such a model")
}

/// Compute steps take 10 times the number of their rank plus 10, transfers as long as `transfer` says.
fn by_hand(world: &World, model: Model, transfer: impl Fn(usize, usize, usize) -> u64) -> Times {
    times(&world.to_plan(), model, |rank, _| 10 * rank as u64 + 10, transfer)
}

#[test]
fn a_transfer_begins_when_both_ends_have() {
    let world = World::new(vec![
        vec![Step::compute("make", &[], &["x"]), Step::send("x", 1), Step::compute("more", &[], &[])],
        vec![Step::compute("own", &[], &[]), Step::recv("x", 0), Step::compute("take", &["x"], &[])],
    ]);
    let ends = |channel, batch| by_hand(&world, model(channel, batch), |_, _, _| 5);
    let late = [(20, 25), (25, 45)];
    for batch in BatchRule::ALL {
        let blocking = vec![vec![(0, 10), (10, 25), (25, 35)], [&[(0, 20)], &late[..]].concat()];
        assert_eq!(ends(Channel::Blocking, batch), Some(blocking));
        for channel in [Channel::Queue, Channel::Pair, Channel::Edge] {
            let queued = vec![vec![(0, 10), (10, 25), (10, 20)], [&[(0, 20)], &late[..]].concat()];
            assert_eq!(ends(channel, batch), Some(queued), "{channel:?}");
        }
    }
    // The value is on its way while its reader is still busy.
    let eager = vec![vec![(0, 10), (10, 15), (10, 20)], vec![(0, 20), (20, 20), (20, 40)]];
    assert_eq!(ends(Channel::Eager, BatchRule::Item), Some(eager));
}

#[test]
fn queues_hold_up_what_is_behind_them() {
    // The send to rank 2, which is late, stands before the one to rank 1.
    let world = World::new(vec![
        vec![Step::compute("make", &[], &["x", "y"]), Step::send("x", 2), Step::send("y", 1)],
        vec![Step::recv("y", 0)],
        vec![Step::compute("own", &[], &[]), Step::recv("x", 0)],
    ]);
    let end = |channel| by_hand(&world, model(channel, BatchRule::Item), |_, _, _| 1).map(|t| t[1][0].1);
    assert_eq!(end(Channel::Blocking), Some(32));
    assert_eq!(end(Channel::Queue), Some(32));
    assert_eq!(end(Channel::Pair), Some(11));
    assert_eq!(end(Channel::Edge), Some(11));
    assert_eq!(end(Channel::Eager), Some(11));

    // A receive before the send to the same rank.
    let world = World::new(vec![
        vec![Step::recv("x", 1), Step::send("y", 1)],
        vec![Step::recv("y", 0), Step::compute("make", &["y"], &["x"]), Step::send("x", 0)],
    ]);
    let ends = |channel| by_hand(&world, model(channel, BatchRule::Item), |_, _, _| 1);
    assert_eq!(ends(Channel::Pair), None);
    assert_eq!(ends(Channel::Edge), Some(vec![vec![(0, 22), (0, 1)], vec![(0, 1), (1, 21), (21, 22)]]));
}

#[test]
fn a_gang_waits_for_its_last_step() {
    let world = World::new(vec![
        vec![Step::Batch(vec![Comm::send("a", 1), Comm::send("b", 2)])],
        vec![Step::recv("a", 0)],
        vec![Step::compute("own", &[], &[]), Step::recv("b", 0)],
    ]);
    // `a` takes 3, `b` takes 4.
    let ends = |batch| by_hand(&world, model(Channel::Blocking, batch), |_, _, item| 3 + item as u64);
    assert_eq!(ends(BatchRule::Item), Some(vec![vec![(0, 34)], vec![(0, 3)], vec![(0, 30), (30, 34)]]));
    assert_eq!(ends(BatchRule::Gang), Some(vec![vec![(0, 34)], vec![(0, 33)], vec![(0, 30), (30, 34)]]));

    // Two steps of one rank that meet one batch never run as one.
    let torn = World::new(vec![
        vec![Step::Batch(vec![Comm::send("a", 1), Comm::send("b", 1)])],
        vec![Step::recv("a", 0), Step::recv("b", 0)],
    ]);
    let ends = |channel, batch| by_hand(&torn, model(channel, batch), |_, _, _| 1);
    assert_eq!(ends(Channel::Edge, BatchRule::Gang), None);
    assert_eq!(ends(Channel::Blocking, BatchRule::Item), Some(vec![vec![(0, 2)], vec![(0, 1), (1, 2)]]));
}

#[test]
fn what_cannot_run_to_its_end_has_no_times() {
    let send = |label| Step::send(label, 1);
    let circle =
        World::new(vec![vec![send("x"), Step::recv("y", 1)], vec![Step::send("y", 0), Step::recv("x", 0)]]);
    let unmatched = World::new(vec![vec![send("x")], vec![]]);
    let nobody = World::new(vec![vec![Step::send("x", 7)], vec![]]);
    for each in Model::ALL {
        let runs = matches!(each.channel(), Channel::Edge | Channel::Eager);
        assert_eq!(by_hand(&circle, each, |_, _, _| 1).is_some(), runs, "{each}");
        assert_eq!(by_hand(&unmatched, each, |_, _, _| 1), None, "{each}");
        assert_eq!(by_hand(&nobody, each, |_, _, _| 1), None, "{each}");
    }
}
