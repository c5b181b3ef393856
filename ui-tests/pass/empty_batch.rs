//! A batch all of whose transfers are left out at the ends of the pipeline is no step there.

counterpart::schedule! {
    schedule Shift(P);
    message Act[r]: [f32; 8];

    rank r in 0..P {
        batch {
            send Act[r] to r + 1 if r + 1 < P;
            recv Act[r - 1] from r - 1 if r > 0;
        }
    }

    instance Shift<1>;
    instance Shift<3>;
}

#[test]
fn runs() {
    crate::run::<Shift<1>>();
    crate::run::<Shift<3>>();
}
