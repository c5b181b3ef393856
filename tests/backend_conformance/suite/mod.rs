//! The conformance suite of the backends: generic tests, mounted once per backend in the files beside it.

pub mod failures;
pub mod programs;
pub mod transfers;

use counterpart::Error;
use counterpart::backend::{Backend, Transfer, TransferKind};
use counterpart::core::{DType, Payload};

/// A way to run one closure on every rank of a backend.
pub trait Mount {
    /// The backend.
    type Backend: Backend;

    /// Runs `body` on `ranks` ranks.
    fn run<T: Send>(
        ranks: usize,
        body: impl Fn(Self::Backend) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error>;
}

/// Makes a module of tests out of the listed functions of the suite.
macro_rules! mount {
    ($module:ident: $mount:ty { $($group:ident: $($test:ident)*;)* }) => {
        mod $module {
            use super::*;
            $($(
                #[test]
                fn $test() {
                    crate::suite::$group::$test::<$mount>();
                }
            )*)*
        }
    };
}

/// A buffer of `i32`, all of one value.
pub fn filled<B: Backend>(backend: &mut B, value: i32, count: usize) -> Result<B::Buffer, Error> {
    let mut buffer = backend.alloc(Payload::new(DType::I32, count as u64))?;
    backend.upload(&vec![value; count], &mut buffer)?;
    Ok(buffer)
}

/// The value that all elements of a buffer of `i32` have.
pub fn value_of<B: Backend>(backend: &mut B, buffer: &B::Buffer, count: usize) -> Result<i32, Error> {
    let mut host = vec![-1; count];
    backend.synchronize()?;
    backend.download(buffer, &mut host)?;
    assert!(host.iter().all(|&v| v == host[0]), "a message arrived in part: {host:?}");
    Ok(host[0])
}

/// A send of a batch.
pub fn send<Buffer>(peer: usize, buffer: Buffer) -> Transfer<Buffer> {
    Transfer { kind: TransferKind::Send, peer, buffer }
}

/// A receive of a batch.
pub fn recv<Buffer>(peer: usize, buffer: Buffer) -> Transfer<Buffer> {
    Transfer { kind: TransferKind::Recv, peer, buffer }
}
