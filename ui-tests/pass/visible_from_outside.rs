//! What a schedule defines is as visible as the schedule.

mod inner {
    pub(super) mod deeper {
        counterpart::schedule! {
            pub(in super::super) schedule Outer;
            message Act: [f32; 1];
            compute work() { writes Act; }
            rank 0 { work(); }
        }

        counterpart::schedule! {
            pub(super) schedule Middle;
            message Act: [f32; 1];
            compute work() { writes Act; }
            rank 0 { work(); }
        }

        counterpart::schedule! {
            pub(self) schedule Own;
            message Act: [f32; 1];
            rank 0 {}
        }

        pub fn own() {
            crate::run::<Own>();
            assert_eq!(<own::Act as counterpart::session::Family>::NAME, "Act");
        }
    }

    struct Stage;

    impl deeper::middle::Compute for Stage {
        fn work(
            &mut self,
            _: counterpart::Write<'_, deeper::middle::Act, counterpart::backend::Threads>,
        ) -> counterpart::StepResult {
            Ok(())
        }
    }

    pub fn middle() {
        crate::run_with::<deeper::Middle, _>(|_| Stage);
    }
}

struct Stage;

impl inner::deeper::outer::Compute for Stage {
    fn work(
        &mut self,
        _: counterpart::Write<'_, inner::deeper::outer::Act, counterpart::backend::Threads>,
    ) -> counterpart::StepResult {
        Ok(())
    }
}

#[test]
fn runs() {
    crate::run_with::<inner::deeper::Outer, _>(|_| Stage);
    inner::middle();
    inner::deeper::own();
}
