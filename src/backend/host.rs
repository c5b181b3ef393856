//! Host memory for one message, of any element type.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use counterpart_core::{DType, Payload};
use half::{bf16, f16};
use paste::paste;

use crate::element::{Element, for_each_element};
use crate::error::Error;

/// Host memory for one message. Element type and count are fixed; moving it moves a pointer.
///
/// ```
/// use counterpart::backend::HostBuffer;
/// use counterpart::core::{DType, Payload};
///
/// let mut buffer = HostBuffer::zeros(Payload::new(DType::F32, 3))?;
/// buffer.as_mut_slice::<f32>().unwrap()[1] = 2.0;
/// assert_eq!(buffer.as_slice::<f32>(), Some(&[0.0, 2.0, 0.0][..]));
/// assert_eq!(buffer.as_slice::<f64>(), None);
/// # Ok::<(), counterpart::Error>(())
/// ```
pub struct HostBuffer(Memory);

macro_rules! memory {
    ($($rust:ident)*) => { paste! {
        /// The elements. Shared only during a step: a send lends them to its receive, and a batch to its other sends.
        /// Whoever writes to memory that is still shared gets a copy of its own.
        #[derive(Default)]
        enum Memory {
            /// Nothing: what stays behind while a step holds the memory.
            #[default]
            Lent,
            $([<$rust:camel>](Arc<Vec<$rust>>)),*
        }

        impl HostBuffer {
            /// Memory for one message, filled with zeros.
            ///
            /// # Errors
            /// When memory runs out, or the message does not declare its element type and count.
            pub fn zeros(payload: Payload) -> Result<HostBuffer, Error> {
                let memory = match payload.dtype() {
                    None => return Err(Error::Usage("a buffer needs an element type and a count".into())),
                    $(Some(DType::[<$rust:camel>]) => Memory::[<$rust:camel>](Arc::new(zeros(payload)?)),)*
                };
                Ok(HostBuffer(memory))
            }

            /// Element type and count.
            pub fn payload(&self) -> Payload {
                match &self.0 {
                    Memory::Lent => Payload::UNKNOWN,
                    $(Memory::[<$rust:camel>](v) => Payload::new(DType::[<$rust:camel>], v.len() as u64)),*
                }
            }

            /// The elements, or `None` when they are not of type `T`.
            pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
                match &self.0 {
                    Memory::Lent => None,
                    $(Memory::[<$rust:camel>](v) => (&**v as &dyn Any).downcast_ref::<Vec<T>>().map(Vec::as_slice)),*
                }
            }

            /// The elements, to be written, or `None` when they are not of type `T`.
            pub fn as_mut_slice<T: Element>(&mut self) -> Option<&mut [T]> {
                match &mut self.0 {
                    Memory::Lent => None,
                    $(Memory::[<$rust:camel>](v) => {
                        (Arc::make_mut(v) as &mut dyn Any).downcast_mut::<Vec<T>>().map(Vec::as_mut_slice)
                    }),*
                }
            }

            /// Moves the memory into a step; it comes back when the step is over.
            pub(crate) fn take(&mut self) -> HostBuffer {
                HostBuffer(std::mem::take(&mut self.0))
            }

            /// A second handle to the same memory, for the time of one step.
            pub(crate) fn lend(&self) -> HostBuffer {
                HostBuffer(match &self.0 {
                    Memory::Lent => Memory::Lent,
                    $(Memory::[<$rust:camel>](v) => Memory::[<$rust:camel>](Arc::clone(v))),*
                })
            }

            /// Have others a handle to the same memory?
            pub(crate) fn is_shared(&self) -> bool {
                match &self.0 {
                    Memory::Lent => false,
                    $(Memory::[<$rust:camel>](v) => Arc::strong_count(v) > 1),*
                }
            }

            /// Copies the elements of a buffer of the same payload.
            pub(crate) fn copy_from(&mut self, from: &HostBuffer) {
                match (&mut self.0, &from.0) {
                    $((Memory::[<$rust:camel>](into), Memory::[<$rust:camel>](from)) => {
                        Arc::make_mut(into).copy_from_slice(from)
                    })*
                    _ => unreachable!("element types are compared before a copy"),
                }
            }
        }
    } };
}
for_each_element!(memory);

impl HostBuffer {
    /// Copies `from` into the buffer.
    ///
    /// # Errors
    /// When element type or count differ.
    pub fn write<T: Element>(&mut self, from: &[T]) -> Result<(), Error> {
        let payload = self.payload();
        match self.as_mut_slice::<T>() {
            Some(into) if into.len() == from.len() => into.copy_from_slice(from),
            _ => return Err(differ("upload", from, payload)),
        }
        Ok(())
    }

    /// Copies the buffer into `into`.
    ///
    /// # Errors
    /// When element type or count differ.
    pub fn read<T: Element>(&self, into: &mut [T]) -> Result<(), Error> {
        match self.as_slice::<T>() {
            Some(from) if from.len() == into.len() => into.copy_from_slice(from),
            _ => return Err(differ("download", into, self.payload())),
        }
        Ok(())
    }
}

impl fmt::Debug for HostBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HostBuffer({})", Described(self.payload()))
    }
}

/// A payload in words: `4 f32`.
pub(crate) struct Described(pub(crate) Payload);

impl fmt::Display for Described {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.dtype() {
            None => f.write_str("nothing"),
            Some(dtype) => write!(f, "{} {dtype}", self.0.count()),
        }
    }
}

/// The error of an upload or download of the wrong element type or count.
pub(crate) fn differ<T: Element>(what: &str, host: &[T], buffer: Payload) -> Error {
    Error::Usage(format!("{what} of {} {}, but the buffer holds {}", host.len(), T::DTYPE, Described(buffer)))
}

fn zeros<T: Element>(payload: Payload) -> Result<Vec<T>, Error> {
    let too_large = || Error::Usage(format!("no memory for a buffer of {}", Described(payload)));
    let count = usize::try_from(payload.count()).map_err(|_| too_large())?;
    let mut elements = Vec::new();
    elements.try_reserve_exact(count).map_err(|_| too_large())?;
    elements.resize(count, T::default());
    Ok(elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_type_and_count_is_copied() {
        let mut buffer = HostBuffer::zeros(Payload::new(DType::I16, 2)).unwrap();
        buffer.write(&[3i16, 4]).unwrap();
        let mut back = [0i16; 2];
        buffer.read(&mut back).unwrap();
        assert_eq!(back, [3, 4]);
        let error = buffer.write(&[1u16, 2]).unwrap_err().to_string();
        assert_eq!(error, "upload of 2 u16, but the buffer holds 2 i16");
        let error = buffer.read(&mut [0i16; 3]).unwrap_err().to_string();
        assert_eq!(error, "download of 3 i16, but the buffer holds 2 i16");
    }

    #[test]
    fn too_much_memory_is_an_error() {
        let error = HostBuffer::zeros(Payload::new(DType::F64, Payload::MAX_COUNT)).unwrap_err();
        assert!(error.to_string().starts_with("no memory for a buffer of"), "{error}");
        assert!(HostBuffer::zeros(Payload::UNKNOWN).is_err());
    }

    #[test]
    fn a_lent_buffer_is_not_written() {
        let mut buffer = HostBuffer::zeros(Payload::new(DType::F16, 1)).unwrap();
        let lent = buffer.lend();
        assert!(buffer.is_shared());
        buffer.as_mut_slice::<f16>().unwrap()[0] = f16::ONE;
        assert_eq!(lent.as_slice::<f16>(), Some(&[f16::ZERO][..]));
        assert!(!buffer.is_shared());
    }
}
