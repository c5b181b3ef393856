//! Message families and compute steps as types.
//!
//! [`message!`](crate::message) declares a family, [`task!`](crate::task) a kind of compute step. `Act` is the family;
//! `Act<Ix<1>, Ix<0, 1>>` is the value `Act[1, k]`.

use core::marker::PhantomData;

use counterpart_core::{Payload, node};

use super::index::Loops;
use crate::element::Element;

/// The place of an index that is not given: `Act` alone is `Act<Any, Any>`, the family.
#[derive(Clone, Copy, Debug, Default)]
pub struct Any;

/// A named kind of payload, with element type and shape.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a message family",
    label = "declare it with `message!`"
)]
pub trait Family {
    /// The family alone, without indices.
    type Base: Family;
    /// The element type.
    type Elem: Element;
    /// The name as plans and messages show it.
    const NAME: &'static str;
    /// The shape, outermost dimension first.
    const SHAPE: &'static [usize];
    /// Elements of one message.
    const COUNT: usize = {
        let (mut count, mut d) = (1, 0);
        while d < Self::SHAPE.len() {
            count *= Self::SHAPE[d];
            d += 1;
        }
        count
    };
    /// Element type and count of one message.
    const PAYLOAD: Payload = Payload::new(<Self::Elem as Element>::DTYPE, Self::COUNT as u64);
}

/// One named and indexed thing: a value, or a compute step.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no indices",
    label = "give every index, such as `Act<Ix<1>, Ix<0>>`"
)]
pub trait Label {
    /// Name and indices.
    const LABEL: node::Label;

    /// The indices at these loop counters; those that it does not have are 0.
    fn at(loops: Loops) -> [usize; 4];
}

/// A kind of compute step.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of compute step",
    label = "declare it with `task!`"
)]
pub trait Task {
    /// The task alone, without indices.
    type Base: Task;
    /// The name as plans and messages show it.
    const NAME: &'static str;
}

/// Carries type parameters without a value of them.
pub type Phantom<T> = PhantomData<fn() -> T>;

/// Declares message families.
///
/// ```
/// counterpart::message! {
///     /// Activations that enter stage `s`.
///     pub Act[s, m]: [f32; 32, 64];
///     /// The loss, one number.
///     pub Loss: [f64; 1];
/// }
/// use counterpart::session::Family;
/// assert_eq!((<Act as Family>::COUNT, <Loss as Family>::SHAPE), (2048, &[1][..]));
/// ```
#[macro_export]
macro_rules! message {
    ($($(#[$meta:meta])* $vis:vis $name:ident $([$($index:ident),*])? : [$elem:ty; $($dim:expr),+ $(,)?];)*) => {$(
        $(#[$meta])*
        #[allow(non_camel_case_types)]
        $vis struct $name<$($($index = $crate::session::Any),*)?>($crate::session::Phantom<($($($index,)*)?)>);

        #[allow(non_camel_case_types)]
        impl<$($($index),*)?> $crate::session::Family for $name<$($($index),*)?> {
            type Base = $name;
            type Elem = $elem;
            const NAME: &'static str = ::core::stringify!($name);
            const SHAPE: &'static [usize] = &[$($dim),+];
        }

        #[diagnostic::do_not_recommend]
        #[allow(non_camel_case_types)]
        impl<Peer $(, $($index),*)?> $crate::endpoint::SendAt<$crate::session::Send<Peer, $name<$($($index),*)?>>, Peer>
            for $name {}

        #[diagnostic::do_not_recommend]
        #[allow(non_camel_case_types)]
        impl<Peer $(, $($index),*)?> $crate::endpoint::RecvAt<$crate::session::Recv<Peer, $name<$($($index),*)?>>, Peer>
            for $name {}

        $crate::label!($name [$($($index),*)?]);
    )*};
}

/// Declares kinds of compute steps.
///
/// ```
/// counterpart::task! {
///     /// Runs stage `s` on micro-batch `m`.
///     pub forward[s, m];
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! task {
    ($($(#[$meta:meta])* $vis:vis $name:ident $([$($index:ident),*])?;)*) => {$(
        $(#[$meta])*
        #[allow(non_camel_case_types)]
        $vis struct $name<$($($index = $crate::session::Any),*)?>($crate::session::Phantom<($($($index,)*)?)>);

        #[allow(non_camel_case_types)]
        impl<$($($index),*)?> $crate::session::Task for $name<$($($index),*)?> {
            type Base = $name;
            const NAME: &'static str = ::core::stringify!($name);
        }

        #[diagnostic::do_not_recommend]
        #[allow(non_camel_case_types)]
        impl<Uses $(, $($index: $crate::session::Index),*)?>
            $crate::endpoint::ComputeAt<$crate::session::Compute<$name<$($($index),*)?>, Uses>> for $name
        {
            fn indices(loops: $crate::session::Loops) -> [usize; 4] {
                <$name<$($($index),*)?> as $crate::session::Label>::at(loops)
            }
        }

        $crate::label!($name [$($($index),*)?]);
    )*};
}

/// The label of a family or task that [`message!`](crate::message) or [`task!`](crate::task) declares.
#[doc(hidden)]
#[macro_export]
macro_rules! label {
    ($name:ident [$($index:ident),*]) => {
        #[allow(non_camel_case_types)]
        impl<$($index: $crate::session::Index),*> $crate::session::Label for $name<$($index),*> {
            const LABEL: $crate::core::node::Label = $crate::core::node::Label {
                name: ::core::stringify!($name),
                indices: &[$($index::AFFINE),*],
            };

            #[inline]
            fn at(loops: $crate::session::Loops) -> [usize; 4] {
                let indices: &[usize] = &[$($index::at(loops)),*];
                let _ = loops;
                let mut all = [0; 4];
                all[..indices.len()].copy_from_slice(indices);
                all
            }
        }
    };
}
