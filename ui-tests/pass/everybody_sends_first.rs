//! On a ring everybody sends first; but each in one batch with its receive, so nobody waits.

counterpart::schedule! {
    schedule Ring(P);
    message Part[r]: [f32; 8];

    rank r in 0..P {
        batch {
            send Part[r] to (r + 1) % P;
            recv Part[(r + P - 1) % P] from (r + P - 1) % P;
        }
    }

    instance Ring<2>;
    instance Ring<5>;
}

#[test]
fn runs() {
    crate::run::<Ring<2>>();
    crate::run::<Ring<5>>();
}
