//! The schedule language of [Counterpart]: from tokens to a checked plan.
//!
//! This is the front end of `schedule!`, as a library: the macro and the command line call it alike. The path of a
//! schedule through it:
//!
//! 1. [`parse`]: tokens to a tree ([`syntax`]).
//! 2. [`resolve`]: names to numbers, expressions to code; once, for all sizes.
//! 3. [`elaborate`]: one instance at concrete sizes becomes a [`Plan`](counterpart_core::Plan).
//! 4. [`check`]: the verifier judges the plan, and faults become [`Errors`] with places on both ends.
//! 5. [`reroll`]: the flat program of a rank becomes a short one with loops.
//! 6. [`expand`]: the schedule becomes Rust: session types, their proof, the trait of compute methods.
//!
//! The way back, from a plan to a schedule, is [`mod@print`].
//!
//! Errors are collected. A stage reports all that it finds, and the next one runs only if there was none.
//!
//! [Counterpart]: https://docs.rs/counterpart
#![forbid(unsafe_code)]

pub mod check;
pub mod elaborate;
pub mod error;
pub mod expand;
pub mod library;
pub mod parse;
pub mod print;
pub mod reroll;
pub mod resolve;
pub mod syntax;
mod texts;

pub use elaborate::Elaborated;
pub use error::{Error, Errors};

use proc_macro2::TokenStream;

/// What became of the inside of a `schedule! { … }`.
pub struct Compiled {
    /// The tree. It is there whenever the header could be read, so that its names can be defined in spite of errors.
    pub schedule: Option<syntax::Schedule>,
    /// The instances, in order; complete only where there are no errors.
    pub instances: Vec<Elaborated>,
    /// All errors of the first stage that found any.
    pub errors: Errors,
}

impl Compiled {
    /// What the macro leaves in place of itself: the schedule as Rust, and a `compile_error!` for each error.
    pub fn into_tokens(self) -> TokenStream {
        let Compiled { schedule, instances, errors } = self;
        let schedule = schedule.map(|schedule| expand::expand(&schedule, &instances, errors.is_empty()));
        let mut tokens = schedule.unwrap_or_default();
        tokens.extend(errors.into_tokens());
        tokens
    }
}

/// Parses, resolves, elaborates and checks the inside of a `schedule! { … }`. `file` is what plans call its source file.
///
/// ```
/// let tokens = r#"
///     schedule Hello;
///     message Greeting: [u8; 5];
///     rank 0 { send Greeting to 1; }
///     rank 1 { }
/// "#;
/// let compiled = counterpart_lang::compile(tokens.parse().unwrap(), "hello.rs");
/// let error = compiled.errors.iter().next().unwrap();
/// assert!(error.message.text.contains("rank 1 has no receive for it"));
/// assert_eq!((error.place.line(), error.place.column()), (4, 14));
/// ```
pub fn compile(tokens: TokenStream, file: &str) -> Compiled {
    let mut errors = Errors::new();
    let schedule = parse::parse(tokens, &mut errors);
    let mut instances = Vec::new();
    if let Some(schedule) = schedule.as_ref().filter(|_| errors.is_empty()) {
        expand::check(schedule, &mut errors);
        expand::check_shapes(schedule, &mut errors);
        let resolved = resolve::resolve(schedule, &mut errors);
        if errors.is_empty() {
            let sizes = resolved.instances.iter();
            instances.extend(
                sizes.filter_map(|(sizes, _)| elaborate::elaborate(&resolved, sizes, file, &mut errors)),
            );
        }
        if errors.is_empty() {
            instances.iter().for_each(|instance| check::check(instance, &mut errors));
        }
    }
    Compiled { schedule, instances, errors }
}
