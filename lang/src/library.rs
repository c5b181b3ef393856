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
use crate::error::Errors;
use crate::parse::{self, base};
use crate::syntax::{Instance, Place, Schedule};
use crate::{check, resolve};
use proc_macro2::Ident;

pub use crate::texts::{ENTRIES, Entry};

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
        base::read(self, None)
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
}
