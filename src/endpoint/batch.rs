//! The transfers of a batch, checked against its session type.

use frunk::{HCons, HNil};

use super::allowed::sealed::Batches;
use super::allowed::{RecvAt, SendAt};
use super::tensor::Tensor;
use crate::backend::{Backend, Transfer, TransferKind};
use crate::error::Error;
use crate::session::{Batch, Family, Peer, Recv, Send};

/// A send in a batch.
pub struct Sending<'t, P, F, B: Backend>(P, &'t mut Tensor<F, B>);

/// A receive in a batch.
pub struct Receiving<'t, P, F, B: Backend>(P, &'t mut Tensor<F, B>);

/// Sends `what` to a rank, in a batch. The tensor is borrowed until the batch has ended.
pub fn sending<P: Peer, F: Family, B: Backend>(to: P, what: &mut Tensor<F, B>) -> Sending<'_, P, F, B> {
    Sending(to, what)
}

/// Receives from a rank into `into`, in a batch. The tensor is borrowed until the batch has ended.
pub fn receiving<P: Peer, F: Family, B: Backend>(from: P, into: &mut Tensor<F, B>) -> Receiving<'_, P, F, B> {
    Receiving(from, into)
}

/// The next step `Head` is a batch of just these transfers.
#[diagnostic::on_unimplemented(
    message = "the protocol does not allow this batch here",
    label = "the next step is `{Head}`",
    note = "list the transfers in the order of the session type: `hlist![sending(Rank::<1>, &mut x), receiving(Rank::<1>, &mut y)]`"
)]
pub trait BatchAt<Head, B: Backend>: Batches<Head, B> {
    /// The number of transfers.
    const LEN: usize;

    /// Moves the memory into the list of transfers.
    ///
    /// # Errors
    /// When a tensor has none.
    fn lend(&mut self, lent: &mut Vec<Transfer<B::Buffer>>) -> Result<(), Error>;

    /// Takes the memory back.
    fn take_back(&mut self, lent: &mut std::vec::IntoIter<Transfer<B::Buffer>>);
}

impl<B: Backend> Batches<Batch<HNil>, B> for HNil {}
#[diagnostic::do_not_recommend]
impl<B: Backend> BatchAt<Batch<HNil>, B> for HNil {
    const LEN: usize = 0;

    fn lend(&mut self, _: &mut Vec<Transfer<B::Buffer>>) -> Result<(), Error> {
        Ok(())
    }

    fn take_back(&mut self, _: &mut std::vec::IntoIter<Transfer<B::Buffer>>) {}
}

macro_rules! transfers {
    ($($operation:ident for $step:ident at $at:ident as $kind:ident),*) => {$(
        impl<P, V, F, I, T, B> Batches<Batch<HCons<$step<P, V>, I>>, B> for HCons<$operation<'_, P, F, B>, T>
        where
            F: $at<$step<P, V>, P>,
            T: BatchAt<Batch<I>, B>,
            B: Backend,
        {
        }
        #[diagnostic::do_not_recommend]
        impl<P, V, F, I, T, B> BatchAt<Batch<HCons<$step<P, V>, I>>, B> for HCons<$operation<'_, P, F, B>, T>
        where
            P: Peer,
            F: Family + $at<$step<P, V>, P>,
            T: BatchAt<Batch<I>, B>,
            B: Backend,
        {
            const LEN: usize = T::LEN + 1;

            fn lend(&mut self, lent: &mut Vec<Transfer<B::Buffer>>) -> Result<(), Error> {
                let buffer = self.head.1.lend()?;
                lent.push(Transfer { kind: TransferKind::$kind, peer: P::RANK as usize, buffer });
                self.tail.lend(lent)
            }

            fn take_back(&mut self, lent: &mut std::vec::IntoIter<Transfer<B::Buffer>>) {
                self.head.1.take_back(lent.next().map(|transfer| transfer.buffer));
                self.tail.take_back(lent);
            }
        }
    )*};
}

transfers!(Sending for Send at SendAt as Send, Receiving for Recv at RecvAt as Recv);
