//! 2,000 steps per rank in which no loop can be found, under the default recursion limit.

use counterpart::Schedule;

counterpart::schedule! {
    schedule Scattered(M);
    message Act[m]: [f32; 1];

    rank 0 { for m in 0..M { send Act[m * m * 7 % 4001] to 1; } }
    rank 1 { for m in 0..M { recv Act[m * m * 7 % 4001] from 0; } }

    instance Scattered<2000>;
}

#[test]
fn runs() {
    crate::run::<Scattered<2000>>();
    assert_eq!(Scattered::<2000>::plan().steps(1).len(), 2000);
}
