//! Even ranks send first and odd ranks receive first. On a ring of odd length two neighbours then both send first, and it
//! is safe all the same: the last rank's send waits for rank 0, which waits for nobody that waits for the last rank.

counterpart::schedule! {
    schedule Ring(P);
    message Part[r]: [f64; 3];

    rank r in 0..P {
        let before = (r + P - 1) % P;
        send Part[r] to (r + 1) % P if r % 2 == 0;
        recv Part[before] from before;
        send Part[r] to (r + 1) % P if r % 2 == 1;
    }

    instance Ring<4>;
    instance Ring<5>;
}

#[test]
fn runs() {
    crate::run::<Ring<4>>();
    crate::run::<Ring<5>>();
}
