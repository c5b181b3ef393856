//! What a compute step reads and writes, typed by its family.

use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

use super::StepError;
use crate::backend::{Backend, HostBuffer};
use crate::session::{Family, Phantom};

/// A value that a compute step reads. Where it lies in host memory it can be used as a slice, row-major, of
/// `F::COUNT` elements.
pub struct Read<'a, F, B: Backend>(&'a B::Buffer, Phantom<F>);

/// A value that a compute step writes; it holds anything before. Where it lies in host memory it can be used as a
/// mutable slice, row-major, of `F::COUNT` elements.
pub struct Write<'a, F, B: Backend>(&'a mut B::Buffer, Phantom<F>);

impl<'a, F: Family, B: Backend> Read<'a, F, B> {
    /// The value in this buffer.
    #[inline]
    pub fn new(buffer: &'a B::Buffer) -> Self {
        Read(buffer, PhantomData)
    }

    /// The value of a use that every step of a kind has.
    ///
    /// # Errors
    /// When it is not there, which a schedule from `schedule!` rules out.
    #[inline]
    pub fn required(value: Option<Self>) -> Result<Self, StepError> {
        value.ok_or_else(missing::<F>)
    }

    /// The memory as the backend knows it.
    pub fn buffer(&self) -> &B::Buffer {
        self.0
    }
}

impl<'a, F: Family, B: Backend> Write<'a, F, B> {
    /// The value in this buffer.
    #[inline]
    pub fn new(buffer: &'a mut B::Buffer) -> Self {
        Write(buffer, PhantomData)
    }

    /// The value of a use that every step of a kind has.
    ///
    /// # Errors
    /// When it is not there, which a schedule from `schedule!` rules out.
    #[inline]
    pub fn required(value: Option<Self>) -> Result<Self, StepError> {
        value.ok_or_else(missing::<F>)
    }

    /// The memory as the backend knows it.
    pub fn buffer(&mut self) -> &mut B::Buffer {
        self.0
    }
}

#[cold]
fn missing<F: Family>() -> StepError {
    format!("the session type has no `{}` for this compute step, which always needs one", F::NAME).into()
}

impl<F: Family, B: Backend<Buffer = HostBuffer>> Deref for Read<'_, F, B> {
    type Target = [F::Elem];

    fn deref(&self) -> &[F::Elem] {
        self.0.as_slice().unwrap_or(&[])
    }
}

impl<F: Family, B: Backend<Buffer = HostBuffer>> Deref for Write<'_, F, B> {
    type Target = [F::Elem];

    fn deref(&self) -> &[F::Elem] {
        self.0.as_slice().unwrap_or(&[])
    }
}

impl<F: Family, B: Backend<Buffer = HostBuffer>> DerefMut for Write<'_, F, B> {
    fn deref_mut(&mut self) -> &mut [F::Elem] {
        self.0.as_mut_slice().unwrap_or(&mut [])
    }
}
