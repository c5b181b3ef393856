//! What a backend that sees all its ranks does when one of them goes wrong: every rank returns an error that names
//! the cause, and nobody hangs.

use std::sync::Mutex;

use counterpart::Error;
use counterpart::backend::Backend;
use counterpart::core::{DType, Payload};

use super::{Mount, filled, recv, send};

/// Runs a program that must fail on every rank; returns what each rank was told.
fn told<M: Mount>(ranks: usize, body: impl Fn(&mut M::Backend) -> Result<(), Error> + Sync) -> Vec<String> {
    let told = Mutex::new(Vec::new());
    let end = M::run(ranks, |mut b| {
        let error = body(&mut b).expect_err("the program must fail");
        told.lock().unwrap().push(error.to_string());
        Err::<(), _>(error)
    });
    first_cause(end);
    let told = told.into_inner().unwrap();
    assert_eq!(told.len(), ranks);
    told
}

fn first_cause<T>(result: Result<Vec<T>, Error>) -> Error {
    result.err().expect("the program must fail")
}

pub fn element_types_must_agree<M: Mount>() {
    let error = first_cause(M::run(2, |mut b| {
        let dtype = if b.rank() == 0 { DType::F32 } else { DType::I32 };
        let mut buffer = b.alloc(Payload::new(dtype, 4))?;
        match b.rank() {
            0 => b.send(3, 1, &buffer)?,
            _ => b.recv(5, 0, &mut buffer)?,
        }
        b.finish()
    }));
    let Error::Rule { rank: 0, step: 3, reason } = &error else { panic!("{error:?}") };
    assert_eq!(
        reason,
        "the send of 4 f32 (rank 0, step 3) meets a receive of 4 i32 (rank 1, step 5); \
         make the element types agree"
    );
}

pub fn counts_must_agree<M: Mount>() {
    let error = first_cause(M::run(3, |mut b| {
        let count = if b.rank() == 0 { 4 } else { 8 };
        let mut buffer = filled(&mut b, 0, count)?;
        match b.rank() {
            0 => b.batch(3, &mut [send(1, buffer)])?,
            1 => b.recv(5, 0, &mut buffer)?,
            _ => b.recv(0, 0, &mut buffer)?,
        }
        b.finish()
    }));
    let Error::Rule { rank: 0, step: 3, reason } = &error else { panic!("{error:?}") };
    assert!(
        reason.starts_with("the send of 4 i32 (rank 0, step 3) meets a receive of 8 i32 (rank 1, step 5)")
    );
    assert!(reason.ends_with("make the counts agree"), "{reason}");
}

pub fn a_peer_must_exist<M: Mount>() {
    for (peer, expected) in [(2, "there is no rank 2; ranks are 0..2"), (0, "a rank cannot send to itself")] {
        let error = first_cause(M::run(2, |mut b| {
            let mut buffer = filled(&mut b, 0, 1)?;
            match b.rank() {
                0 => b.send(4, peer, &buffer)?,
                _ => b.recv(0, 0, &mut buffer)?,
            }
            b.finish()
        }));
        let Error::Rule { rank: 0, step: 4, reason } = &error else { panic!("{error:?}") };
        assert!(reason.starts_with(expected), "{reason}");
    }
}

pub fn a_rank_that_fails_ends_the_world<M: Mount>() {
    let error = first_cause(M::run(4, |mut b| {
        let mut buffer = filled(&mut b, 0, 1)?;
        if b.rank() == 2 {
            return Err(Error::Compute { rank: 2, step: 1, source: "the loss is not a number".into() });
        }
        let error = b.recv(7, (b.rank() + 1) % 4, &mut buffer).unwrap_err();
        match &error {
            Error::Peer { rank, step: 7, peer: 2, reason } => {
                assert_eq!(*rank, b.rank());
                assert!(reason.starts_with("left before it had finished"), "{reason}");
            }
            other => panic!("{other:?}"),
        }
        // Later waits return it too.
        assert!(matches!(b.send(8, 2, &buffer), Err(Error::Peer { step: 8, peer: 2, .. })));
        Err::<(), _>(error)
    }));
    assert_eq!(error.to_string(), "rank 2, step 1: the loss is not a number");
}

pub fn a_rank_that_panics_ends_the_world<M: Mount>() {
    let error = first_cause(M::run(3, |mut b| {
        let mut buffer = filled(&mut b, 0, 1)?;
        if b.rank() == 1 {
            b.compute(6);
            panic!("rank 1 panics as it should");
        }
        let error = b.recv(0, 1, &mut buffer).unwrap_err();
        let Error::Peer { peer: 1, reason, .. } = &error else { panic!("{error:?}") };
        assert_eq!(reason, "panicked, at step 6");
        Err::<(), _>(error)
    }));
    assert_eq!(error.to_string(), "rank 1 panicked: rank 1 panics as it should");
}

pub fn a_rank_that_leaves_ends_the_world<M: Mount>() {
    let error = first_cause(M::run(2, |mut b| {
        let mut buffer = filled(&mut b, 0, 1)?;
        if b.rank() == 1 {
            return Ok(());
        }
        let error = b.recv(0, 1, &mut buffer).unwrap_err();
        let Error::Peer { peer: 1, reason, .. } = &error else { panic!("{error:?}") };
        assert_eq!(reason, "left before it had finished, before its first step");
        Err(error)
    }));
    assert_eq!(error.to_string(), "rank 1 left before it had finished, before its first step");
}

pub fn a_finished_rank_is_not_waited_for<M: Mount>() {
    let error = first_cause(M::run(3, |mut b| {
        let mut buffer = filled(&mut b, 0, 1)?;
        match b.rank() {
            0 => b.recv(2, 1, &mut buffer)?,
            1 => {}
            _ => b.recv(0, 0, &mut buffer)?,
        }
        b.finish()
    }));
    assert_eq!(error.to_string(), "rank 0, step 2: rank 1 has finished and will not send");
}

pub fn two_ranks_that_send_first_are_told<M: Mount>() {
    let told = told::<M>(2, |b| {
        let peer = 1 - b.rank();
        let mut buffer = filled(b, 0, 1)?;
        b.compute(0);
        b.send(1, peer, &buffer)?;
        b.recv(2, peer, &mut buffer)
    });
    for text in told {
        assert!(text.starts_with("deadlock: "), "{text}");
        assert!(text.contains("rank 0, step 1 waits to send to rank 1, which is at step 1"), "{text}");
        assert!(text.contains("rank 1, step 1 waits to send to rank 0, which is at step 1"), "{text}");
    }
}

/// A circle of three is seen, and a fourth rank that waits for one of them is told too.
pub fn three_ranks_in_a_circle_are_told<M: Mount>() {
    let told = told::<M>(4, |b| {
        let mut buffer = filled(b, 0, 1)?;
        if b.rank() == 3 {
            return b.recv(9, 2, &mut buffer);
        }
        let (next, last) = ((b.rank() + 1) % 3, (b.rank() + 2) % 3);
        b.recv(4, last, &mut buffer)?;
        b.send(5, next, &buffer)
    });
    for text in told {
        for (rank, last) in [(0, 2), (1, 0), (2, 1)] {
            let wait = format!("rank {rank}, step 4 waits to receive from rank {last}, which is at step 4");
            assert!(text.contains(&wait), "{text}");
        }
    }
}

pub fn a_batch_with_two_blocks_is_refused<M: Mount>() {
    let error = first_cause(M::run(2, |mut b| {
        let (a, z) = (filled(&mut b, 0, 1)?, filled(&mut b, 0, 1)?);
        match b.rank() {
            0 => b.batch(2, &mut [send(1, a), send(1, z)])?,
            _ => b.batch(0, &mut [recv(0, a), recv(0, z)])?,
        }
        b.finish()
    }));
    let text = error.to_string();
    assert!(text.contains("the batch has two"), "{text}");
    assert!(text.ends_with("split the batch"), "{text}");
}

pub fn a_batch_must_balance<M: Mount>() {
    let error = first_cause(M::run(2, |mut b| {
        let (a, mut z) = (filled(&mut b, 0, 1)?, filled(&mut b, 0, 1)?);
        match b.rank() {
            0 => b.batch(2, &mut [send(1, a), recv(1, z)])?,
            _ => {
                b.recv(1, 0, &mut z)?;
                b.send(2, 0, &a)?;
            }
        }
        b.finish()
    }));
    let Error::Rule { rank: 0, step: 2, reason } = &error else { panic!("{error:?}") };
    assert_eq!(
        reason,
        "the batches do not balance: rank 0, step 2 also receives from rank 1, but rank 1, step 1 does not \
         send to rank 0; put both ends into these two steps, or neither"
    );
}
