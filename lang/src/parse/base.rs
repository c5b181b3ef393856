//! `schedule Mine = OneF1B;`: a schedule of the library becomes one's own.

use super::parse;
use crate::error::{Errors, catalogue};
use crate::syntax::{Message, Place, Schedule};
use crate::texts::{ENTRIES, Entry};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};

/// The tree of a schedule of the library, all of it at one place where one is given.
pub(crate) fn read(entry: &Entry, span: Option<Span>) -> Schedule {
    let tokens: TokenStream = entry.text.parse().expect("the library consists of Rust tokens");
    let block = tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    let block = block.expect("the library consists of `schedule!` blocks");
    let block = match span {
        Some(span) => at(block, span),
        None => block,
    };
    let mut errors = Errors::new();
    let schedule = parse(block, &mut errors);
    assert!(errors.is_empty(), "{}: {:?}", entry.name, errors.iter().next().map(ToString::to_string));
    schedule.expect("the library consists of schedules")
}

/// All tokens at one place: where there are errors, they are about the use of the schedule.
fn at(tokens: TokenStream, span: Span) -> TokenStream {
    let moved = tokens.into_iter().map(|mut token| {
        if let TokenTree::Group(group) = &token {
            token = TokenTree::Group(Group::new(group.delimiter(), at(group.stream(), span)));
        }
        token.set_span(span);
        token
    });
    moved.collect()
}

/// Makes a schedule that is one of the library complete.
pub(super) fn extend(schedule: &mut Schedule, errors: &mut Errors) {
    let Some(base) = schedule.base.clone() else { return };
    let name = base.to_string();
    let Some(entry) = ENTRIES.iter().find(|entry| entry.schedule == name) else {
        let known: Vec<&str> = ENTRIES.iter().map(|entry| entry.schedule).collect();
        errors.at(Place::at(base.span()), catalogue::unknown_base(&name, &known));
        return;
    };
    for (item, place) in own_items(schedule) {
        errors.at(place, catalogue::not_with_base(item, &name));
    }
    let library = read(entry, Some(base.span()));
    let own = std::mem::take(&mut schedule.messages);
    schedule.messages = messages(library.messages, own, &name, errors);
    if !schedule.attrs.iter().any(|attr| attr.path().is_ident("doc")) {
        schedule.attrs.extend(library.attrs);
    }
    schedule.params = library.params;
    schedule.defaults = library.defaults;
    schedule.model = schedule.model.or(library.model);
    schedule.comms = schedule.comms.or(library.comms);
    schedule.lets = library.lets;
    schedule.requires = library.requires;
    schedule.functions = library.functions;
    schedule.computes = library.computes;
    schedule.ranks = library.ranks;
    schedule.search = library.search;
    // Of two costs of one step the later counts.
    schedule.costs.splice(0..0, library.costs);
    schedule.memory.splice(0..0, library.memory);
}

/// Items that a schedule of the library has already.
fn own_items(schedule: &Schedule) -> Vec<(&'static str, Place)> {
    let named = |item, name: &Ident| (item, Place::at(name.span()));
    let mut items: Vec<(&'static str, Place)> = Vec::new();
    items.extend(schedule.lets.iter().map(|one| named("let", &one.name)));
    items.extend(schedule.functions.iter().map(|one| named("fn", &one.name)));
    items.extend(schedule.computes.iter().map(|one| named("compute", &one.name)));
    items.extend(schedule.requires.iter().map(|one| ("require", one.condition.place)));
    items.extend(schedule.ranks.iter().map(|one| ("rank", one.place)));
    items.extend(schedule.search.map(|place| ("order", place)));
    items
}

/// The messages of the library, as far as they are not declared anew.
fn messages(library: Vec<Message>, own: Vec<Message>, base: &str, errors: &mut Errors) -> Vec<Message> {
    let known: Vec<String> = library.iter().map(|message| message.name.to_string()).collect();
    let mut own: Vec<Option<Message>> = own.into_iter().map(Some).collect();
    let find = |name: &Ident, own: &mut Vec<Option<Message>>| {
        own.iter_mut().find(|one| one.as_ref().is_some_and(|one| one.name == *name)).and_then(Option::take)
    };
    let mut messages = Vec::new();
    for mut message in library {
        if let Some(declared) = find(&message.name, &mut own) {
            if declared.indices.len() != message.indices.len() {
                let indices: Vec<String> = message.indices.iter().map(Ident::to_string).collect();
                let wrong = catalogue::other_indices(&message.name.to_string(), base, &indices);
                errors.at(Place::at(declared.name.span()), wrong);
            }
            let attrs = if declared.attrs.is_empty() { message.attrs } else { declared.attrs };
            message = Message { attrs, ..declared };
        }
        messages.push(message);
    }
    for message in own.into_iter().flatten() {
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let name = message.name.to_string();
        errors.at(Place::at(message.name.span()), catalogue::other_message(&name, base, &known));
    }
    messages
}
