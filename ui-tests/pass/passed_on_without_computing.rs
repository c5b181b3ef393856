//! Rank 1 does nothing with what it receives but to send it on, and rank 0 sends one value to both.

counterpart::schedule! {
    schedule Relay;
    message Act: [u8; 3];

    compute first() { writes Act; }
    compute last()  { reads Act; }

    rank 0 { first(); send Act to 1; send Act to 3; }
    rank 1 { recv Act from 0; send Act to 2; }
    rank 2 { recv Act from 1; last(); }
    rank 3 { recv Act from 0; last(); last(); }
}

struct Stage(Vec<u8>);

use counterpart::backend::Threads;
use counterpart::{Read, StepResult, Write};

impl relay::Compute for Stage {
    fn first(&mut self, mut act: Write<'_, relay::Act, Threads>) -> StepResult {
        act.copy_from_slice(&[1, 2, 3]);
        Ok(())
    }

    fn last(&mut self, act: Read<'_, relay::Act, Threads>) -> StepResult {
        self.0.extend_from_slice(&act);
        Ok(())
    }
}

#[test]
fn runs() {
    let ends = crate::run_with::<Relay, _>(|_| Stage(Vec::new()));
    assert_eq!(ends[2].0, [1, 2, 3, 1, 2, 3]);
    assert_eq!(ends[3].0.len(), 4 * 3);
}
