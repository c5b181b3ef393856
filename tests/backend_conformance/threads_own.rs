//! What is special about the threads backend.

use std::sync::{Barrier, Mutex, mpsc};
use std::time::Duration;

use counterpart::Error;
use counterpart::backend::threads::{self, Config, Gang, Item};
use counterpart::backend::{Backend, HostBuffer, Threads, Transfer, TransferKind};
use counterpart::core::{BatchRule, Channel, Model};
use fastrand::Rng;
use static_assertions::{assert_impl_all, assert_not_impl_any};

use crate::suite::{filled, recv, send, value_of};

assert_impl_all!(Threads<Gang>: Send);
assert_not_impl_any!(Threads<Gang>: Clone);

fn address(buffer: &HostBuffer) -> usize {
    buffer.as_slice::<i32>().unwrap().as_ptr() as usize
}

#[test]
fn a_last_send_moves_memory_and_a_send_does_not() {
    let addresses = threads::run(2, Config::new(), |mut b: Threads| {
        let mut buffer = filled(&mut b, 0, 100_000)?;
        let mut at = vec![address(&buffer)];
        if b.rank() == 0 {
            b.send_last(0, 1, &mut buffer)?;
            at.push(address(&buffer));
            b.batch(1, &mut [Transfer { kind: TransferKind::SendLast, peer: 1, buffer }])?;
        } else {
            b.recv(0, 0, &mut buffer)?;
            at.push(address(&buffer));
            let mut transfers = [recv(0, buffer)];
            b.batch(1, &mut transfers)?;
            let [Transfer { mut buffer, .. }] = transfers;
            at.push(address(&buffer));
            buffer.as_mut_slice::<i32>().expect("the memory belongs to the receiver alone")[0] = 1;
        }
        b.finish()?;
        Ok(at)
    })
    .unwrap();
    let (first, second) = (&addresses[0], &addresses[1]);
    assert_eq!(second[1], first[0], "the receiver has the memory of the sender");
    assert_eq!(first[1], second[0], "the sender has the memory of the receiver");
    assert_eq!(second[2], first[1]);

    let moved = threads::run(2, Config::new(), |mut b: Threads| {
        let mut buffer = filled(&mut b, 0, 100_000)?;
        let before = address(&buffer);
        if b.rank() == 0 {
            b.send(0, 1, &buffer)?
        } else {
            b.recv(0, 0, &mut buffer)?
        }
        assert!(buffer.as_mut_slice::<i32>().is_some(), "nobody else holds the memory after the step");
        b.finish()?;
        Ok(before != address(&buffer))
    });
    assert_eq!(moved.unwrap(), [false, false]);
}

#[test]
fn models_follow_from_the_rule() {
    assert_eq!(Threads::<Gang>::MODELS, [Model::PORTABLE]);
    let item = Model::new(Channel::Blocking, BatchRule::Item).unwrap();
    assert_eq!(Threads::<Item>::MODELS, [Model::PORTABLE, item]);
}

/// Rank 1 is busy in a compute step until rank 0 has given up, so that only the deadline of rank 0 can end its wait.
#[test]
fn a_deadline_names_the_steps_of_both_ends() {
    let (given_up, wait) = mpsc::channel();
    let wait = Mutex::new(wait);
    let busy = Barrier::new(2);
    let config = Config::new().deadline(Duration::from_millis(50));
    let error = threads::run(3, config, |mut b: Threads| {
        let mut buffer = filled(&mut b, 0, 1)?;
        let end = match b.rank() {
            0 => {
                busy.wait();
                b.recv(3, 1, &mut buffer)
            }
            1 => {
                b.compute(7);
                busy.wait();
                wait.lock().unwrap().recv().unwrap();
                let end = b.send(8, 0, &buffer);
                let Err(Error::Peer { rank: 1, step: 8, peer: 0, reason }) = &end else { panic!("{end:?}") };
                assert!(reason.starts_with("gave up at step 3, after "), "{reason}");
                assert!(reason.ends_with(" of waiting for rank 1"), "{reason}");
                end
            }
            _ => Ok(()),
        };
        if b.rank() == 0 {
            given_up.send(()).unwrap();
        }
        end?;
        b.finish()
    })
    .unwrap_err();
    let Error::Timeout { rank: 0, step: 3, peer: 1, peer_step: Some(7), waited } = error else {
        panic!("{error:?}")
    };
    assert!(waited >= Duration::from_millis(50));
}

/// Ranks 0 and 1 are there, but the batch of rank 1 also needs rank 2, which is busy.
#[test]
fn a_deadline_names_the_rank_that_a_gang_lacks() {
    let (given_up, wait) = mpsc::channel();
    let wait = Mutex::new(wait);
    let config = Config::new().deadline(Duration::from_secs(1));
    let error = threads::run(3, config, |mut b: Threads| {
        let (mine, theirs) = (filled(&mut b, 0, 1)?, filled(&mut b, 0, 1)?);
        let end = match b.rank() {
            0 => b.send(0, 1, &mine),
            1 => b.batch(0, &mut [recv(0, theirs), send(2, mine)]),
            _ => {
                wait.lock().unwrap().recv().unwrap();
                Ok(())
            }
        };
        if b.rank() == 0 {
            given_up.send(()).unwrap();
        }
        end?;
        b.finish()
    })
    .unwrap_err();
    assert!(matches!(error, Error::Timeout { peer: 2, peer_step: None, .. }), "{error:?}");
    assert!(error.to_string().ends_with("for rank 2, which has not begun"), "{error}");
}

#[test]
fn a_rank_dropped_before_it_began_is_missed() {
    let mut world = Threads::world(2, Config::new());
    drop(world.pop());
    let mut b = world.pop().unwrap();
    let mut buffer = filled(&mut b, 0, 1).unwrap();
    let error = b.recv(4, 1, &mut buffer).unwrap_err();
    assert_eq!(
        error.to_string(),
        "rank 0, step 4: rank 1 left before it had finished, before its first step"
    );
    assert!(buffer.as_slice::<i32>().is_some(), "the buffer is there again after an error");
}

#[test]
fn no_step_after_the_last() {
    let error = threads::run(2, Config::new(), |mut b: Threads| {
        b.finish()?;
        b.finish()?;
        let buffer = filled(&mut b, 0, 1)?;
        b.send(5, 1 - b.rank(), &buffer)
    });
    assert_eq!(error.unwrap_err().to_string(), "rank 0, step 5: the rank has finished or left");
}

#[test]
fn an_endless_deadline_is_a_deadline() {
    let config = Config::new().deadline(Duration::MAX);
    threads::run(2, config, |mut b: Threads| {
        let mut buffer = filled(&mut b, 0, 1)?;
        if b.rank() == 0 {
            b.send(0, 1, &buffer)?
        } else {
            b.recv(0, 0, &mut buffer)?
        }
        b.finish()
    })
    .unwrap();
    assert!(threads::run(0, config, |_: Threads| Ok(())).unwrap().is_empty());
}

#[test]
fn items_between_two_ranks_meet_in_the_order_of_the_lists() {
    let received = threads::run(2, Config::item(), |mut b| {
        let (x, y) = (filled(&mut b, 1, 3)?, filled(&mut b, 2, 3)?);
        let values = if b.rank() == 0 {
            b.batch(0, &mut [send(1, x), send(1, y)])?;
            vec![]
        } else {
            let (mut p, q) = (filled(&mut b, 0, 3)?, filled(&mut b, 0, 3)?);
            // A single step meets the first item, a batch the second.
            b.recv(0, 0, &mut p)?;
            let mut transfers = [recv(0, q)];
            b.batch(1, &mut transfers)?;
            vec![value_of(&mut b, &p, 3)?, value_of(&mut b, &transfers[0].buffer, 3)?]
        };
        b.finish()?;
        Ok(values)
    });
    assert_eq!(received.unwrap()[1], [1, 2]);
}

#[test]
fn eager_sends_run_ahead_in_order() {
    let received = threads::run(2, Config::item().eager_limit(40), |mut b| {
        let peer = 1 - b.rank();
        let mut values = Vec::new();
        let mut buffer = filled(&mut b, 0, 10)?;
        for round in 0..3 {
            // Both send first, ten times.
            for i in 0..10 {
                b.upload(&[100 * round + i; 10], &mut buffer)?;
                if i % 2 == 0 { b.send(0, peer, &buffer)? } else { b.send_last(0, peer, &mut buffer)? }
            }
            for _ in 0..10 {
                b.recv(1, peer, &mut buffer)?;
                values.push(value_of(&mut b, &buffer, 10)?);
            }
        }
        b.finish()?;
        Ok(values)
    });
    let expected: Vec<i32> = (0..3).flat_map(|round| (0..10).map(move |i| 100 * round + i)).collect();
    assert_eq!(received.unwrap(), [expected.clone(), expected]);
}

#[test]
fn sends_above_the_eager_limit_wait() {
    let error = threads::run(2, Config::item().eager_limit(39), |mut b| {
        let peer = 1 - b.rank();
        let mut buffer = filled(&mut b, 0, 10)?;
        b.send(0, peer, &buffer)?;
        b.recv(1, peer, &mut buffer)?;
        b.finish()
    });
    assert!(matches!(error, Err(Error::Deadlock { .. })));
}

#[test]
fn an_eager_message_that_nobody_receives_is_an_error() {
    let error = threads::run(2, Config::item().eager_limit(100), |mut b| {
        let mut buffer = filled(&mut b, 0, 1)?;
        if b.rank() == 0 {
            b.send(2, 1, &buffer)?;
            b.send(3, 1, &buffer)?;
        } else {
            b.recv(6, 0, &mut buffer)?;
        }
        b.finish()
    });
    // Whoever of the two comes last is told.
    let text = error.unwrap_err().to_string();
    let unreceived = "rank 1, step 6: rank 0, step 3 sent a message that rank 1 never receives";
    let finished = "rank 0, step 3: rank 1 has finished and will not receive";
    assert!([unreceived, finished].contains(&text.as_str()), "{text}");
}

/// Eight ranks exchange with all others, in messages of all sizes, while some of them are late.
#[test]
fn eight_ranks_under_stress() {
    let ranks = 8;
    threads::run(ranks, Config::new(), |mut b: Threads| {
        let rank = b.rank();
        let mut rng = Rng::with_seed(rank as u64);
        let sizes = [1, 100, 1500, 3000, 20_000, 100_000];
        for round in 0..120 {
            let count = sizes[round % sizes.len()];
            let mut transfers = Vec::new();
            for peer in (0..ranks).filter(|&p| p != rank && (p + rank + round) % 3 != 0) {
                let value = (round * 64 + rank * 8 + peer) as i32;
                let mine = filled(&mut b, value, count)?;
                let theirs = filled(&mut b, -1, count)?;
                transfers.extend([send(peer, mine), recv(peer, theirs)]);
            }
            if rng.u8(0..4) == 0 {
                std::thread::yield_now();
            }
            rng.shuffle(&mut transfers);
            b.batch(round as u32, &mut transfers)?;
            for transfer in transfers.iter_mut().filter(|t| t.kind == TransferKind::Recv) {
                let value = (round * 64 + transfer.peer * 8 + rank) as i32;
                assert_eq!(value_of(&mut b, &transfer.buffer, count)?, value);
                assert!(transfer.buffer.as_mut_slice::<i32>().is_some());
            }
        }
        b.finish()
    })
    .unwrap();
}
