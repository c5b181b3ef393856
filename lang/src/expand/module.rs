//! The module of a schedule: message families, kinds of compute steps, the trait of compute methods, and the programs
//! of each instance.

use crate::Elaborated;
use crate::syntax::{Compute, Message, Schedule, UseKind};
use counterpart_core::DType;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Visibility;

use super::{instance, names, perform};

/// Emits the module.
pub fn expand(schedule: &Schedule, instances: &[Elaborated]) -> TokenStream {
    let module = names::module(schedule);
    let visibility = &schedule.visibility;
    let inner = inner(visibility);
    let about =
        format!(" Messages and compute steps of [`{}`], and its programs as session types.", schedule.name);
    let families = schedule.messages.iter().map(|message| family(message, &inner));
    let tasks = schedule.computes.iter().map(|compute| task(compute, &inner));
    let compute = compute(schedule, &inner);
    let performs = schedule.computes.iter().map(|compute| perform::expand(schedule, compute));
    let programs = instances.iter().map(|i| instance::programs(schedule, i, &inner));
    quote! {
        #[doc = #about]
        #[allow(unused_imports, clippy::too_many_arguments)]
        #visibility mod #module {
            use super::*;
            use ::counterpart::{
                Read, StepResult, Write, backend::{Backend, Threads}, drive::{Perform, Place}, session::{HList, hlist_pat},
            };
            ::counterpart::message! { #(#families)* }
            ::counterpart::task! { #(#tasks)* }
            #compute
            #(#performs)*
            #(#programs)*
        }
    }
}

/// The visibility that reaches as far from inside the module as `outer` does outside of it.
pub fn inner(outer: &Visibility) -> TokenStream {
    match outer {
        Visibility::Inherited => quote!(pub(super)),
        Visibility::Restricted(within) if within.path.is_ident("self") => quote!(pub(super)),
        Visibility::Restricted(within) if within.path.segments[0].ident == "super" => {
            let path = &within.path;
            quote!(pub(in super::#path))
        }
        other => quote!(#other),
    }
}

fn family(message: &Message, visibility: &TokenStream) -> TokenStream {
    let Message { attrs, name, dtype, dims, .. } = message;
    let about = about(attrs, || format!(" Messages `{name}`."));
    let element = element(*dtype);
    let dims = dims.iter().map(|dim| &dim.tokens);
    quote!(#about #visibility #name: [#element; #(#dims),*];)
}

fn task(compute: &Compute, visibility: &TokenStream) -> TokenStream {
    let Compute { attrs, name, .. } = compute;
    let about = about(attrs, || format!(" Compute step `{name}`."));
    quote!(#about #visibility #name;)
}

/// The trait of compute methods.
fn compute(schedule: &Schedule, visibility: &TokenStream) -> TokenStream {
    if schedule.computes.is_empty() {
        return TokenStream::new();
    }
    let (message, label) = (
        format!("`{{Self}}` does not run the compute steps of `{}`", schedule.name),
        format!("implement `{}::Compute` for it", names::module(schedule)),
    );
    let about = format!(" The compute steps of [`{}`]. The error of a step ends its rank.", schedule.name);
    let b = names::type_parameter(schedule, 'B');
    let methods = schedule.computes.iter().map(|compute| method(compute, &b));
    quote! {
        #[doc = #about]
        #[diagnostic::on_unimplemented(message = #message, label = #label)]
        #visibility trait Compute<#b: Backend = Threads> {
            #(#methods)*
        }
    }
}

fn method(compute: &Compute, b: &Ident) -> TokenStream {
    let name = &compute.name;
    let about = about(&compute.attrs, || format!(" Compute step `{name}`."));
    let indices = compute.indices.iter().map(|index| &index.name);
    let uses = compute.uses.iter().filter(|used| used.kind != UseKind::After);
    let arguments = names::arguments(compute).into_iter().zip(uses).map(|(argument, used)| {
        let family = &used.value.name;
        let access = match used.kind {
            UseKind::Writes => quote!(Write),
            _ => quote!(Read),
        };
        let plain = quote!(#access<'_, #family, #b>);
        match used.condition {
            Some(_) => quote!(#argument: ::core::option::Option<#plain>),
            None => quote!(#argument: #plain),
        }
    });
    quote! {
        #about
        fn #name(&mut self #(, #indices: usize)* #(, #arguments)*) -> StepResult;
    }
}

/// The documentation of an item, or else a sentence about it.
fn about(attrs: &[syn::Attribute], otherwise: impl FnOnce() -> String) -> TokenStream {
    match attrs {
        [] => {
            let text = otherwise();
            quote!(#[doc = #text])
        }
        _ => quote!(#(#attrs)*),
    }
}

fn element(dtype: DType) -> TokenStream {
    match dtype {
        DType::F16 => quote!(::counterpart::element::f16),
        DType::Bf16 => quote!(::counterpart::element::bf16),
        _ => {
            let name = Ident::new(dtype.name(), Span::call_site());
            quote!(#name)
        }
    }
}
