//! Element types of messages, as Rust types.

use counterpart_core::DType;

/// A Rust type that can be an element of a message.
///
/// Implemented for `f16`, `bf16` (from the `half` crate), `f32`, `f64`, and the integers of 8 to 64 bits.
pub trait Element: Copy + Default + PartialEq + core::fmt::Debug + Send + Sync + 'static {
    /// The element type as plans name it.
    const DTYPE: DType;
}

macro_rules! elements {
    ($($rust:ty => $dtype:ident),* $(,)?) => {
        $(impl Element for $rust {
            const DTYPE: DType = DType::$dtype;
        })*
    };
}

elements! {
    half::f16 => F16, half::bf16 => Bf16, f32 => F32, f64 => F64,
    i8 => I8, i16 => I16, i32 => I32, i64 => I64,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64,
}
