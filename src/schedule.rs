//! Schedules and their proof.

use core::marker::PhantomData;

use counterpart_core::node::Ranks;
use counterpart_core::prove::{Subject, prove};
use counterpart_core::{Model, Plan};

use crate::backend::Backend;
use crate::drive::{Peak, accepted};
use crate::endpoint::{Endpoint, Finished};
use crate::error::Error;
use crate::session::{Coverage, Peer, Phantom, ProgramOf, System};

/// A schedule: the session types of all ranks, and the model under which they are to be safe.
///
/// Implementing this promises nothing. What launches a schedule asks for its [`Proof`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a schedule",
    label = "nothing is proven of it",
    note = "a size of a `schedule!` is a schedule once it is declared there, such as `instance OneF1B<4, 8>;`"
)]
pub trait Schedule: Sized {
    /// The name for messages and plans.
    const NAME: &'static str;
    /// The model under which it is to be safe; the strictest unless said otherwise.
    const MODEL: Model = Model::PORTABLE;
    /// The program of each rank, in order.
    type Ranks: System;
    /// The domains that compute steps are declared over.
    type Coverage: Coverage;
    /// The proof: always `Proof::new()`, which compiles only when the schedule is safe.
    const PROOF: Proof<Self>;
    /// How many buffers each rank needs at its peak; empty where the schedule does not say.
    const PEAK: &'static [Peak] = &[];

    /// The schedule as data.
    fn plan() -> Plan {
        const { Self::PROOF }.plan()
    }

    /// Lends a rank its endpoint and runs `body`, which has to come back with the finished endpoint.
    ///
    /// # Errors
    /// When the communicator has another number of ranks than the schedule, or this is another rank; and what `body`
    /// returns.
    fn open<R, At, B, F>(rank: R, backend: &mut B, body: F) -> Result<(), Error>
    where
        R: Peer,
        Self::Ranks: ProgramOf<R, At>,
        B: Backend,
        F: for<'b> FnOnce(
            Endpoint<'b, B, <Self::Ranks as ProgramOf<R, At>>::Steps>,
        ) -> Result<Finished<'b>, Error>,
    {
        let _ = (rank, const { Self::PROOF });
        const { accepted::<Self, B>() };
        let ranks = rank_count(&<Self::Ranks as System>::RANKS);
        if (backend.rank(), backend.size()) != (R::RANK as usize, ranks) {
            return Err(Error::Usage(format!(
                "this is the program of rank {} of {ranks}, but the backend is rank {} of {}",
                R::RANK,
                backend.rank(),
                backend.size()
            )));
        }
        body(Endpoint::new(backend)).map(|_| ()).map_err(|error| error.in_plan(&Self::plan()))
    }
}

/// The number of ranks in a list.
fn rank_count(ranks: &Ranks) -> usize {
    let (mut list, mut n) = (ranks, 0);
    loop {
        match list {
            Ranks::Nil => return n,
            Ranks::Cons(_, _, rest) => (n, list) = (n + 1, rest),
            Ranks::Group(some, rest) => (n, list) = (n + rank_count(some), rest),
        }
    }
}

/// Proves schedules where `cargo check` sees it, at the place where this stands.
///
/// A constant that nobody uses is never evaluated, so an unsafe schedule would show only where it is launched.
#[macro_export]
macro_rules! prove {
    ($($schedule:ty),+ $(,)?) => {$(
        const _: $crate::Proof<$schedule> = <$schedule as $crate::Schedule>::PROOF;
    )+};
}

/// Evidence that schedule `S` is safe under its model: rustc has run the verifier over its session types.
///
/// ```
/// use counterpart::core::Model;
/// use counterpart::{Proof, Schedule, schedule};
///
/// schedule! {
///     schedule Hello;
///     message Word: [u8; 5];
///     rank 0 { send Word to 1; }
///     rank 1 { recv Word from 0; }
/// }
/// let proof: Proof<Hello> = Hello::PROOF;
/// assert!(proof.plan().verify(Model::PORTABLE).is_safe()); // as rustc has found already
/// ```
///
/// There is no other way to make one. For an unsafe schedule this does not compile:
///
/// ```compile_fail,E0080
/// use counterpart::session::{HList, HNil, Ix, Program, Rank, Recv, Send, Val};
/// use counterpart::{Proof, Schedule};
///
/// counterpart::message! { Act: [f32; 8]; }
///
/// struct Pair;
/// impl Schedule for Pair {
///     const NAME: &'static str = "Pair";
///     type Ranks = HList![
///         Program<Rank<0>, HList![Send<Rank<1>, Val<Act, (Ix<0>,)>>]>,
///         Program<Rank<1>, HList![Recv<Rank<0>, Val<Act, (Ix<1>,)>>]>,
///     ];
///     type Coverage = HNil;
///     const PROOF: Proof<Pair> = Proof::new(); // rank 1, step 0: expects `Act[1]`, but rank 0, step 0 sends `Act[0]`
/// }
/// counterpart::prove!(Pair);
/// # fn main() {}
/// ```
#[must_use = "a proof is asked for where a schedule is launched"]
pub struct Proof<S>(Phantom<S>);

impl<S> Clone for Proof<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Proof<S> {}

impl<S: Schedule> Proof<S> {
    /// The session types of the schedule, reflected.
    pub const SUBJECT: Subject = Subject {
        name: S::NAME,
        model: S::MODEL,
        ranks: &<S::Ranks as System>::RANKS,
        domains: &<S::Coverage as Coverage>::DOMAINS,
    };

    /// Proves the schedule. In a constant, where [`Schedule::PROOF`] has it, this compiles only when the schedule is
    /// safe.
    ///
    /// # Panics
    /// When the schedule is unsafe, with the fault in words.
    #[track_caller]
    #[allow(clippy::new_without_default, reason = "a default is made at run time, a proof by rustc")]
    pub const fn new() -> Proof<S> {
        prove(&Self::SUBJECT);
        Proof(PhantomData)
    }

    /// The schedule as data.
    pub fn plan(self) -> Plan {
        Plan::reflect(&Self::SUBJECT)
    }
}
