//! Two instances of one schedule, each with a proof of its own.

use counterpart::Schedule;

counterpart::schedule! {
    schedule Stream(P, M);
    message Act[s, m]: [f32; 2];

    rank r in 0..P {
        for m in 0..M {
            recv Act[r, m] from r - 1 if r > 0;
            send Act[r + 1, m] to r + 1 if r + 1 < P;
        }
    }

    instance Stream<2, 3>;
    instance Stream<5, 40>;
}

#[test]
fn runs() {
    crate::run::<Stream<2, 3>>();
    crate::run::<Stream<5, 40>>();
    assert_eq!((Stream::<2, 3>::plan().len(), Stream::<5, 40>::plan().len()), (6, 320));
}
