//! A re-rolled program as a session type.

use crate::reroll::{Affine, Comm, Label, Node, Op};
use crate::syntax::{Schedule, UseKind};
use counterpart_core::tape::Role;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// Emits the `HList` of a program. The tag of a compute step is a place in `masks`.
pub fn program(schedule: &Schedule, masks: &[Vec<u32>], nodes: &[Node]) -> TokenStream {
    let steps = nodes.iter().map(|node| step(schedule, masks, node));
    quote!(HList![#(#steps),*])
}

fn step(schedule: &Schedule, masks: &[Vec<u32>], node: &Node) -> TokenStream {
    match node {
        Node::Op(Op::Single(comm)) => item(schedule, comm),
        Node::Op(Op::Batch(comms)) => {
            let items = comms.iter().map(|comm| item(schedule, comm));
            quote!(Batch<HList![#(#items),*]>)
        }
        Node::Op(Op::Compute { name, uses, tag }) => computes(schedule, name, uses, &masks[*tag as usize]),
        Node::Repeat { count, body } => {
            let (count, body) = (Literal::u64_unsuffixed(*count), program(schedule, masks, body));
            quote!(Repeat<Times<#count>, #body>)
        }
        Node::Block(body) => {
            let body = program(schedule, masks, body);
            quote!(Block<#body>)
        }
    }
}

fn item(schedule: &Schedule, comm: &Comm) -> TokenStream {
    let word = if comm.send { quote!(Send) } else { quote!(Recv) };
    let peer = Literal::i32_unsuffixed(comm.peer);
    let value = value(schedule, &comm.value);
    quote!(#word<Rank<#peer>, #value>)
}

/// A compute step, or several that overlap: their names stand in the uses, each in front of its own.
fn computes(schedule: &Schedule, name: &Label, uses: &[(Role, Label)], masks: &[u32]) -> TokenStream {
    let mut parts = vec![];
    let (mut name, mut rest) = (name, uses);
    for &mask in masks {
        let end = rest.iter().position(|(role, _)| *role == Role::Name).unwrap_or(rest.len());
        parts.push(compute(schedule, name, &rest[..end], mask));
        if let Some((_, next)) = rest.get(end) {
            (name, rest) = (next, &rest[end + 1..]);
        }
    }
    match &parts[..] {
        [only] => only.clone(),
        _ => quote!(Overlap<HList![#(#parts),*]>),
    }
}

/// A compute step with a place for each declared use; bit `i` of `present` says whether use `i` is there.
fn compute(schedule: &Schedule, name: &Label, uses: &[(Role, Label)], present: u32) -> TokenStream {
    let declared = &schedule.computes[name.family as usize - 1 - schedule.messages.len()];
    let (task, at) = (&declared.name, indices(name));
    let mut given = uses.iter();
    let uses = declared.uses.iter().enumerate().filter_map(|(i, used)| {
        if present >> i & 1 == 0 {
            return (used.kind != UseKind::After).then(|| quote!(Absent));
        }
        let (_, label) = given.next()?;
        Some(match used.kind {
            UseKind::Reads => {
                let value = value(schedule, label);
                quote!(Reads<#value>)
            }
            UseKind::Writes => {
                let value = value(schedule, label);
                quote!(Writes<#value>)
            }
            UseKind::After => {
                let (task, at) = (family(schedule, label), indices(label));
                quote!(After<#task, #at>)
            }
        })
    });
    quote!(Compute<#task, #at, HList![#(#uses),*]>)
}

fn value(schedule: &Schedule, label: &Label) -> TokenStream {
    let family = family(schedule, label);
    if label.indices.is_empty() {
        return quote!(Val<#family>);
    }
    let at = indices(label);
    quote!(Val<#family, #at>)
}

/// The name behind a family number: messages first, then compute steps, from 1 on.
fn family<'s>(schedule: &'s Schedule, label: &Label) -> &'s Ident {
    let at = label.family as usize - 1;
    match schedule.messages.get(at) {
        Some(message) => &message.name,
        None => &schedule.computes[at - schedule.messages.len()].name,
    }
}

fn indices(label: &Label) -> TokenStream {
    let indices = label.indices.iter().map(index);
    match label.indices.len() {
        1 => quote!((#(#indices),*,)),
        _ => quote!((#(#indices),*)),
    }
}

/// `Ix<3, 1>`, without the strides that are 0 at the end.
fn index(affine: &Affine) -> TokenStream {
    let used = affine.strides.iter().rposition(|&stride| stride != 0).map_or(0, |last| last + 1);
    let base = Literal::i64_unsuffixed(affine.base);
    let strides = affine.strides[..used].iter().map(|&stride| {
        let size = Literal::i64_unsuffixed(stride.abs());
        if stride < 0 { quote!({ -#size }) } else { quote!(#size) }
    });
    quote!(Ix<#base #(, #strides)*>)
}
