//! Names that turn into keywords, or into one another, when they are written in lower case.

counterpart::schedule! {
    schedule Loop;
    message Type[m]:  [f32; 2];
    message SELF[m]:  [f32; 2];
    message M[m]:     [f32; 2];
    message Act[m]:   [f32; 2];
    message ACT[m]:   [f32; 2];
    message At[m]:    [f32; 2];
    message On[m]:    [f32; 2];
    message Uses[m]:  [f32; 2];

    compute r#match(m in 0..2) {
        writes Type[m]; writes SELF[m]; writes M[m]; writes Act[m];
        writes ACT[m]; writes At[m]; writes On[m]; writes Uses[m];
    }
    compute r#yield(m in 0..2) {
        reads  Type[m];
        writes Type[m + 2];
    }

    rank 0 { r#match(0); r#match(1); r#yield(1); r#yield(0); }
}

struct Stage;

use counterpart::backend::Threads as T;
use counterpart::{Read, StepResult, Write};

impl r#loop::Compute for Stage {
    fn r#match(
        &mut self,
        m: usize,
        mut r#type: Write<'_, r#loop::Type, T>,
        _of_self: Write<'_, r#loop::SELF, T>,
        _of_m: Write<'_, r#loop::M, T>,
        _act: Write<'_, r#loop::Act, T>,
        _act_: Write<'_, r#loop::ACT, T>,
        _at: Write<'_, r#loop::At, T>,
        _on: Write<'_, r#loop::On, T>,
        _uses: Write<'_, r#loop::Uses, T>,
    ) -> StepResult {
        r#type.fill(m as f32);
        Ok(())
    }

    fn r#yield(
        &mut self,
        m: usize,
        type_in: Read<'_, r#loop::Type, T>,
        mut type_out: Write<'_, r#loop::Type, T>,
    ) -> StepResult {
        assert_eq!(type_in[0], m as f32);
        type_out.copy_from_slice(&type_in);
        Ok(())
    }
}

#[test]
fn runs() {
    crate::run_with::<Loop, _>(|_| Stage);
}
