//! From a compute step of the driver to the user's method.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::names;
use crate::syntax::{Compute, Schedule, UseKind};

/// Emits `impl Perform` for one kind of compute step.
pub fn expand(schedule: &Schedule, compute: &Compute) -> TokenStream {
    let name = &compute.name;
    let [b, c] = ['B', 'C'].map(|letter| names::type_parameter(schedule, letter));
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
            (quote!(Place<#access<'u, #family, #b>>), passed)
        })
        .unzip();
    quote! {
        impl<#b: Backend, #c: Compute<#b> + ?Sized> Perform<#b, #c> for #name {
            type Buffers<'u> = HList![#(#buffers),*];
            fn perform(#on: &mut #c, #at: [usize; 4], #uses_: Self::Buffers<'_>) -> StepResult {
                let hlist_pat![#(#arguments),*] = #uses_;
                Compute::<#b>::#name(#on #(, #indices)* #(, #passed)*)
            }
        }
    }
}
