//! Element types of messages, as Rust types.

use counterpart_core::DType;
pub use half::{bf16, f16};
use paste::paste;

/// Calls a macro with the twelve element types. The variant of an enum over them is the name in camel case:
/// `bf16` and `Bf16`.
macro_rules! for_each_element {
    ($callback:ident) => {
        $callback! { f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 }
    };
}
pub(crate) use for_each_element;

/// A Rust type that can be an element of a message.
///
/// Implemented for `f16`, `bf16` (from the `half` crate), `f32`, `f64`, and the integers of 8 to 64 bits; for no
/// other type, since backends trust [`DTYPE`](Self::DTYPE) with the layout in memory.
pub trait Element:
    Copy + Default + PartialEq + core::fmt::Debug + Send + Sync + sealed::Sealed + 'static
{
    /// The element type as plans name it.
    const DTYPE: DType;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($rust:ident)*) => {
        paste! {
            $(
                impl sealed::Sealed for $rust {}
                impl Element for $rust {
                    const DTYPE: DType = DType::[<$rust:camel>];
                }
            )*
        }
    };
}
for_each_element!(elements);

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! sizes {
        ($($rust:ident)*) => {
            paste! { $(
                #[test]
                fn [<$rust _is_what_it_says>]() {
                    assert_eq!(size_of::<$rust>(), $rust::DTYPE.size());
                    assert_eq!(stringify!($rust), $rust::DTYPE.name());
                }
            )* }
        };
    }
    for_each_element!(sizes);
}
