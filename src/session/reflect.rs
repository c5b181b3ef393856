//! Session types into constants that the verifier can walk.

use counterpart_core::Payload;
use counterpart_core::node::{Comm, Comms, Domains, Node, Ranks, Uses};
use counterpart_core::tape::{Domain, Role};
use frunk::{HCons, HNil};

use super::family::{Carries, Message, Task, task_label};
use super::index::{Count, Indices, Peer};
use super::sealed::Sealed;
use super::types::{
    Absent, After, Batch, Block, Compute, Covers, Group, Overlap, Program, Range, Reads, Recv, Repeat, Send,
    Writes,
};

/// A send or a receive.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a send or a receive",
    label = "a batch holds `Send<Rank<1>, V>` and `Recv<Rank<1>, V>` only"
)]
pub trait Item: Sealed {
    /// Its reflection.
    const COMM: Comm;
}

impl<P: Peer, V: Message> Item for Send<P, V> {
    const COMM: Comm = Comm { send: true, peer: P::RANK, label: V::LABEL, payload: V::Family::CARRIES };
}

impl<P: Peer, V: Message> Item for Recv<P, V> {
    const COMM: Comm = Comm { send: false, peer: P::RANK, label: V::LABEL, payload: V::Family::CARRIES };
}

/// The items of a batch.
#[diagnostic::on_unimplemented(message = "`{Self}` is not an `HList` of sends and receives")]
pub trait Items: Sealed {
    /// Their reflection.
    const COMMS: Comms;
}

impl Items for HNil {
    const COMMS: Comms = Comms::Nil;
}

impl<H: Item, T: Items> Items for HCons<H, T> {
    const COMMS: Comms = Comms::Cons(H::COMM, &T::COMMS);
}

/// The uses of a compute step, and what follows them: the other compute steps of an [`Overlap`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an `HList` of uses",
    label = "a compute step has `Reads<V>`, `Writes<V>`, `After<T>` and `Absent`"
)]
pub trait UseList<Then = HNil>: Sealed {
    /// Their reflection.
    const USES: Uses;
}

impl<N: Parts> UseList<N> for HNil {
    const USES: Uses = N::USES;
}

impl<V: Message, T: UseList<N>, N> UseList<N> for HCons<Reads<V>, T> {
    const USES: Uses = Uses::Cons(Role::Read, V::LABEL, V::Family::CARRIES, &T::USES);
}

impl<V: Message, T: UseList<N>, N> UseList<N> for HCons<Writes<V>, T> {
    const USES: Uses = Uses::Cons(Role::Write, V::LABEL, V::Family::CARRIES, &T::USES);
}

impl<A: Task, I: Indices, T: UseList<N>, N> UseList<N> for HCons<After<A, I>, T> {
    const USES: Uses = Uses::Cons(Role::After, task_label::<A, I>(), Payload::UNKNOWN, &T::USES);
}

impl<T: UseList<N>, N> UseList<N> for HCons<Absent, T> {
    const USES: Uses = Uses::Absent(&T::USES);
}

/// Further compute steps of an [`Overlap`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an `HList` of compute steps",
    label = "an overlap holds `Compute<T, I, U>` only"
)]
pub trait Parts: Sealed {
    /// Their reflection: the name of each, and its uses.
    const USES: Uses;
}

impl Parts for HNil {
    const USES: Uses = Uses::Nil;
}

impl<T: Task, I: Indices, U: UseList<N>, N: Parts> Parts for HCons<Compute<T, I, U>, N> {
    const USES: Uses = Uses::Cons(Role::Name, task_label::<T, I>(), Payload::UNKNOWN, &U::USES);
}

/// One step, with what follows it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a step of a program",
    label = "steps are `Send`, `Recv`, `Batch`, `Compute`, `Overlap` of at least one, `Repeat` and `Block`"
)]
pub trait Step<Rest>: Sealed {
    /// The reflection of the program from this step on.
    const NODE: Node;
}

impl<P, V, R: Session> Step<R> for Send<P, V>
where
    Self: Item,
{
    const NODE: Node = Node::Single(<Self as Item>::COMM, &R::NODE);
}

impl<P, V, R: Session> Step<R> for Recv<P, V>
where
    Self: Item,
{
    const NODE: Node = Node::Single(<Self as Item>::COMM, &R::NODE);
}

impl<I: Items, R: Session> Step<R> for Batch<I> {
    const NODE: Node = Node::Batch(&I::COMMS, &R::NODE);
}

impl<T: Task, I: Indices, U: UseList, R: Session> Step<R> for Compute<T, I, U> {
    const NODE: Node = Node::Compute(task_label::<T, I>(), &U::USES, &R::NODE);
}

impl<T, I, U, N, R: Session> Step<R> for Overlap<HCons<Compute<T, I, U>, N>>
where
    T: Task,
    I: Indices,
    U: UseList<N>,
    N: Parts,
{
    const NODE: Node = Node::Compute(task_label::<T, I>(), &U::USES, &R::NODE);
}

impl<N: Count, B: Session, R: Session> Step<R> for Repeat<N, B> {
    const NODE: Node = Node::Repeat(N::COUNT, &B::NODE, &R::NODE);
}

impl<B: Session, R: Session> Step<R> for Block<B> {
    const NODE: Node = Node::Block(&B::NODE, &R::NODE);
}

/// The program of one rank: an `HList` of steps.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a session type",
    label = "a session type is an `HList` of steps"
)]
pub trait Session: Sealed {
    /// Its reflection.
    const NODE: Node;
}

impl Session for HNil {
    const NODE: Node = Node::End;
}

impl<H: Step<T>, T: Session> Session for HCons<H, T> {
    const NODE: Node = <H as Step<T>>::NODE;
}

/// The programs of all ranks, in order: an `HList` of [`Program`]s and [`Group`]s of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an `HList` of programs",
    label = "list a `Program<Rank<0>, …>` for every rank, in order"
)]
pub trait System: Sealed {
    /// Their reflection.
    const RANKS: Ranks;
}

impl System for HNil {
    const RANKS: Ranks = Ranks::Nil;
}

impl<R: Peer, S: Session, T: System> System for HCons<Program<R, S>, T> {
    const RANKS: Ranks = Ranks::Cons(R::RANK, &S::NODE, &T::RANKS);
}

impl<G: System, T: System> System for HCons<Group<G>, T> {
    const RANKS: Ranks = Ranks::Group(&G::RANKS, &T::RANKS);
}

/// The ranges of a domain.
pub trait Ranges: Sealed {
    /// How many there are.
    const ARITY: u32;
    /// Where each begins.
    const FROM: [u64; 4];
    /// Where each ends.
    const TO: [u64; 4];
}

impl Ranges for HNil {
    const ARITY: u32 = 0;
    const FROM: [u64; 4] = [0; 4];
    const TO: [u64; 4] = [0; 4];
}

impl<const FROM: u64, const TO: u64, T: Ranges> Ranges for HCons<Range<FROM, TO>, T> {
    const ARITY: u32 = T::ARITY + 1;
    const FROM: [u64; 4] = {
        assert!(T::ARITY < 4, "a domain has at most 4 dimensions");
        [FROM, T::FROM[0], T::FROM[1], T::FROM[2]]
    };
    const TO: [u64; 4] = [TO, T::TO[0], T::TO[1], T::TO[2]];
}

/// The domains over which compute steps are declared: an `HList` of [`Covers`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an `HList` of domains",
    label = "a domain is `Covers<task, HList![Range<0, 4>, Range<0, 8>]>`"
)]
pub trait Coverage: Sealed {
    /// Their reflection.
    const DOMAINS: Domains;
}

impl Coverage for HNil {
    const DOMAINS: Domains = Domains::Nil;
}

impl<A: Task, R: Ranges, T: Coverage> Coverage for HCons<Covers<A, R>, T> {
    const DOMAINS: Domains =
        Domains::Cons(A::NAME, Domain { family: 0, arity: R::ARITY, from: R::FROM, to: R::TO }, &T::DOMAINS);
}
