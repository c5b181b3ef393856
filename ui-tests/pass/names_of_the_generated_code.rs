//! Messages and compute steps called like type parameters of the generated code, and names that became keywords.

counterpart::schedule! {
    schedule Gen;
    message A:   [f32; 2];
    message B:   [f32; 2];
    message C:   [f32; 2];
    message B_:  [f32; 2];
    message Gen: [f32; 2];

    compute make() { writes A; writes B; writes C; writes B_; writes Gen; }
    compute end()  { reads A; reads B if true; reads C; reads B_; reads Gen; }

    rank 0 { make(); end(); }
}

struct Stage;

use counterpart::backend::Threads as T;
use counterpart::{Read, StepResult, Write};
use r#gen::{A, B, B_, C, Gen as G};

impl r#gen::Compute for Stage {
    fn make(
        &mut self,
        mut a: Write<'_, A, T>,
        mut b: Write<'_, B, T>,
        mut c: Write<'_, C, T>,
        mut b_: Write<'_, B_, T>,
        mut r#gen: Write<'_, G, T>,
    ) -> StepResult {
        for (value, message) in (1u8..).zip([&mut *a, &mut *b, &mut *c, &mut *b_, &mut *r#gen]) {
            message.fill(f32::from(value));
        }
        Ok(())
    }

    fn end(
        &mut self,
        a: Read<'_, A, T>,
        b: Option<Read<'_, B, T>>,
        c: Read<'_, C, T>,
        b_: Read<'_, B_, T>,
        r#gen: Read<'_, G, T>,
    ) -> StepResult {
        assert_eq!([a[0], b.unwrap()[0], c[0], b_[0], r#gen[0]], [1.0, 2.0, 3.0, 4.0, 5.0]);
        Ok(())
    }
}

#[test]
fn runs() {
    crate::run_with::<Gen, _>(|_| Stage);
}
