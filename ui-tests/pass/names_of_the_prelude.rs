//! What the prelude defines may be named anew: by messages, by compute steps, and by the code around the schedule.
#![allow(dead_code)]

struct Vec;
struct Result;
struct String;
trait Clone {}

counterpart::schedule! {
    schedule Box;
    message Option: [f32; 2];
    message Some:   [f32; 2];
    message Ok:     [f32; 2];

    compute drop()    { writes Option; writes Some; writes Ok; }
    compute clone()   { reads Option; reads Some if true; }
    compute default() { reads Ok; }

    rank 0 { drop(); send Option to 1; send Some to 1; send Ok to 1; }
    rank 1 { recv Option from 0; recv Some from 0; recv Ok from 0; clone(); default(); }
}

struct Stage;

use counterpart::backend::Threads as T;
use counterpart::{Read, StepResult, Write};

impl r#box::Compute for Stage {
    fn drop(
        &mut self,
        mut option: Write<'_, r#box::Option, T>,
        mut some: Write<'_, r#box::Some, T>,
        mut ok: Write<'_, r#box::Ok, T>,
    ) -> StepResult {
        option.fill(1.0);
        some.fill(2.0);
        ok.fill(3.0);
        Ok(())
    }

    fn clone(
        &mut self,
        option: Read<'_, r#box::Option, T>,
        some: Option<Read<'_, r#box::Some, T>>,
    ) -> StepResult {
        assert_eq!((option[1], some.map(|some| some[1])), (1.0, Some(2.0)));
        Ok(())
    }

    fn default(&mut self, ok: Read<'_, r#box::Ok, T>) -> StepResult {
        assert_eq!(*ok, [3.0; 2]);
        Ok(())
    }
}

#[test]
fn runs() {
    crate::run_with::<Box, _>(|_| Stage);
}
