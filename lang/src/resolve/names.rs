//! What a name stands for.

use super::code::Var;
use crate::error::{Errors, catalogue};
use crate::syntax::{Place, Schedule};
use proc_macro2::Ident;
use std::collections::HashMap;

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// An integer.
    Integer,
    /// A condition.
    Condition,
}

/// What a name outside of ranks stands for: which of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A parameter, or a `let`.
    Value(u32),
    /// A helper function.
    Function(u32),
    /// A message family.
    Message(u32),
    /// A compute step.
    Compute(u32),
}

impl Meaning {
    /// For messages: what kind of thing it is.
    pub fn kind(self) -> &'static str {
        match self {
            Meaning::Value(_) => "a number",
            Meaning::Function(_) => "a helper function",
            Meaning::Message(_) => "a message",
            Meaning::Compute(_) => "a compute step",
        }
    }
}

/// All names outside of ranks. They share one space, since a reader should never have to guess.
#[derive(Debug, Default)]
pub struct Names {
    meanings: HashMap<String, (Meaning, Place)>,
    in_order: Vec<String>,
    /// The types of parameters and `let`s, as far as they are known.
    pub value_types: Vec<Option<Type>>,
}

impl Names {
    /// Collects the names of a schedule.
    pub fn of(schedule: &Schedule, errors: &mut Errors) -> Names {
        let mut names = Names::default();
        let values = schedule.params.iter().chain(schedule.lets.iter().map(|l| &l.name));
        for (i, name) in (0..).zip(values) {
            names.add(name, Meaning::Value(i), errors);
            names.value_types.push(Some(Type::Integer));
        }
        for (i, function) in (0..).zip(&schedule.functions) {
            names.add(&function.name, Meaning::Function(i), errors);
        }
        for (i, message) in (0..).zip(&schedule.messages) {
            names.add(&message.name, Meaning::Message(i), errors);
        }
        for (i, compute) in (0..).zip(&schedule.computes) {
            names.add(&compute.name, Meaning::Compute(i), errors);
        }
        names
    }

    /// Is this a parameter, a `let` or a helper function?
    pub fn is_calculated(&self, name: &str) -> bool {
        matches!(self.meanings.get(name), Some((Meaning::Value(_) | Meaning::Function(_), _)))
    }

    fn add(&mut self, name: &Ident, meaning: Meaning, errors: &mut Errors) {
        let (text, place) = (name.to_string(), Place::at(name.span()));
        if is_reserved(&text, meaning) {
            errors.at(place, catalogue::reserved(&text));
            return;
        }
        match self.meanings.get(&text) {
            Some((_, first)) => errors.at(place, catalogue::duplicate(&text, first.line())),
            None => {
                self.meanings.insert(text.clone(), (meaning, place));
                self.in_order.push(text);
            }
        }
    }

    /// What a name stands for.
    pub fn get(&self, name: &str) -> Option<Meaning> {
        self.meanings.get(name).map(|&(meaning, _)| meaning)
    }

    /// The names that satisfy a condition, for suggestions.
    pub fn candidates(&self, wanted: impl Fn(Meaning) -> bool) -> Vec<&str> {
        let wanted = |name: &&String| wanted(self.meanings[*name].0);
        self.in_order.iter().filter(wanted).map(String::as_str).collect()
    }
}

/// Names that the language itself uses in the same position.
fn is_reserved(name: &str, meaning: Meaning) -> bool {
    match meaning {
        Meaning::Function(_) => is_built_in(name),
        Meaning::Compute(_) => crate::parse::is_statement_word(name),
        _ => false,
    }
}

/// Is it a function that the language has by itself?
pub fn is_built_in(name: &str) -> bool {
    matches!(name, "min" | "max" | "abs")
}

/// A variable of a program, a compute step or a function.
#[derive(Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// May it be assigned to?
    pub mutable: bool,
    /// Its type, where it is known.
    pub kind: Option<Type>,
}

/// The variables in scope; their place in the list is their number.
#[derive(Debug, Default)]
pub struct Scope {
    variables: Vec<Variable>,
    most: usize,
}

impl Scope {
    /// Adds a variable and says its number. It hides an older one of the same name.
    pub fn declare(&mut self, name: &Ident, mutable: bool, kind: Option<Type>) -> u32 {
        self.variables.push(Variable { name: name.to_string(), mutable, kind });
        self.most = self.most.max(self.variables.len());
        self.variables.len() as u32 - 1
    }

    /// The youngest variable of this name.
    pub fn find(&self, name: &str) -> Option<(Var, &Variable)> {
        let at = self.variables.iter().rposition(|v| v.name == name)?;
        Some((Var::Local(at as u32), &self.variables[at]))
    }

    /// How many variables are in scope.
    pub fn mark(&self) -> usize {
        self.variables.len()
    }

    /// Leaves a block: only the first `mark` variables stay.
    pub fn leave(&mut self, mark: usize) {
        self.variables.truncate(mark);
    }

    /// Ends the program, compute step or function, and says how many variables it needs at most.
    pub fn finish(&mut self) -> usize {
        self.variables.clear();
        core::mem::take(&mut self.most)
    }

    /// The names in scope, for suggestions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|v| v.name.as_str())
    }
}
