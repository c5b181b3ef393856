//! A schedule in the body of a function, with a message whose size is a constant of the crate.

pub const WIDTH: usize = 6;

#[test]
fn runs() {
    counterpart::schedule! {
        schedule Pair;
        message Act: [f32; 2, WIDTH];

        rank 0 { send Act to 1; }
        rank 1 { recv Act from 0; }
    }
    crate::run::<Pair>();
    assert_eq!(<pair::Act as counterpart::session::Family>::COUNT, 12);
}
