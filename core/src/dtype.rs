//! Element types, and the payload of a message: an element type and a count.

use core::fmt;

macro_rules! dtypes {
    ($($variant:ident $name:literal $size:literal),* $(,)?) => {
        /// The type of one element of a message.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum DType {
            $(#[doc = concat!("`", $name, "`, ", $size, " bytes.")] $variant),*
        }

        impl DType {
            /// Every element type.
            pub const ALL: &'static [DType] = &[$(DType::$variant),*];

            /// The name as it stands in plans and in the schedule language.
            pub const fn name(self) -> &'static str {
                match self { $(DType::$variant => $name),* }
            }

            /// Bytes per element.
            pub const fn size(self) -> usize {
                match self { $(DType::$variant => $size),* }
            }
        }
    };
}

dtypes! {
    F16 "f16" 2, Bf16 "bf16" 2, F32 "f32" 4, F64 "f64" 8,
    I8 "i8" 1, I16 "i16" 2, I32 "i32" 4, I64 "i64" 8,
    U8 "u8" 1, U16 "u16" 2, U32 "u32" 4, U64 "u64" 8,
}

impl DType {
    /// The element type with this name.
    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.iter().copied().find(|d| d.name() == name)
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Element type and count of a message, or "not declared", which agrees with anything.
///
/// Packed into one word, since rustc's const evaluator compares many of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Payload(u64);

impl Payload {
    /// A message that declares neither element type nor count.
    pub const UNKNOWN: Payload = Payload(0);
    /// The largest count that a payload holds.
    pub const MAX_COUNT: u64 = (1 << 56) - 1;

    /// `count` elements of type `dtype`.
    ///
    /// # Panics
    /// When `count` is above [`Payload::MAX_COUNT`].
    pub const fn new(dtype: DType, count: u64) -> Payload {
        assert!(count <= Payload::MAX_COUNT, "a message holds at most 2^56 - 1 elements");
        Payload(((dtype as u64 + 1) << 56) | count)
    }

    /// Element type and count in one word; two payloads are equal when these are.
    pub(crate) const fn word(self) -> u64 {
        self.0
    }

    /// Has the message declared its element type and count?
    pub const fn is_known(self) -> bool {
        self.0 != 0
    }

    /// The element type, where declared.
    pub const fn dtype(self) -> Option<DType> {
        match self.0 >> 56 {
            0 => None,
            code => Some(DType::ALL[code as usize - 1]),
        }
    }

    /// The number of elements; 0 where not declared.
    pub const fn count(self) -> u64 {
        self.0 & Payload::MAX_COUNT
    }

    /// Bytes of the whole message; 0 where not declared.
    pub const fn bytes(self) -> u64 {
        match self.dtype() {
            None => 0,
            Some(d) => self.count() * d.size() as u64,
        }
    }

    /// May a send of `self` meet a receive of `other`?
    pub const fn agrees(self, other: Payload) -> bool {
        self.0 == other.0 || self.0 == 0 || other.0 == 0
    }
}
