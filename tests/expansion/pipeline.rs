/// Two stages: activations go forward, gradients come back.
pub struct Pipeline<const M: usize>;
/// Messages and compute steps of [`Pipeline`], and its programs as session types.
#[allow(unused_imports, clippy::too_many_arguments)]
pub mod pipeline {
    use super::*;
    use ::counterpart::{
        Read, StepResult, Write, backend::{Backend, Threads},
        drive::{Perform, Place},
        session::{HList, hlist_pat},
    };
    ::counterpart::message! {
        #[doc = " Messages `Act`."] pub Act : [f32; 32, 64]; #[doc = " Messages `Grad`."]
        pub Grad : [f32; 32, 64];
    }
    ::counterpart::task! {
        #[doc = " Compute step `first`."] pub first; #[doc = " Compute step `last`."] pub
        last; #[doc = " Compute step `update`."] pub update;
    }
    /// The compute steps of [`Pipeline`]. The error of a step ends its rank.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not run the compute steps of `Pipeline`",
        label = "implement `pipeline::Compute` for it"
    )]
    pub trait Compute<B: Backend = Threads> {
        /// Compute step `first`.
        fn first(&mut self, m: usize, act: Write<'_, Act, B>) -> StepResult;
        /// Compute step `last`.
        fn last(
            &mut self,
            m: usize,
            act: Read<'_, Act, B>,
            grad: Write<'_, Grad, B>,
        ) -> StepResult;
        /// Compute step `update`.
        fn update(&mut self, m: usize, grad: Read<'_, Grad, B>) -> StepResult;
    }
    impl<B: Backend, C: Compute<B> + ?Sized> Perform<B, C> for first {
        type Buffers<'u> = HList![Place<Write<'u, Act, B>>];
        fn perform(on: &mut C, at: [usize; 4], uses: Self::Buffers<'_>) -> StepResult {
            let hlist_pat![act] = uses;
            Compute::<B>::first(on, at[0], Write::required(act)?)
        }
    }
    impl<B: Backend, C: Compute<B> + ?Sized> Perform<B, C> for last {
        type Buffers<'u> = HList![Place<Read<'u, Act, B>>, Place<Write<'u, Grad, B>>];
        fn perform(on: &mut C, at: [usize; 4], uses: Self::Buffers<'_>) -> StepResult {
            let hlist_pat![act, grad] = uses;
            Compute::<B>::last(on, at[0], Read::required(act)?, Write::required(grad)?)
        }
    }
    impl<B: Backend, C: Compute<B> + ?Sized> Perform<B, C> for update {
        type Buffers<'u> = HList![Place<Read<'u, Grad, B>>];
        fn perform(on: &mut C, at: [usize; 4], uses: Self::Buffers<'_>) -> StepResult {
            let hlist_pat![grad] = uses;
            Compute::<B>::update(on, at[0], Read::required(grad)?)
        }
    }
    /// The programs of `Pipeline<8>`.
    pub mod m8 {
        use super::{Act, Grad, first, last, update};
        use ::counterpart::{Peak, drive::FamilyPeak, session::*};
        /// The program of rank 0.
        pub type Rank0 = HList![
            Repeat<
                Times<8>,
                HList![
                    Compute<first, (Ix<0, 1>,), HList![Writes<Val<Act, (Ix<0, 1>,)>>]>,
                    Send<Rank<1>, Val<Act, (Ix<0, 1>,)>>,
                    Recv<Rank<1>, Val<Grad, (Ix<0, 1>,)>>,
                    Compute<update, (Ix<0, 1>,), HList![Reads<Val<Grad, (Ix<0, 1>,)>>]>,
                ],
            >,
        ];
        /// The program of rank 1.
        pub type Rank1 = HList![
            Repeat<
                Times<8>,
                HList![
                    Recv<Rank<0>, Val<Act, (Ix<0, 1>,)>>,
                    Compute<
                        last,
                        (Ix<0, 1>,),
                        HList![
                            Reads<Val<Act, (Ix<0, 1>,)>>,
                            Writes<Val<Grad, (Ix<0, 1>,)>>,
                        ],
                    >,
                    Send<Rank<0>, Val<Grad, (Ix<0, 1>,)>>,
                ],
            >,
        ];
        /// All programs, in order.
        pub type Ranks = HList![Program<Rank<0>, Rank0>, Program<Rank<1>, Rank1>];
        /// Which compute steps must run once.
        pub type Coverage = HList![
            Covers<first, HList![Range<0, 8>]>,
            Covers<last, HList![Range<0, 8>]>,
            Covers<update, HList![Range<0, 8>]>,
        ];
        /// The buffers of each rank.
        pub const PEAK: &[Peak] = &[
            Peak {
                buffers: &[FamilyPeak::of::<Act>(1), FamilyPeak::of::<Grad>(1)],
            },
            Peak {
                buffers: &[FamilyPeak::of::<Act>(1), FamilyPeak::of::<Grad>(1)],
            },
        ];
    }
}
impl ::counterpart::Schedule for Pipeline<8> {
    const NAME: &'static str = "Pipeline<8>";
    type Ranks = pipeline::m8::Ranks;
    type Coverage = pipeline::m8::Coverage;
    #[allow(long_running_const_eval)]
    const PROOF: ::counterpart::Proof<Self> = ::counterpart::Proof::new();
    const PEAK: &'static [::counterpart::Peak] = pipeline::m8::PEAK;
}
::counterpart::prove!(Pipeline < 8 >);
