//! The library of schedules: those of the field, each written in the language, in `lang/schedules/`.
//!
//! `schedule Mine = OneF1B;` makes one of them one's own: what the messages carry is said there, and at which sizes it is
//! wanted.
//!
//! ```
//! use counterpart_lang::library;
//!
//! let zbv = library::find("zbv").unwrap();
//! assert_eq!((zbv.schedule, zbv.params()), ("ZBV", vec![("P".into(), None), ("M".into(), None)]));
//! ```

use crate::elaborate::{self, Elaborated, Options};
use crate::error::{Errors, catalogue};
use crate::syntax::{Instance, Message, Place, Schedule};
use crate::{check, parse, resolve};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};

/// A schedule of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What the command line calls it.
    pub name: &'static str,
    /// What it is called in programs.
    pub schedule: &'static str,
    /// Its text: a file with a `schedule!` block.
    pub text: &'static str,
}

macro_rules! entries {
    ($($name:literal $schedule:ident $file:literal)*) => {
        &[$(Entry {
            name: $name,
            schedule: stringify!($schedule),
            text: include_str!(concat!("../schedules/", $file, ".rs")),
        }),*]
    };
}

/// The schedules, in the order of their history.
pub const ENTRIES: &[Entry] = entries! {
    "gpipe" GPipe "gpipe"
    "1f1b" OneF1B "one_f1b"
    "interleaved-1f1b" Interleaved1F1B "interleaved_1f1b"
    "deepspeed" DeepSpeed "deepspeed"
    "chimera" Chimera "chimera"
    "looped-bfs" LoopedBFS "looped_bfs"
    "zb-h1" ZBH1 "zb_h1"
    "zb-h2" ZBH2 "zb_h2"
    "interleaved-zb" InterleavedZeroBubble "interleaved_zb"
    "zbv" ZBV "zbv"
    "v-half" VHalf "v_half"
    "v-min" VMin "v_min"
    "dualpipe" DualPipe "dualpipe"
    "dualpipev" DualPipeV "dualpipev"
};

/// The schedule of this name on the command line.
pub fn find(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

impl Entry {
    /// Its tree. The library has no errors: a test sees to that.
    ///
    /// # Panics
    /// When its text is no schedule.
    pub fn parse(&self) -> Schedule {
        self.parse_at(None)
    }

    /// Its parameters in order, each with its default.
    pub fn params(&self) -> Vec<(String, Option<i64>)> {
        let schedule = self.parse();
        schedule.params.iter().map(Ident::to_string).zip(schedule.defaults).collect()
    }

    /// What it is, in a few words: the first paragraph of its documentation.
    pub fn about(&self) -> String {
        let lines = self.text.lines().map(str::trim_start).skip_while(|line| !line.starts_with("///"));
        let first = lines.map_while(|line| line.strip_prefix("///")).map(str::trim);
        let first: Vec<&str> = first.take_while(|line| !line.is_empty()).collect();
        first.join(" ").trim_end_matches('.').to_owned()
    }

    /// The schedule at these sizes, one for each parameter that has no default at least.
    ///
    /// # Errors
    /// Where the schedule does not have these sizes; and what [`check`](crate::check::check) finds, which for a schedule
    /// with communication is nothing.
    pub fn make(&self, sizes: &[i64], options: Options) -> Result<Elaborated, Errors> {
        let mut errors = Errors::new();
        let mut schedule = self.parse();
        let (name, place) = (schedule.name.clone(), Place::at(schedule.name.span()));
        schedule.instances = vec![Instance { name, sizes: sizes.to_vec(), place }];
        parse::fill_in(&mut schedule);
        let resolved = resolve::resolve(&schedule, &mut errors);
        let file = format!("{}.rs", self.name);
        let made =
            resolved.instances.first().filter(|_| errors.is_empty()).and_then(|(sizes, _)| {
                elaborate::elaborate_with(&resolved, sizes, &file, options, &mut errors)
            });
        if let Some(made) = made.as_ref().filter(|_| options.comms) {
            check::check(made, &mut errors);
        }
        made.filter(|_| errors.is_empty()).ok_or(errors)
    }

    /// Its tree, all of it at one place where one is given.
    fn parse_at(&self, span: Option<Span>) -> Schedule {
        let tokens: TokenStream = self.text.parse().expect("the library consists of Rust tokens");
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
        let schedule = parse::parse(block, &mut errors);
        assert!(errors.is_empty(), "{}: {:?}", self.name, errors.iter().next().map(ToString::to_string));
        schedule.expect("the library consists of schedules")
    }
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
pub(crate) fn extend(schedule: &mut Schedule, errors: &mut Errors) {
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
    let library = entry.parse_at(Some(base.span()));
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
