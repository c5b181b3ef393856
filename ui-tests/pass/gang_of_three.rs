//! Three batches that run as one, with every rank in touch with both others.

counterpart::schedule! {
    schedule Triangle;
    message Part[from, to]: [i32; 4];

    rank r in 0..3 {
        batch {
            for step in 1..3 {
                let other = (r + step) % 3;
                recv Part[other, r] from other;
                send Part[r, other] to other;
            }
        }
    }
}

#[test]
fn runs() {
    crate::run::<Triangle>();
}
