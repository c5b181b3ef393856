//! Session types: the program of a rank as an `HList` of steps.

use super::family::Phantom;

/// Sends value `V` to rank `To`.
pub struct Send<To, V>(Phantom<(To, V)>);

/// Receives value `V` from rank `From`.
pub struct Recv<From, V>(Phantom<(From, V)>);

/// Sends and receives that run together: an `HList` of [`Send`]s and [`Recv`]s. Their order does not matter.
pub struct Batch<Items>(Phantom<Items>);

/// Runs compute step `T` with indices `I`, a tuple; `Uses` is an `HList` of [`Reads`], [`Writes`], [`After`] and
/// [`Absent`].
pub struct Compute<T, I, Uses>(Phantom<(T, I, Uses)>);

/// Runs several compute steps as one: an `HList` of [`Compute`]s.
///
/// The step begins when all that any of them reads is there, and what they write can be sent when all have ended. Their
/// methods are called in the order of the list; on a device a method issues its work, so that the parts overlap there.
pub struct Overlap<Parts>(Phantom<Parts>);

/// Runs the steps of `Body` so many times.
pub struct Repeat<N, Body>(Phantom<(N, Body)>);

/// Runs the steps of `Body` once. It keeps lists short, since rustc's time grows with their length.
pub struct Block<Body>(Phantom<Body>);

/// A compute step reads value `V`.
pub struct Reads<V>(Phantom<V>);

/// A compute step writes value `V`.
pub struct Writes<V>(Phantom<V>);

/// A compute step runs after compute step `T` with indices `I`.
pub struct After<T, I>(Phantom<(T, I)>);

/// A use that the compute step has elsewhere but not here; it keeps the place of its buffer.
pub struct Absent;

/// The program of rank `R`: an `HList` of steps.
pub struct Program<R, Steps>(Phantom<(R, Steps)>);

/// Some programs of a long list of ranks. It keeps lists short.
pub struct Group<Programs>(Phantom<Programs>);

/// Nothing more: the next step of a program that has come to its end.
pub struct End;

/// Compute step `T` is declared over a domain, an `HList` of [`Range`]s: it runs exactly once for each element.
pub struct Covers<T, Ranges>(Phantom<(T, Ranges)>);

/// The indices from `FROM` up to `TO`, exclusive.
pub struct Range<const FROM: u64, const TO: u64>;
