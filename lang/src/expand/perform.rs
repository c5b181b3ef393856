//! From a compute step of the driver to the user's method.

use crate::syntax::{Compute, UseKind};
use proc_macro2::TokenStream;
use quote::quote;

use super::names;

/// Emits `impl Perform` for one kind of compute step.
pub fn expand(compute: &Compute) -> TokenStream {
    let name = &compute.name;
    let indices: Vec<_> = compute.indices.iter().map(|index| &index.name).collect();
    let at = if indices.len() == 4 { quote!([#(#indices),*]) } else { quote!([#(#indices,)* ..]) };
    let arguments = names::arguments(compute);
    let uses = compute.uses.iter().filter(|used| used.kind != UseKind::After);
    let passed = arguments.iter().zip(uses).map(|(argument, used)| {
        let access = match used.kind {
            UseKind::Writes => quote!(Write),
            _ => quote!(Read),
        };
        match used.condition {
            Some(_) => quote!(::counterpart::#access::optional(#argument)),
            None => quote!(::counterpart::#access::required(#argument)?),
        }
    });
    let places = arguments.iter().map(|_| quote!(::core::option::Option<B::Buffer>));
    let taken = match arguments.is_empty() {
        true => quote!(let _ = buffers;),
        false => quote!(let ::counterpart::session::hlist_pat![#(#arguments),*] = buffers;),
    };
    quote! {
        impl<B: ::counterpart::backend::Backend, C: Compute<B> + ?Sized> ::counterpart::drive::Perform<B, C> for #name {
            type Buffers = ::counterpart::session::HList![#(#places),*];
            fn perform(compute: &mut C, #at: [usize; 4], buffers: &mut Self::Buffers) -> ::counterpart::StepResult {
                #taken
                compute.#name(#(#indices,)* #(#passed),*)
            }
        }
    }
}
