//! The memory of one message, typed by its family.

use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

use crate::backend::{Backend, HostBuffer};
use crate::error::Error;
use crate::session::{Family, Phantom};

/// The memory of one message of family `F`, on backend `B`. Where that is host memory it can be used as a slice.
pub struct Tensor<F, B: Backend> {
    /// Empty only while a batch has it.
    buffer: Option<B::Buffer>,
    family: Phantom<F>,
}

impl<F: Family, B: Backend> Tensor<F, B> {
    /// Memory for one message, filled with zeros.
    ///
    /// # Errors
    /// When the backend has no memory left, or does not move the element type.
    pub fn new(backend: &mut B) -> Result<Self, Error> {
        Ok(Tensor { buffer: Some(backend.alloc(F::PAYLOAD)?), family: PhantomData })
    }

    /// The memory as the backend knows it.
    ///
    /// # Errors
    /// When a failed batch has kept it.
    pub fn buffer(&self) -> Result<&B::Buffer, Error> {
        self.buffer.as_ref().ok_or_else(lost)
    }

    /// The memory as the backend knows it.
    ///
    /// # Errors
    /// When a failed batch has kept it.
    pub fn buffer_mut(&mut self) -> Result<&mut B::Buffer, Error> {
        self.buffer.as_mut().ok_or_else(lost)
    }

    pub(super) fn lend(&mut self) -> Result<B::Buffer, Error> {
        self.buffer.take().ok_or_else(lost)
    }

    pub(super) fn take_back(&mut self, buffer: Option<B::Buffer>) {
        self.buffer = buffer;
    }
}

fn lost() -> Error {
    Error::Usage("the memory of this message went down with a batch that failed".into())
}

impl<F: Family, B: Backend<Buffer = HostBuffer>> Deref for Tensor<F, B> {
    type Target = [F::Elem];

    fn deref(&self) -> &[F::Elem] {
        self.buffer.as_ref().and_then(HostBuffer::as_slice).unwrap_or(&[])
    }
}

impl<F: Family, B: Backend<Buffer = HostBuffer>> DerefMut for Tensor<F, B> {
    fn deref_mut(&mut self) -> &mut [F::Elem] {
        self.buffer.as_mut().and_then(HostBuffer::as_mut_slice).unwrap_or(&mut [])
    }
}
