//! A compiled schedule becomes Rust.
//!
//! - `module`: a module with the message families, the kinds of compute steps and the trait of compute methods
//! - `perform`: from a compute step of the driver to the method of that trait
//! - `instance`: an instance as `impl Schedule`, its programs as session types
//! - `session`: one program as a session type
//! - `listing`: one program in words, for documentation
//! - `names`: what things are called

mod instance;
mod listing;
mod module;
mod names;
mod perform;
mod session;

use crate::Elaborated;
use crate::syntax::Schedule;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

pub use names::{check, check_shapes};

/// Emits the schedule. Where it is not `sound`, its names are defined all the same, so that nothing else in the crate
/// breaks because of it.
pub fn expand(schedule: &Schedule, instances: &[Elaborated], sound: bool) -> TokenStream {
    let Schedule { attrs, visibility, name, params, defaults, .. } = schedule;
    let generics = (!params.is_empty()).then(|| {
        let params = params.iter().zip(defaults).map(|(param, default)| {
            let default = default.map(Literal::i64_unsuffixed).into_iter();
            quote!(const #param: usize #(= #default)*)
        });
        quote!(<#(#params),*>)
    });
    let module = module::expand(schedule, if sound { instances } else { &[] });
    let instances = if sound {
        instances.iter().map(|i| instance::expand(schedule, i)).collect()
    } else {
        instance::empty(schedule)
    };
    quote! {
        #(#attrs)*
        #visibility struct #name #generics;
        #module
        #instances
    }
}
