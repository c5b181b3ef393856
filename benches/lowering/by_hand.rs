//! One-forward-one-backward as a person would write it: loops over micro-batches, and buffers that are used in turn.

use counterpart::backend::{Backend, Transfer, TransferKind};
use counterpart::core::Payload;
use counterpart::session::Family;
use counterpart::{Error, Read, StepError, Write};

use crate::one_f1b::{Act, Compute, Grad};

/// The loop of one rank, with its buffers.
pub struct ByHand<B: Backend> {
    rank: usize,
    last_rank: usize,
    micro_batches: usize,
    warmup: usize,
    /// Activations that came in and have not gone backward yet, micro-batch `m` in place `m % acts.len()`. On the
    /// first rank, where none come in, the places are empty.
    acts: Vec<Option<B::Buffer>>,
    /// Empty on the last rank, as is `grad_in`.
    act_out: Option<B::Buffer>,
    grad_in: Option<B::Buffer>,
    /// Empty on the first rank.
    grad_out: Option<B::Buffer>,
}

impl<B: Backend> ByHand<B> {
    /// Allocates the buffers of this rank.
    pub fn new(backend: &mut B, micro_batches: usize) -> Result<Self, Error> {
        let (rank, last_rank) = (backend.rank(), backend.size() - 1);
        let warmup = micro_batches.min(last_rank - rank);
        let mut buffer = |wanted: bool, payload: Payload| wanted.then(|| backend.alloc(payload)).transpose();
        let acts = (0..=warmup).map(|_| buffer(rank > 0, Act::PAYLOAD));
        Ok(ByHand {
            rank,
            last_rank,
            micro_batches,
            warmup,
            acts: acts.collect::<Result<_, _>>()?,
            act_out: buffer(rank < last_rank, Act::PAYLOAD)?,
            grad_in: buffer(rank < last_rank, Grad::PAYLOAD)?,
            grad_out: buffer(rank > 0, Grad::PAYLOAD)?,
        })
    }

    /// Runs the schedule once.
    pub fn run<C: Compute<B>>(&mut self, backend: &mut B, compute: &mut C) -> Result<(), Error> {
        let ByHand { rank, last_rank, micro_batches, warmup, acts, act_out, grad_in, grad_out } = self;
        let (rank, micro_batches, warmup) = (*rank, *micro_batches, *warmup);
        let (first, last) = (rank == 0, rank == *last_rank);
        let (steady, window) = (micro_batches - warmup, acts.len());
        let failed = |step, source: StepError| Error::Compute { rank, step, source };
        let mut step = 0;

        for m in 0..warmup {
            let act = &mut acts[m % window];
            if !first {
                backend.recv(step, rank - 1, there(act)?)?;
                step += 1;
            }
            backend.compute(step);
            compute
                .forward(rank, m, act.as_ref().map(Read::new), act_out.as_mut().map(Write::new))
                .map_err(|source| failed(step, source))?;
            step += 1;
            if !last {
                backend.send_last(step, rank + 1, there(act_out)?)?;
                step += 1;
            }
        }

        if !first && steady > 0 {
            backend.recv(step, rank - 1, there(&mut acts[warmup % window])?)?;
            step += 1;
        }
        for k in 0..steady {
            let m = warmup + k;
            backend.compute(step);
            compute
                .forward(rank, m, acts[m % window].as_ref().map(Read::new), act_out.as_mut().map(Write::new))
                .map_err(|source| failed(step, source))?;
            step += 1;
            if !last {
                exchange(backend, step, rank + 1, act_out, grad_in)?;
                step += 1;
            }
            let act = &mut acts[k % window];
            backend.compute(step);
            compute
                .backward(
                    rank,
                    k,
                    act.as_ref().map(Read::new),
                    grad_in.as_ref().map(Read::new),
                    grad_out.as_mut().map(Write::new),
                )
                .map_err(|source| failed(step, source))?;
            step += 1;
            if !first {
                if k + 1 < steady {
                    // The place of micro-batch `k` is that of `m + 1`.
                    exchange(backend, step, rank - 1, grad_out, act)?;
                } else {
                    let mut transfers =
                        [Transfer { kind: TransferKind::SendLast, peer: rank - 1, buffer: take(grad_out)? }];
                    let done = backend.batch(step, &mut transfers);
                    let [sent] = transfers;
                    *grad_out = Some(sent.buffer);
                    done?;
                }
                step += 1;
            }
        }

        for m in steady..micro_batches {
            if !last {
                backend.recv(step, rank + 1, there(grad_in)?)?;
                step += 1;
            }
            let act = &acts[m % window];
            backend.compute(step);
            compute
                .backward(
                    rank,
                    m,
                    act.as_ref().map(Read::new),
                    grad_in.as_ref().map(Read::new),
                    grad_out.as_mut().map(Write::new),
                )
                .map_err(|source| failed(step, source))?;
            step += 1;
            if !first {
                backend.send_last(step, rank - 1, there(grad_out)?)?;
                step += 1;
            }
        }
        Ok(())
    }
}

/// Sends one buffer for the last time and receives into another, in one batch.
#[inline]
fn exchange<B: Backend>(
    backend: &mut B,
    step: u32,
    peer: usize,
    out: &mut Option<B::Buffer>,
    into: &mut Option<B::Buffer>,
) -> Result<(), Error> {
    let mut transfers = [
        Transfer { kind: TransferKind::SendLast, peer, buffer: take(out)? },
        Transfer { kind: TransferKind::Recv, peer, buffer: take(into)? },
    ];
    let done = backend.batch(step, &mut transfers);
    let [sent, received] = transfers;
    (*out, *into) = (Some(sent.buffer), Some(received.buffer));
    done
}

#[inline]
fn there<T>(place: &mut Option<T>) -> Result<&mut T, Error> {
    place.as_mut().ok_or_else(lost)
}

#[inline]
fn take<T>(place: &mut Option<T>) -> Result<T, Error> {
    place.take().ok_or_else(lost)
}

#[cold]
fn lost() -> Error {
    Error::Usage("a buffer of this rank is lost".into())
}
