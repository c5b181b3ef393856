//! Numbers in session types: ranks, counts and indices.
//!
//! Each has a short name that reads well in an error, `Rank<3>`, `Times<8>`, `Ix<2, 1>`, and each may also be a
//! `typenum` number, so that types which are generic in a rank can calculate: `Send<Sum<R, U1>, …>`.

use counterpart_core::node::{Affine, MAX_LOOPS};
use typenum::Unsigned;

/// Rank number `R`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rank<const R: u32>;

/// So many turns of a loop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times<const N: u32>;

/// An index that is affine in the counters of the enclosing loops: `BASE + K0·k₀ + K1·k₁ + …`, where k₀ counts the
/// turns of the innermost loop, k₁ those of the loop around it, and so on.
///
/// ```
/// use counterpart::session::{Index, Ix};
///
/// assert_eq!(<Ix<3> as Index>::at([9, 9, 9, 9]), 3);
/// assert_eq!(<Ix<3, 1> as Index>::at([2, 0, 0, 0]), 5); // 3 + k
/// assert_eq!(<Ix<0, 1, 4> as Index>::at([2, 1, 0, 0]), 6); // k + 4·outer
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Ix<const BASE: i64, const K0: i64 = 0, const K1: i64 = 0, const K2: i64 = 0, const K3: i64 = 0>;

/// Counters of the enclosing loops, the innermost first.
pub type Loops = [usize; MAX_LOOPS];

/// What an index is in the proof, it is in a run: that is not for its author to say.
mod sealed {
    pub trait Index {}
    pub trait Indices {}
}

/// The other end of a transfer: a [`Rank`], or a `typenum` number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the number of a rank",
    label = "a rank is `Rank<3>`, or a `typenum` number such as `U3`"
)]
pub trait Peer {
    /// The number of the rank.
    const RANK: u32;
}

impl<const R: u32> Peer for Rank<R> {
    const RANK: u32 = R;
}

#[diagnostic::do_not_recommend]
impl<T: Unsigned> Peer for T {
    const RANK: u32 = fits::<T>(u32::MAX as u64) as u32;
}

/// How often a loop turns: [`Times`], or a `typenum` number. What does not fit does not compile:
///
/// ```compile_fail,E0080
/// use counterpart::session::Count;
///
/// const TURNS: u32 = <typenum::U4294967296 as Count>::COUNT; // 2^32
/// # fn main() {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number of turns",
    label = "a number of turns is `Times<8>`, or a `typenum` number such as `U8`"
)]
pub trait Count {
    /// The number of turns.
    const COUNT: u32;
}

impl<const N: u32> Count for Times<N> {
    const COUNT: u32 = N;
}

#[diagnostic::do_not_recommend]
impl<T: Unsigned> Count for T {
    const COUNT: u32 = fits::<T>(u32::MAX as u64) as u32;
}

/// An index of a value: [`Ix`], or a `typenum` number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index",
    label = "an index is `Ix<3>`, `Ix<3, 1>` for 3 + k in a loop, or a `typenum` number such as `U3`"
)]
pub trait Index: sealed::Index {
    /// The index as a function of the loop counters.
    const AFFINE: Affine;

    /// Its value at these counters.
    #[inline]
    fn at(loops: Loops) -> usize {
        let Affine { base, strides } = Self::AFFINE;
        let mut index = base;
        for (stride, counter) in strides.iter().zip(loops) {
            index += stride * counter as i64;
        }
        index as usize
    }
}

impl<const BASE: i64, const K0: i64, const K1: i64, const K2: i64, const K3: i64> sealed::Index
    for Ix<BASE, K0, K1, K2, K3>
{
}

impl<const BASE: i64, const K0: i64, const K1: i64, const K2: i64, const K3: i64> Index
    for Ix<BASE, K0, K1, K2, K3>
{
    const AFFINE: Affine = Affine { base: BASE, strides: [K0, K1, K2, K3] };
}

impl<T: Unsigned> sealed::Index for T {}

#[diagnostic::do_not_recommend]
impl<T: Unsigned> Index for T {
    const AFFINE: Affine = Affine { base: fits::<T>(i64::MAX as u64) as i64, strides: [0; MAX_LOOPS] };
}

/// A `typenum` number; its own conversions drop the bits that do not fit.
const fn fits<T: Unsigned>(most: u64) -> u64 {
    assert!(T::U64 <= most, "this number is too large for a rank, a number of turns or an index");
    T::U64
}

/// The indices of a value or of a compute step: a tuple of up to four [`Index`]es.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of indices",
    label = "indices are a tuple such as `(Ix<1>, Ix<0, 1>)`; a single one is `(Ix<1>,)`"
)]
pub trait Indices: sealed::Indices {
    /// Each index as a function of the loop counters.
    const AFFINE: &'static [Affine];

    /// Their values at these counters; those that are not there are 0.
    fn at(loops: Loops) -> [usize; 4];
}

macro_rules! indices {
    ($([$($index:ident)*])*) => {$(
        impl<$($index: Index),*> sealed::Indices for ($($index,)*) {}

        impl<$($index: Index),*> Indices for ($($index,)*) {
            const AFFINE: &'static [Affine] = &[$($index::AFFINE),*];

            #[inline]
            fn at(loops: Loops) -> [usize; 4] {
                let _ = loops;
                let indices: &[usize] = &[$($index::at(loops)),*];
                let mut all = [0; 4];
                all[..indices.len()].copy_from_slice(indices);
                all
            }
        }
    )*};
}

indices!([] [A] [A B] [A B C] [A B C D]);
