//! What a compute step reads and writes, typed by its family.

use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

use super::StepError;
use crate::backend::{Backend, HostBuffer};
use crate::session::Family;

/// A value that a compute step reads. Where it lies in host memory it can be used as a slice, row-major, of
/// `F::COUNT` elements.
pub struct Read<'a, F, B: Backend>(&'a B::Buffer, PhantomData<fn() -> F>);

/// A value that a compute step writes; it holds anything before. Where it lies in host memory it can be used as a
/// mutable slice, row-major, of `F::COUNT` elements.
pub struct Write<'a, F, B: Backend>(&'a mut B::Buffer, PhantomData<fn() -> F>);

impl<'a, F: Family, B: Backend> Read<'a, F, B> {
    /// The value in a place that may be empty.
    #[inline]
    pub fn optional(place: &'a Option<B::Buffer>) -> Option<Self> {
        place.as_ref().map(|buffer| Read(buffer, PhantomData))
    }

    /// The value in a place.
    ///
    /// # Errors
    /// When the place is empty, which a schedule from `schedule!` rules out.
    #[inline]
    pub fn required(place: &'a Option<B::Buffer>) -> Result<Self, StepError> {
        Read::optional(place).ok_or_else(missing::<F>)
    }

    /// The memory as the backend knows it.
    pub fn buffer(&self) -> &B::Buffer {
        self.0
    }
}

impl<'a, F: Family, B: Backend> Write<'a, F, B> {
    /// The value in a place that may be empty.
    #[inline]
    pub fn optional(place: &'a mut Option<B::Buffer>) -> Option<Self> {
        place.as_mut().map(|buffer| Write(buffer, PhantomData))
    }

    /// The value in a place.
    ///
    /// # Errors
    /// When the place is empty, which a schedule from `schedule!` rules out.
    #[inline]
    pub fn required(place: &'a mut Option<B::Buffer>) -> Result<Self, StepError> {
        Write::optional(place).ok_or_else(missing::<F>)
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
