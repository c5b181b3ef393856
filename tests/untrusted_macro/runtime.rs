//! What session types leave open: a use that a compute step needs and the type does not have, and the peak. Both are
//! errors before a value is read or a message leaves.

use counterpart::backend::threads::{self, Config, Threads};
use counterpart::backend::{Backend, Counting};
use counterpart::drive::FamilyPeak;
use counterpart::session::*;
use counterpart::{Driver, Error, Peak, Proof, Read, Schedule, StepResult, Write};

counterpart::schedule! {
    schedule Honest;
    message Act: [f32; 2];

    compute make()  { writes Act; }
    compute look()  { reads Act; }
    compute check() { reads Act; }

    rank 0 { make(); send Act to 1; }
    rank 1 { recv Act from 0; look(); check(); }
}

use honest::{Act, check, look, make};

#[derive(Default)]
struct Stage {
    checked: bool,
}

impl<B: Backend> honest::Compute<B> for Stage {
    fn make(&mut self, _: Write<'_, Act, B>) -> StepResult {
        Ok(())
    }

    fn look(&mut self, _: Read<'_, Act, B>) -> StepResult {
        Ok(())
    }

    fn check(&mut self, _: Read<'_, Act, B>) -> StepResult {
        self.checked = true;
        Ok(())
    }
}

type Rank0 = HList![Compute<make, (), HList![Writes<Val<Act>>]>, Send<Rank<1>, Val<Act>>];
type Rank1<Use> = HList![Recv<Rank<0>, Val<Act>>, Compute<look, (), HList![Reads<Val<Act>>]>, Compute<check, (), HList![Use]>];

/// The second reader has lost its read. The value is used all the same, so the proof has nothing to say.
struct LostRead;

impl Schedule for LostRead {
    const NAME: &'static str = "LostRead";
    type Ranks = HList![Program<Rank<0>, Rank0>, Program<Rank<1>, Rank1<Absent>>];
    type Coverage = HList![];
    const PROOF: Proof<Self> = Proof::new();
}

#[test]
fn a_use_that_is_not_there_ends_the_run() {
    let done = threads::run(2, Config::new(), |mut backend: Threads| {
        let (mut driver, mut stage) = (Driver::<LostRead, _>::new(&mut backend)?, Stage::default());
        let done = driver.run(&mut backend, &mut stage);
        assert!(!stage.checked, "the method is not called without its tensor");
        done?;
        backend.finish()
    });
    let error = done.expect_err("a read is missing").to_string();
    assert!(error.contains("rank 1, step 2"), "{error}");
    assert!(error.contains("no `Act` for this compute step, which always needs one"), "{error}");
}

/// States one buffer too few, or too many.
struct Stated<const N: usize>;

impl<const N: usize> Schedule for Stated<N> {
    const NAME: &'static str = "Stated";
    type Ranks = HList![Program<Rank<0>, Rank0>, Program<Rank<1>, Rank1<Reads<Val<Act>>>>];
    type Coverage = HList![];
    const PROOF: Proof<Self> = Proof::new();
    const PEAK: &'static [Peak] =
        &[Peak { buffers: &[FamilyPeak::of::<Act>(1)] }, Peak { buffers: &[FamilyPeak::of::<Act>(N)] }];
}

#[test]
fn a_peak_that_is_not_true_makes_no_driver() {
    fn driver<const N: usize>() -> Result<(), Error> {
        Driver::<Stated<N>, _>::new(&mut Counting::new(1, 2)).map(drop)
    }
    driver::<1>().expect("it is true");
    for error in [driver::<0>(), driver::<2>()] {
        let text = error.expect_err("it is not true").to_string();
        assert!(text.contains("states a peak of") && text.contains("for rank 1"), "{text}");
    }
}
