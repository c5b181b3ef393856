//! Compute steps: their buffers leave the pool for the time of the step.

use frunk::{HCons, HNil};

use super::StepResult;
use super::program::Run;
use crate::backend::Backend;
use crate::error::Error;
use crate::session::{Absent, After, Reads, Task, Writes};

/// Compute type `C` performs compute steps of this kind on backend `B`.
///
/// `schedule!` implements this for each kind of compute step, calling the method of the same name of the trait that
/// the user implements. By hand it is implemented for the type that [`task!`](crate::task) declares.
#[diagnostic::on_unimplemented(
    message = "`{C}` does not perform compute step `{Self}`",
    label = "implement the compute trait of the schedule for `{C}`"
)]
pub trait Perform<B: Backend, C: ?Sized>: Task {
    /// An `HList` with a [`Place`] for each read and write that the step declares, in order.
    type Buffers;

    /// Performs the step with these indices.
    ///
    /// # Errors
    /// Whatever the user's method fails with.
    fn perform(compute: &mut C, at: [usize; 4], buffers: &mut Self::Buffers) -> StepResult;
}

/// A place for a buffer; empty where a compute step does not have that use.
pub type Place<B> = Option<<B as Backend>::Buffer>;

/// The uses of a compute step, as buffers that leave the pool and return.
pub trait Take<B: Backend> {
    /// An `HList` of places.
    type Taken;

    /// Takes the buffers out of the pool.
    ///
    /// # Errors
    /// When the pool lost a buffer in an earlier failure.
    fn take(run: &mut Run<'_, B>) -> Result<Self::Taken, Error>;

    /// Puts them back. `first` is the number of the first use.
    fn put_back(run: &mut Run<'_, B>, first: usize, taken: Self::Taken);
}

impl<B: Backend> Take<B> for HNil {
    type Taken = HNil;

    #[inline]
    fn take(_: &mut Run<'_, B>) -> Result<HNil, Error> {
        Ok(HNil)
    }

    #[inline]
    fn put_back(_: &mut Run<'_, B>, _: usize, _: HNil) {}
}

macro_rules! takes {
    ($($use_:ident),*) => {$(
        impl<B: Backend, V, T: Take<B>> Take<B> for HCons<$use_<V>, T> {
            type Taken = HCons<Place<B>, T::Taken>;

            #[inline]
            fn take(run: &mut Run<'_, B>) -> Result<Self::Taken, Error> {
                let head = Some(run.take_buffer()?);
                Ok(HCons { head, tail: T::take(run)? })
            }

            #[inline]
            fn put_back(run: &mut Run<'_, B>, first: usize, taken: Self::Taken) {
                run.put_buffer(first, taken.head);
                T::put_back(run, first + 1, taken.tail);
            }
        }
    )*};
}

takes!(Reads, Writes);

impl<B: Backend, T: Take<B>> Take<B> for HCons<Absent, T> {
    type Taken = HCons<Place<B>, T::Taken>;

    #[inline]
    fn take(run: &mut Run<'_, B>) -> Result<Self::Taken, Error> {
        Ok(HCons { head: None, tail: T::take(run)? })
    }

    #[inline]
    fn put_back(run: &mut Run<'_, B>, first: usize, taken: Self::Taken) {
        T::put_back(run, first, taken.tail);
    }
}

impl<B: Backend, A, I, T: Take<B>> Take<B> for HCons<After<A, I>, T> {
    type Taken = T::Taken;

    #[inline]
    fn take(run: &mut Run<'_, B>) -> Result<Self::Taken, Error> {
        T::take(run)
    }

    #[inline]
    fn put_back(run: &mut Run<'_, B>, first: usize, taken: Self::Taken) {
        T::put_back(run, first, taken);
    }
}
