//! Tells the other ranks when a program ends too soon.

use crate::backend::Backend;

/// The backend of a rank while its program runs. Dropped before [`disarm`](Guard::disarm), it tells the other ranks.
pub(crate) struct Guard<'b, B: Backend> {
    backend: &'b mut B,
    armed: bool,
}

impl<'b, B: Backend> Guard<'b, B> {
    pub(crate) fn new(backend: &'b mut B) -> Self {
        Guard { backend, armed: true }
    }

    /// The backend for a part of the program. The guard of the whole stands behind it and tells the others.
    pub(crate) fn part(&mut self) -> Guard<'_, B> {
        Guard { backend: self.backend, armed: false }
    }

    pub(crate) fn backend(&self) -> &B {
        self.backend
    }

    pub(crate) fn backend_mut(&mut self) -> &mut B {
        self.backend
    }

    pub(crate) fn disarm(&mut self) {
        self.armed = false;
    }
}

impl<B: Backend> Drop for Guard<'_, B> {
    fn drop(&mut self) {
        if self.armed {
            self.backend.leave();
        }
    }
}
