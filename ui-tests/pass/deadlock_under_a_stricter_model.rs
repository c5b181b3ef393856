//! Both ranks send first. Under `portable` that is a deadlock; these schedules ask for less, and then only a backend that
//! offers that model accepts them.

use counterpart::Schedule;
use counterpart::core::Model;

counterpart::schedule! {
    schedule Edge;
    model edge + gang;
    message Act:  [f32; 8];
    message Grad: [f32; 8];

    rank 0 { send Act to 1; recv Grad from 1; }
    rank 1 { send Grad to 0; recv Act from 0; }
}

counterpart::schedule! {
    schedule Crossed;
    model eager + item;
    message A[i]: [f32; 8];
    message B[i]: [f32; 8];

    rank 0 { send A[0] to 1; send A[1] to 1; recv B[0] from 1; recv B[1] from 1; }
    rank 1 { send B[0] to 0; send B[1] to 0; recv A[0] from 0; recv A[1] from 0; }
}

#[test]
fn is_called() {
    crate::call::<Edge>();
    crate::call::<Crossed>();
    assert!(!Edge::plan().verify(Model::PORTABLE).is_safe());
}
