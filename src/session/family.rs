//! Message families and compute steps as types.
//!
//! [`message!`](crate::message) declares a family, [`task!`](crate::task) a kind of compute step. `Act` is a family;
//! `Val<Act, (Ix<1>, Ix<0, 1>)>` is its value `Act[1, k]`.

use core::marker::PhantomData;

use counterpart_core::{Payload, node};

use super::index::Indices;
use crate::element::Element;

/// A named kind of payload, with element type and shape.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a message family",
    label = "declare it with `message!`"
)]
pub trait Family {
    /// The element type.
    type Elem: Element;
    /// The name as plans and messages show it.
    const NAME: &'static str;
    /// The shape, outermost dimension first.
    const SHAPE: &'static [usize];
    /// Elements of one message. Leave it as it is: it follows from the shape, and a schedule with a family that says
    /// something else does not compile.
    const COUNT: usize = count(Self::SHAPE);
    /// Element type and count of one message. Leave it as it is, too.
    const PAYLOAD: Payload = Payload::new(<Self::Elem as Element>::DTYPE, Self::COUNT as u64);
}

const fn count(shape: &[usize]) -> usize {
    let (mut count, mut d) = (1, 0);
    while d < shape.len() {
        count *= shape[d];
        d += 1;
    }
    count
}

/// The payload of a family in session types.
pub(super) trait Carries: Family {
    /// Just what element type and shape say.
    const CARRIES: Payload = {
        let payload = Payload::new(<Self::Elem as Element>::DTYPE, count(Self::SHAPE) as u64);
        assert!(
            Self::COUNT == count(Self::SHAPE) && Self::PAYLOAD.agrees(payload) && Self::PAYLOAD.is_known(),
            "`COUNT` and `PAYLOAD` of this message family are not those of its element type and shape"
        );
        payload
    };
}

impl<F: Family> Carries for F {}

/// A kind of compute step.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of compute step",
    label = "declare it with `task!`"
)]
pub trait Task {
    /// The name as plans and messages show it.
    const NAME: &'static str;
}

/// Carries type parameters without a value of them. Invariant: a type never passes for another one by way of the
/// lifetimes in it, since the two may be families, ranks or schedules of their own.
pub type Phantom<T> = PhantomData<fn(T) -> T>;

/// One value of family `F`, with its indices, a tuple of [`Ix`](super::Ix).
pub struct Val<F, I = ()>(Phantom<(F, I)>);

/// A value: what is sent, received, read and written.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value",
    label = "a value is a family with its indices, such as `Val<Act, (Ix<1>, Ix<0>)>`"
)]
pub trait Message {
    /// Its family.
    type Family: Family;
    /// Name and indices.
    const LABEL: node::Label;
}

impl<F: Family, I: Indices> Message for Val<F, I> {
    type Family = F;
    const LABEL: node::Label = node::Label { name: F::NAME, indices: I::AFFINE };
}

/// The label of compute step `T` with these indices.
pub(super) const fn task_label<T: Task, I: Indices>() -> node::Label {
    node::Label { name: T::NAME, indices: I::AFFINE }
}

/// Declares message families.
///
/// ```
/// counterpart::message! {
///     /// Activations that enter stage `s`.
///     pub Act: [f32; 32, 64];
///     /// The loss, one number.
///     pub Loss: [f64; 1];
/// }
/// use counterpart::session::Family;
/// assert_eq!((<Act as Family>::COUNT, <Loss as Family>::SHAPE), (2048, &[1][..]));
/// ```
#[macro_export]
macro_rules! message {
    ($($(#[$meta:meta])* $vis:vis $name:ident : [$elem:ty; $($dim:expr),+ $(,)?];)*) => {$(
        $(#[$meta])*
        // With braces, so that a variable may have the same name.
        $vis struct $name {}

        impl $crate::session::Family for $name {
            type Elem = $elem;
            const NAME: &'static str = ::core::stringify!($name);
            const SHAPE: &'static [usize] = &[$($dim),+];
        }
    )*};
}

/// Declares kinds of compute steps.
///
/// ```
/// counterpart::task! {
///     /// Runs stage `s` on micro-batch `m`.
///     pub forward;
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! task {
    ($($(#[$meta:meta])* $vis:vis $name:ident;)*) => {$(
        $(#[$meta])*
        #[allow(non_camel_case_types)]
        // With braces, so that a variable may have the same name: `answer` writes `Answer`.
        $vis struct $name {}

        impl $crate::session::Task for $name {
            const NAME: &'static str = ::core::stringify!($name);
        }
    )*};
}
