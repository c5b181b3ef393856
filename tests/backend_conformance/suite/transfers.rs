//! What every backend does: safe programs end, and every byte arrives where it belongs.

use counterpart::Element;
use counterpart::backend::{Backend, Transfer, TransferKind};
use counterpart::core::Payload;
use half::{bf16, f16};

use super::{Mount, filled, recv, send, value_of};

pub fn ranks_know_their_place<M: Mount>() {
    let places = M::run(3, |mut b| {
        let place = (b.rank(), b.size());
        b.finish()?;
        Ok(place)
    });
    assert_eq!(places.unwrap(), [(0, 3), (1, 3), (2, 3)]);
}

pub fn a_new_buffer_is_zero<M: Mount>() {
    M::run(1, |mut b| {
        let buffer = b.alloc(Payload::new(f32::DTYPE, 5))?;
        let mut host = [1.0f32; 5];
        b.download(&buffer, &mut host)?;
        assert_eq!(host, [0.0; 5]);
        b.finish()
    })
    .unwrap();
}

pub fn two_ranks_exchange<M: Mount>() {
    for count in [1, 7, 1 << 10, 1 << 20] {
        let received = M::run(2, |mut b| {
            let (rank, peer) = (b.rank(), 1 - b.rank());
            let mine = filled(&mut b, 40 + rank as i32, count)?;
            let mut theirs = filled(&mut b, 0, count)?;
            if rank == 0 {
                b.send(0, peer, &mine)?;
                b.recv(1, peer, &mut theirs)?;
            } else {
                b.recv(0, peer, &mut theirs)?;
                b.send(1, peer, &mine)?;
            }
            let value = value_of(&mut b, &theirs, count)?;
            assert_eq!(value_of(&mut b, &mine, count)?, 40 + rank as i32, "a send leaves its data as it was");
            b.finish()?;
            Ok(value)
        });
        assert_eq!(received.unwrap(), [41, 40]);
    }
}

/// Messages of one edge arrive in the order in which they were sent.
pub fn messages_keep_their_order<M: Mount>() {
    let received = M::run(2, |mut b| {
        let mut values = Vec::new();
        let mut buffer = filled(&mut b, 0, 3)?;
        for i in 0..100 {
            if b.rank() == 0 {
                b.upload(&[i; 3], &mut buffer)?;
                b.send(i as u32, 1, &buffer)?;
            } else {
                b.recv(i as u32, 0, &mut buffer)?;
                values.push(value_of(&mut b, &buffer, 3)?);
            }
        }
        b.finish()?;
        Ok(values)
    });
    assert_eq!(received.unwrap()[1], (0..100).collect::<Vec<_>>());
}

fn ring<M: Mount>(ranks: usize, rounds: u32) {
    let received = M::run(ranks, |mut b| {
        let rank = b.rank();
        let (next, last) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
        let mut mine = filled(&mut b, rank as i32, 9)?;
        let mut theirs = filled(&mut b, 0, 9)?;
        for round in 0..rounds {
            // The last rank of an odd ring does as the odd ones do, which a blocking channel allows.
            if rank % 2 == 0 && rank + 1 < ranks {
                b.send(2 * round, next, &mine)?;
                b.recv(2 * round + 1, last, &mut theirs)?;
            } else {
                b.recv(2 * round, last, &mut theirs)?;
                b.send(2 * round + 1, next, &mine)?;
            }
            std::mem::swap(&mut mine, &mut theirs);
        }
        let value = value_of(&mut b, &mine, 9)?;
        b.finish()?;
        Ok(value)
    });
    let expected: Vec<i32> =
        (0..ranks).map(|r| ((r + ranks * rounds as usize - rounds as usize) % ranks) as i32).collect();
    assert_eq!(received.unwrap(), expected);
}

pub fn an_even_ring_turns<M: Mount>() {
    ring::<M>(4, 10);
}

pub fn an_odd_ring_turns<M: Mount>() {
    ring::<M>(5, 10);
}

pub fn sixty_four_ranks_turn<M: Mount>() {
    ring::<M>(64, 3);
}

pub fn a_batch_is_full_duplex<M: Mount>() {
    for count in [1, 1 << 10, 1 << 19] {
        let received = M::run(2, |mut b| {
            let (rank, peer) = (b.rank(), 1 - b.rank());
            let mine = filled(&mut b, rank as i32, count)?;
            let theirs = filled(&mut b, 9, count)?;
            // The order inside of the list is free.
            let mut transfers = [send(peer, mine), recv(peer, theirs)];
            if rank == 1 {
                transfers.swap(0, 1);
            }
            for step in 0..10 {
                b.batch(step, &mut transfers)?;
            }
            let [a, z] = &transfers;
            let value = (value_of(&mut b, &a.buffer, count)?, value_of(&mut b, &z.buffer, count)?);
            b.finish()?;
            Ok(value)
        });
        assert_eq!(received.unwrap(), [(0, 1), (0, 1)]);
    }
}

/// The batch of one rank meets single steps of two others.
pub fn a_batch_meets_single_steps<M: Mount>() {
    let received = M::run(3, |mut b| {
        let rank = b.rank();
        let mut one = filled(&mut b, 1 + rank as i32, 4)?;
        match rank {
            0 => b.send(0, 1, &one)?,
            1 => {
                let into = filled(&mut b, 0, 4)?;
                let mut transfers = [recv(0, into), send(2, one)];
                b.batch(0, &mut transfers)?;
                [one, _] = transfers.map(|t| t.buffer);
            }
            _ => b.recv(0, 1, &mut one)?,
        }
        let value = value_of(&mut b, &one, 4)?;
        b.finish()?;
        Ok(value)
    });
    assert_eq!(received.unwrap(), [1, 1, 2]);
}

/// The batches of three ranks turn a ring.
pub fn three_ranks_run_as_one<M: Mount>() {
    for count in [2, 1 << 18] {
        let received = M::run(3, |mut b| {
            let rank = b.rank() as i32;
            let mine = filled(&mut b, 10 + rank, count)?;
            let mut theirs = filled(&mut b, 0, count)?;
            let value = match rank {
                0 => {
                    let mut transfers = [send(1, mine), recv(2, theirs)];
                    b.batch(0, &mut transfers)?;
                    value_of(&mut b, &transfers[1].buffer, count)?
                }
                1 => {
                    let again = filled(&mut b, 21, count)?;
                    let mut transfers = [recv(0, theirs), send(2, again)];
                    b.batch(0, &mut transfers)?;
                    value_of(&mut b, &transfers[0].buffer, count)?
                }
                _ => {
                    let mut transfers = [send(0, mine), recv(1, theirs)];
                    b.batch(0, &mut transfers)?;
                    theirs = filled(&mut b, 0, count)?;
                    b.recv(1, 1, &mut theirs)?;
                    value_of(&mut b, &transfers[1].buffer, count)? + value_of(&mut b, &theirs, count)?
                }
            };
            if rank == 1 {
                let last = filled(&mut b, 100, count)?;
                b.send(1, 2, &last)?;
            }
            b.finish()?;
            Ok(value)
        });
        assert_eq!(received.unwrap(), [12, 10, 121]);
    }
}

pub fn all_ranks_exchange_with_all<M: Mount>() {
    let ranks = 6;
    let received = M::run(ranks, |mut b| {
        let rank = b.rank();
        let mut transfers = Vec::new();
        for peer in (0..ranks).filter(|&p| p != rank) {
            let mine = filled(&mut b, (10 * rank + peer) as i32, 100)?;
            let theirs = filled(&mut b, 0, 100)?;
            transfers.extend([send(peer, mine), recv(peer, theirs)]);
        }
        b.batch(0, &mut transfers)?;
        for transfer in &transfers {
            let (from, to) = match transfer.kind {
                TransferKind::Recv => (transfer.peer, rank),
                _ => (rank, transfer.peer),
            };
            assert_eq!(value_of(&mut b, &transfer.buffer, 100)?, (10 * from + to) as i32);
        }
        b.finish()
    });
    received.unwrap();
}

pub fn an_empty_batch_is_over_at_once<M: Mount>() {
    M::run(2, |mut b| {
        b.batch(0, &mut [])?;
        b.finish()
    })
    .unwrap();
}

/// What was sent for the last time arrives, and the buffer can be used for something else.
pub fn a_last_send_arrives<M: Mount>() {
    for count in [1, 1 << 18] {
        let received = M::run(2, |mut b| {
            let rank = b.rank();
            let mut buffer = filled(&mut b, 5 + rank as i32, count)?;
            let value = if rank == 0 {
                b.send_last(0, 1, &mut buffer)?;
                b.recv(1, 1, &mut buffer)?;
                let other = filled(&mut b, 0, count)?;
                let mut transfers =
                    [Transfer { kind: TransferKind::SendLast, peer: 1, buffer }, recv(1, other)];
                b.batch(2, &mut transfers)?;
                value_of(&mut b, &transfers[1].buffer, count)?
            } else {
                let seven = filled(&mut b, 7, count)?;
                b.recv(0, 0, &mut buffer)?;
                let value = value_of(&mut b, &buffer, count)?;
                b.send_last(1, 0, &mut buffer)?;
                b.upload(&vec![0; count], &mut buffer)?;
                let mut transfers = [recv(0, buffer), send(0, seven)];
                b.batch(2, &mut transfers)?;
                value * 10 + value_of(&mut b, &transfers[0].buffer, count)?
            };
            b.finish()?;
            Ok(value)
        });
        assert_eq!(received.unwrap(), [7, 55]);
    }
}

/// One buffer goes to two ranks in one batch, and can be written anew afterwards.
pub fn a_shared_buffer_goes_to_two_ranks<M: Mount>() {
    for count in [1, 1 << 18] {
        let received = M::run(3, |mut b| {
            let mut buffer = filled(&mut b, 0, count)?;
            let mut sum = 0;
            for turn in 0..3 {
                if b.rank() == 0 {
                    b.upload(&vec![turn + 5; count], &mut buffer)?;
                    let second = b.share(&buffer)?;
                    let mut transfers = [send(1, buffer), send(2, second)];
                    b.batch(turn as u32, &mut transfers)?;
                    [Transfer { buffer, .. }, _] = transfers;
                } else {
                    b.recv(turn as u32, 0, &mut buffer)?;
                    sum = 10 * sum + value_of(&mut b, &buffer, count)?;
                }
            }
            b.finish()?;
            Ok(sum)
        });
        assert_eq!(received.unwrap(), [0, 567, 567]);
    }
}

pub fn uploads_and_downloads_are_checked<M: Mount>() {
    M::run(1, |mut b| {
        let mut buffer = b.alloc(Payload::new(f32::DTYPE, 4))?;
        assert!(b.upload(&[0.0f32; 3], &mut buffer).is_err());
        assert!(b.upload(&[0u32; 4], &mut buffer).is_err());
        assert!(b.download(&buffer, &mut [0.0f32; 5]).is_err());
        assert!(b.download(&buffer, &mut [0i64; 4]).is_err());
        b.finish()
    })
    .unwrap();
}

fn carries<M: Mount, T: Element>(data: &[T]) {
    let payload = Payload::new(T::DTYPE, data.len() as u64);
    M::run(2, |mut b| {
        let mut buffer = b.alloc(payload)?;
        if b.rank() == 0 {
            b.upload(data, &mut buffer)?;
            b.send(0, 1, &buffer)?;
        } else {
            b.recv(0, 0, &mut buffer)?;
            let mut host = vec![T::default(); data.len()];
            b.synchronize()?;
            b.download(&buffer, &mut host)?;
            assert_eq!(host, data);
        }
        b.finish()
    })
    .unwrap();
}

macro_rules! element_types {
    ($($rust:ident)*) => {
        paste::paste! { $(
            pub fn [<carries_ $rust>]<M: Mount>() {
                carries::<M, $rust>(&[$rust::MIN, $rust::MAX, $rust::default()]);
            }
        )* }
    };
}
element_types!(f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64);
