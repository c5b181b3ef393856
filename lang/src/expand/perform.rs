//! From a compute step of the driver to the user's method.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::names;
use crate::syntax::{Compute, UseKind};

/// Emits `impl Perform` for one kind of compute step.
pub fn expand(compute: &Compute) -> TokenStream {
    let name = &compute.name;
    // Names that differ from those of arguments even where they are spelt alike.
    let [on, at, uses_] = ["on", "at", "uses"].map(|name| Ident::new(name, Span::mixed_site()));
    let indices = (0..compute.indices.len()).map(Literal::usize_unsuffixed).map(|i| quote!(#at[#i]));
    let arguments = names::arguments(compute);
    let uses = compute.uses.iter().filter(|used| used.kind != UseKind::After);
    let (buffers, passed): (Vec<_>, Vec<_>) = arguments
        .iter()
        .zip(uses)
        .map(|(argument, used)| {
            let family = &used.value.name;
            let access = match used.kind {
                UseKind::Writes => quote!(Write),
                _ => quote!(Read),
            };
            let passed = match used.condition {
                Some(_) => quote!(#argument),
                None => quote!(#access::required(#argument)?),
            };
            (quote!(Place<#access<'u, #family, B>>), passed)
        })
        .unzip();
    quote! {
        impl<B: Backend, C: Compute<B> + ?Sized> Perform<B, C> for #name {
            type Buffers<'u> = HList![#(#buffers),*];
            fn perform(#on: &mut C, #at: [usize; 4], #uses_: Self::Buffers<'_>) -> StepResult {
                let hlist_pat![#(#arguments),*] = #uses_;
                Compute::<B>::#name(#on #(, #indices)* #(, #passed)*)
            }
        }
    }
}
