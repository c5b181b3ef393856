//! The `schedule!` macro of Counterpart.
//!
//! All of it, from tokens to checked session types, is `counterpart-lang`; here it meets the compiler. What this macro
//! emits is not trusted: rustc proves the session types once more, and the driver is made of them.
#![forbid(unsafe_code)]

use proc_macro::TokenStream;

/// Declares a schedule, checks every instance of it, and defines it as session types with their proof.
///
/// See the documentation of the `counterpart` crate.
#[proc_macro]
pub fn schedule(input: TokenStream) -> TokenStream {
    let file = proc_macro::Span::call_site().file();
    counterpart_lang::compile(input.into(), &file).into_tokens().into()
}
