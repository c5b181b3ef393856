//! Rank 1 has nothing to do.

counterpart::schedule! {
    schedule Spare;
    message Act: [f32; 8];

    rank 0 { send Act to 2; }
    rank 1 {}
    rank 2 { recv Act from 0; }
}

#[test]
fn runs() {
    crate::run::<Spare>();
}
