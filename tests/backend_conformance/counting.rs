//! The backend that counts calls.

use counterpart::backend::counting::Counts;
use counterpart::backend::{Backend, Counting, Transfer, TransferKind};
use counterpart::core::{DType, Model, Payload};

use crate::suite::{recv, send};

#[test]
fn every_call_is_counted() {
    let mut b = Counting::new(1, 4);
    assert_eq!((b.rank(), b.size()), (1, 4));
    let payload = Payload::new(DType::F64, 10);
    let mut buffer = b.alloc(payload).unwrap();
    b.upload(&[0.0f64; 10], &mut buffer).unwrap();
    b.compute(0);
    b.send(1, 2, &buffer).unwrap();
    b.send_last(2, 2, &mut buffer).unwrap();
    b.recv(3, 0, &mut buffer).unwrap();
    let last = Transfer { kind: TransferKind::SendLast, peer: 0, buffer: b.alloc(payload).unwrap() };
    let one = b.alloc(payload).unwrap();
    b.batch(4, &mut [send(0, one), recv(2, buffer), last]).unwrap();
    let buffer = b.alloc(payload).unwrap();
    b.download(&buffer, &mut [0.0f64; 10]).unwrap();
    b.synchronize().unwrap();
    b.finish().unwrap();
    let expected = Counts {
        allocs: 4,
        uploads: 1,
        downloads: 1,
        sends: 2,
        receives: 1,
        batches: 1,
        batch_items: 3,
        computes: 1,
        bytes: 4 * 80,
    };
    assert_eq!(b.counts(), expected);
}

#[test]
fn it_runs_under_every_model() {
    assert_eq!(Counting::MODELS, Model::ALL);
}

#[test]
fn uploads_and_downloads_are_checked() {
    let mut b = Counting::new(0, 1);
    let mut buffer = b.alloc(Payload::new(DType::F32, 2)).unwrap();
    assert!(b.upload(&[0.0f32; 3], &mut buffer).is_err());
    assert!(b.download(&buffer, &mut [0u8; 2]).is_err());
}
