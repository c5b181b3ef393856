//! The schedules that this program can run: the one that is written out in `schedule.rs`, and those of the library.

use counterpart::backend::Threads;
use counterpart::{Error, Read, StepResult, Write, schedule};

use crate::data::ROWS;
use crate::drive::{Chains, Instance};
use crate::model::WIDTH;
use crate::rank::Rank;

/// The names of all schedules.
pub const NAMES: [&str; 15] = [
    "written",
    "gpipe",
    "1f1b",
    "interleaved-1f1b",
    "deepspeed",
    "chimera",
    "looped-bfs",
    "zb-h1",
    "zb-h2",
    "interleaved-zb",
    "zbv",
    "v-half",
    "v-min",
    "dualpipe",
    "dualpipev",
];

/// What a schedule of the library asks a rank to do. `$c` is the chain, where there are two: micro-batch `m` of the second
/// is the one that follows those of the first.
macro_rules! steps {
    (forward $($c:ident)?) => {
        fn forward(
            &mut self,
            $($c: usize,)?
            s: usize,
            m: usize,
            act_in: Option<Read<'_, Act, Threads>>,
            act_out: Option<Write<'_, Act, Threads>>,
        ) -> StepResult {
            $(let m = m + $c * self.micro_batches() / 2;)?
            let mut act_out = act_out;
            Rank::forward(self, (s, m), act_in.as_deref(), act_out.as_deref_mut(), true)
        }
    };
    (input $name:ident $($c:ident)?) => {
        fn $name(
            &mut self,
            $($c: usize,)?
            s: usize,
            m: usize,
            grad_in: Option<Read<'_, Grad, Threads>>,
            grad_out: Option<Write<'_, Grad, Threads>>,
        ) -> StepResult {
            $(let m = m + $c * self.micro_batches() / 2;)?
            let mut grad_out = grad_out;
            Rank::backward_input(self, (s, m), grad_in.as_deref(), grad_out.as_deref_mut())
        }
    };
    (weight $($c:ident)?) => {
        fn backward_weight(&mut self, $($c: usize,)? s: usize, m: usize) -> StepResult {
            $(let m = m + $c * self.micro_batches() / 2;)?
            Rank::backward_weight(self, (s, m));
            Ok(())
        }
    };
    (whole $($c:ident)?) => {
        fn backward(
            &mut self,
            $($c: usize,)?
            s: usize,
            m: usize,
            grad_in: Option<Read<'_, Grad, Threads>>,
            grad_out: Option<Write<'_, Grad, Threads>>,
        ) -> StepResult {
            $(let m = m + $c * self.micro_batches() / 2;)?
            let mut grad_out = grad_out;
            Rank::backward_input(self, (s, m), grad_in.as_deref(), grad_out.as_deref_mut())?;
            Rank::backward_weight(self, (s, m));
            Ok(())
        }
    };
}

/// Declares the schedules of the library at these sizes, each in a module of its own, and lists their instances.
macro_rules! library {
    ($($name:literal $module:ident $kind:ident $base:ident $(<$($size:tt),*>)*;)*) => {
        $(mod $module {
            use super::*;
            library! { @$kind $module $base $(<$($size),*>)* }
        })*

        /// All instances of the library, by name.
        fn instances(name: &str) -> Vec<Instance> {
            match name {
                $($name => vec![$(Instance::of::<$module::$base<$($size),*>>(library! { @chains $kind })),*],)*
                _ => Vec::new(),
            }
        }
    };
    (@chains two) => { Chains::Two };
    (@chains two_split) => { Chains::Two };
    (@chains $one:ident) => { Chains::One };
    (@whole $module:ident $base:ident $($sizes:tt)*) => {
        library! { @declare $module $base [s, m] $($sizes)* }
        impl Compute for Rank { steps!(forward); steps!(whole); }
    };
    (@split $module:ident $base:ident $($sizes:tt)*) => {
        library! { @declare $module $base [s, m] $($sizes)* }
        impl Compute for Rank { steps!(forward); steps!(input backward_input); steps!(weight); }
    };
    (@two $module:ident $base:ident $($sizes:tt)*) => {
        library! { @declare $module $base [c, s, m] $($sizes)* }
        impl Compute for Rank { steps!(forward c); steps!(whole c); }
    };
    (@two_split $module:ident $base:ident $($sizes:tt)*) => {
        library! { @declare $module $base [c, s, m] $($sizes)* }
        impl Compute for Rank { steps!(forward c); steps!(input backward_input c); steps!(weight c); }
    };
    (@declare $module:ident $base:ident $indices:tt $(<$($size:tt),*>)*) => {
        schedule! {
            #[allow(clippy::upper_case_acronyms)]
            pub schedule $base = $base;
            message Act $indices: [f32; ROWS, WIDTH];
            message Grad $indices: [f32; ROWS, WIDTH];
            $(instance $base<$($size),*>;)*
        }
        use self::$module::{Act, Compute, Grad};
    };
}

// Two stages on each of four ranks are the eight layers of the model.
library! {
    "gpipe"            gpipe                   whole     GPipe                 <4, 8>;
    "1f1b"             one_f1b                 whole     OneF1B                <4, 8>;
    "interleaved-1f1b" interleaved1f1b         whole     Interleaved1F1B       <4, 2, 8>;
    "deepspeed"        deep_speed              whole     DeepSpeed             <4, 8>;
    "chimera"          chimera                 two       Chimera               <4, 8>;
    "looped-bfs"       looped_bfs              whole     LoopedBFS             <4, 2, 8>;
    "zb-h1"            zbh1                    split     ZBH1                  <4, 8>;
    "zb-h2"            zbh2                    split     ZBH2                  <4, 8>;
    "interleaved-zb"   interleaved_zero_bubble split     InterleavedZeroBubble <4, 2, 8>;
    "zbv"              zbv                     split     ZBV                   <4, 8> <2, 4>;
    "v-half"           vhalf                   split     VHalf                 <4, 8>;
    "v-min"            vmin                    split     VMin                  <4, 8>;
    "dualpipe"         dual_pipe               two_split DualPipe              <4, 8> <2, 4>;
    "dualpipev"        dual_pipe_v             split     DualPipeV             <4, 8>;
}

/// All instances of a schedule.
pub fn all(name: &str) -> Vec<Instance> {
    match name {
        "written" => crate::schedule::instances(),
        library => instances(library),
    }
}

/// The instance of a schedule for so many ranks and micro-batches.
///
/// # Errors
/// When this program has not been built for it; the error lists what it has been built for.
pub fn find(name: &str, ranks: usize, micro_batches: usize) -> Result<Instance, Error> {
    let instances = all(name);
    let size =
        |ranks: usize, micro_batches: usize| format!("--ranks {ranks} --micro-batches {micro_batches}");
    let sizes: Vec<String> = instances.iter().map(|one| size(one.ranks, one.micro_batches)).collect();
    let is_it = |one: &Instance| (one.ranks, one.micro_batches) == (ranks, micro_batches);
    instances.into_iter().find(is_it).ok_or_else(|| {
        Error::Usage(format!(
            "this program was not built for `{name}` with {}, but with {}",
            size(ranks, micro_batches),
            sizes.join(", or ")
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_that_was_not_built_is_an_error() {
        assert_eq!(
            find("zbv", 3, 8).unwrap_err().to_string(),
            "this program was not built for `zbv` with --ranks 3 --micro-batches 8, but with --ranks 4 --micro-batches 8, \
             or --ranks 2 --micro-batches 4"
        );
        for name in NAMES {
            assert!(find(name, 4, 8).is_ok(), "{name}");
        }
    }

    #[test]
    fn ranks_have_the_stages_that_the_schedule_gives_them() {
        assert_eq!(find("interleaved-1f1b", 4, 8).unwrap().own, [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(find("v-half", 4, 8).unwrap().own, [[0, 7], [1, 6], [2, 5], [3, 4]]);
        assert_eq!(find("dualpipe", 4, 8).unwrap().own, [[0, 3], [1, 2], [1, 2], [0, 3]]);
    }
}
