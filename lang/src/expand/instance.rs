//! One instance: the programs of its ranks, and `impl Schedule`.

use crate::Elaborated;
use crate::reroll::{MAX_LIST, reroll};
use crate::syntax::Schedule;
use counterpart_core::{BatchRule, Channel};
use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::{listing, names, session};

/// The module with the programs of one instance.
pub fn programs(schedule: &Schedule, instance: &Elaborated, visibility: &TokenStream) -> TokenStream {
    let name = names::instance(schedule, instance);
    let about = match &instance.choice {
        Some(choice) => format!(
            " The programs of `{}`.\n\n Its communication was inserted; {choice}, on `{}`.",
            instance.name, instance.fast,
        ),
        None => format!(" The programs of `{}`.", instance.name),
    };
    let plan_names = instance.plan.names();
    let ranks = instance.plan.ranks();
    let programs = (0..ranks).map(|rank| {
        let nodes = reroll(&instance.plan, rank, |step| instance.present[rank][step]);
        let (program, alias) =
            (session::program(schedule, &instance.masks, &nodes), format_ident!("Rank{rank}"));
        let mut about = format!(" The program of rank {rank}.");
        if instance.choice.is_some() {
            let lines = listing::lines(&plan_names, &nodes);
            about.push_str(&format!("\n\n```text\n{}\n```", lines.join("\n")));
        }
        quote!(#[doc = #about] pub type #alias = #program;)
    });
    let families = schedule.messages.iter().map(|message| &message.name);
    let tasks = schedule.computes.iter().map(|compute| &compute.name);
    let system = system(&(0..ranks).collect::<Vec<_>>());
    let coverage = coverage(schedule, instance);
    let peaks = (0..ranks).map(|rank| peak(schedule, instance, rank));
    quote! {
        #[doc = #about]
        #visibility mod #name {
            use super::{#(#families,)* #(#tasks),*};
            use ::counterpart::{Peak, drive::FamilyPeak, session::*};
            #(#programs)*
            /// All programs, in order.
            pub type Ranks = #system;
            /// Which compute steps must run once.
            pub type Coverage = #coverage;
            /// The buffers of each rank.
            pub const PEAK: &[Peak] = &[#(#peaks),*];
        }
    }
}

/// The domains of compute steps.
fn coverage(schedule: &Schedule, instance: &Elaborated) -> TokenStream {
    let covers = instance.plan.domains().iter().filter_map(|domain| {
        let at = instance.computes.iter().position(|&family| family == domain.family)?;
        let task = &schedule.computes[at].name;
        let ranges = (0..domain.arity as usize).map(|j| {
            let from = Literal::u64_unsuffixed(domain.from[j]);
            let to = Literal::u64_unsuffixed(domain.to[j]);
            quote!(Range<#from, #to>)
        });
        Some(quote!(Covers<#task, HList![#(#ranges),*]>))
    });
    quote!(HList![#(#covers),*])
}

/// The buffers that a rank needs at its peak.
fn peak(schedule: &Schedule, instance: &Elaborated, rank: usize) -> TokenStream {
    let live = instance.plan.live(rank);
    let used = schedule.messages.iter().zip(&instance.messages);
    let buffers = used.filter_map(|(message, shape)| match live.peak(shape.family) {
        0 => None,
        n => {
            let (family, n) = (&message.name, Literal::usize_unsuffixed(n));
            Some(quote!(FamilyPeak::of::<#family>(#n)))
        }
    });
    quote!(Peak { buffers: &[#(#buffers),*] })
}

/// The list of programs, in groups of groups where it is long: a list costs rustc a level of recursion per element.
fn system(ranks: &[usize]) -> TokenStream {
    let programs = ranks.iter().map(|rank| {
        let (number, alias) = (Literal::usize_unsuffixed(*rank), format_ident!("Rank{rank}"));
        quote!(Program<Rank<#number>, #alias>)
    });
    let mut list: Vec<TokenStream> = programs.collect();
    while list.len() > MAX_LIST {
        let size = list.len().isqrt().clamp(MAX_LIST, 2 * MAX_LIST);
        list = list.chunks(size).map(|group| quote!(Group<HList![#(#group),*]>)).collect();
    }
    quote!(HList![#(#list),*])
}

/// `impl Schedule` for one instance.
pub fn expand(schedule: &Schedule, instance: &Elaborated) -> TokenStream {
    let (module, programs) = (names::module(schedule), names::instance(schedule, instance));
    let channel = match instance.model.channel() {
        Channel::Blocking => quote!(Blocking),
        Channel::Queue => quote!(Queue),
        Channel::Pair => quote!(Pair),
        Channel::Edge => quote!(Edge),
        Channel::Eager => quote!(Eager),
    };
    let rule = match instance.model.batch() {
        BatchRule::Gang => quote!(Gang),
        BatchRule::Item => quote!(Item),
    };
    let model = (!instance.model.is_portable()).then(|| {
        quote! {
            const MODEL: ::counterpart::core::Model = ::core::option::Option::unwrap(
                ::counterpart::core::Model::new(
                    ::counterpart::core::Channel::#channel,
                    ::counterpart::core::BatchRule::#rule,
                ),
            );
        }
    });
    implement(
        schedule,
        &instance.sizes,
        &instance.name,
        quote!(#module::#programs::Ranks),
        quote!(#module::#programs::Coverage),
        quote! {
            #model
            const PEAK: &'static [::counterpart::Peak] = #module::#programs::PEAK;
        },
    )
}

/// Instances of a schedule with errors: they have no ranks, so that what uses them gives no errors of its own.
pub fn empty(schedule: &Schedule) -> TokenStream {
    let mut all: Vec<&[i64]> = schedule.instances.iter().map(|instance| &instance.sizes[..]).collect();
    if schedule.params.is_empty() {
        all.push(&[]);
    }
    all.retain(|sizes| sizes.len() == schedule.params.len() && sizes.iter().all(|&size| size >= 0));
    all.sort_unstable();
    all.dedup();
    let list = quote!(::counterpart::session::HList![]);
    let name = schedule.name.to_string();
    let empty =
        |sizes: &[i64]| implement(schedule, sizes, &name, list.clone(), list.clone(), TokenStream::new());
    all.into_iter().map(empty).collect()
}

fn implement(
    schedule: &Schedule,
    sizes: &[i64],
    title: &str,
    ranks: TokenStream,
    coverage: TokenStream,
    more: TokenStream,
) -> TokenStream {
    let name = &schedule.name;
    let arguments = (!sizes.is_empty()).then(|| {
        let sizes = sizes.iter().map(|&size| Literal::i64_unsuffixed(size));
        quote!(<#(#sizes),*>)
    });
    let written = schedule.instances.iter().find(|instance| instance.sizes == sizes);
    let span = written.map_or_else(Span::call_site, |instance| instance.name.span());
    let proof = quote_spanned!(span=> ::counterpart::Proof::new());
    quote! {
        impl ::counterpart::Schedule for #name #arguments {
            const NAME: &'static str = #title;
            type Ranks = #ranks;
            type Coverage = #coverage;
            #[allow(long_running_const_eval)]
            const PROOF: ::counterpart::Proof<Self> = #proof;
            #more
        }
        ::counterpart::prove!(#name #arguments);
    }
}
