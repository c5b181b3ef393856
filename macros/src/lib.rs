//! The `schedule!` macro of Counterpart.
//!
//! The front end, from tokens to checked and re-rolled plans, is `counterpart-lang`; here its result becomes Rust: the
//! session types of every rank, their proof, and the trait of compute methods. What this macro emits is not trusted:
//! rustc proves the session types once more, and the driver is made of them.
#![forbid(unsafe_code)]

mod expand;

use proc_macro::TokenStream;

/// Declares a schedule, checks every instance of it, and defines it as session types with their proof.
///
/// See the documentation of the `counterpart` crate.
#[proc_macro]
pub fn schedule(input: TokenStream) -> TokenStream {
    let file = proc_macro::Span::call_site().file();
    let compiled = counterpart_lang::compile(input.into(), &file);
    let mut expansion = match &compiled.schedule {
        Some(schedule) => expand::expand(schedule, &compiled.instances, compiled.errors.is_empty()),
        None => proc_macro2::TokenStream::new(),
    };
    expansion.extend(compiled.errors.into_tokens());
    expansion.into()
}
