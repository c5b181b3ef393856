//! The `schedule!` macro of [Counterpart].
//!
//! All of it, from tokens to checked session types, is `counterpart-lang`; here it meets the compiler. The crate
//! `counterpart` re-exports the macro, and there is the [reference of its language].
//!
//! [Counterpart]: https://docs.rs/counterpart
//! [reference of its language]: https://docs.rs/counterpart/latest/counterpart/macro.schedule.html
#![forbid(unsafe_code)]

use proc_macro::TokenStream;

// The documentation of the re-export stands before this.
/// What the macro emits is not trusted: rustc proves the session types once more, and the driver is made of them.
/// `cargo expand` shows them.
#[proc_macro]
pub fn schedule(input: TokenStream) -> TokenStream {
    let file = proc_macro::Span::call_site().file();
    counterpart_lang::compile(input.into(), &file).into_tokens().into()
}
