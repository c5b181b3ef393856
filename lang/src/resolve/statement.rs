//! Statements: names to numbers, expressions to code.

use super::Resolver;
use super::names::{Meaning, Type};
use super::resolved::{Call, Statement, ValueRef};
use crate::error::catalogue;
use crate::syntax::{self, Arm, Assign, Place};
use proc_macro2::Ident;

impl Resolver {
    /// The statements of a block, in a scope of its own.
    pub fn statements(&mut self, statements: &[syntax::Statement]) -> Vec<Statement> {
        let mark = self.scope.mark();
        let resolved = statements.iter().filter_map(|statement| self.statement(statement)).collect();
        self.scope.leave(mark);
        resolved
    }

    /// `None` after an error; no statement is evaluated then.
    fn statement(&mut self, statement: &syntax::Statement) -> Option<Statement> {
        use syntax::Statement as S;
        Some(match statement {
            S::Let(binding) => {
                let (value, kind) = self.snippet(&binding.value, None);
                let slot = self.scope.declare(&binding.name, binding.mutable, kind);
                Statement::Set { slot, value }
            }
            S::Assign(assign) => self.assignment(assign)?,
            S::For(counted) => {
                let range = self.range(&counted.range);
                let mark = self.scope.mark();
                let slot = self.scope.declare(&counted.name, false, Some(Type::Integer));
                let body = self.statements(&counted.body);
                self.scope.leave(mark);
                Statement::For { slot, range, body }
            }
            S::While(arm) => {
                let (condition, body) = self.arm(arm);
                Statement::While { condition, body }
            }
            S::If { arms, otherwise } => {
                let arms = arms.iter().map(|arm| self.arm(arm)).collect();
                Statement::If { arms, otherwise: self.statements(otherwise) }
            }
            S::Comm(comm) => {
                self.no_communication(comm.place);
                let value = self.message(&comm.value);
                let peer = self.integer(&comm.peer);
                let condition = self.optional(&comm.condition);
                let source = self.source(comm.place);
                Statement::Comm { send: comm.send, value: value?, peer, condition, source }
            }
            S::Batch { body, place } => {
                self.no_communication(*place);
                let source = self.source(*place);
                Statement::Batch { body: self.statements(body), source }
            }
            S::Compute(call) => Statement::Compute(self.call_of(call)?),
            S::Overlap { parts, place } => {
                let source = self.source(*place);
                let parts: Option<_> = parts.iter().map(|part| self.call_of(part)).collect();
                Statement::Overlap { parts: parts?, source }
            }
            S::Defer(call) => Statement::Defer(self.call_of(call)?),
            S::Resume { name, all, condition, place } => {
                let compute = self.compute_step(name);
                let condition = self.optional(condition);
                let source = self.source(*place);
                Statement::Resume { compute: compute?, all: *all, condition, source }
            }
        })
    }

    fn call_of(&mut self, call: &syntax::Call) -> Option<Call> {
        let syntax::Call { name, args, condition, place } = call;
        let compute = self.compute_step(name);
        if let Some(compute) = compute {
            self.check_indices(Meaning::Compute(compute), args.len(), *place);
        }
        let args = args.iter().map(|arg| self.integer(arg)).collect();
        let condition = self.optional(condition);
        let source = self.source(*place);
        Some(Call { compute: compute?, args, condition, source })
    }

    /// Communication that is inserted and such that is written do not go together.
    fn no_communication(&mut self, place: Place) {
        if self.inserts {
            self.errors.at(place, catalogue::communication_in_auto());
        }
    }

    fn arm(&mut self, arm: &Arm) -> (super::code::Snippet, Vec<Statement>) {
        (self.condition(&arm.condition), self.statements(&arm.body))
    }

    fn assignment(&mut self, assign: &Assign) -> Option<Statement> {
        let name = assign.name.to_string();
        let place = Place::at(assign.name.span());
        let Some((super::code::Var::Local(slot), variable)) = self.scope.find(&name) else {
            let message = match self.names.get(&name) {
                Some(Meaning::Value(_)) => catalogue::not_assignable(&name),
                other => catalogue::unknown_variable(&name, other.map(Meaning::kind), self.scope.names()),
            };
            self.errors.at(place, message);
            return None;
        };
        let (mutable, kind) = (variable.mutable, variable.kind);
        if !mutable {
            self.errors.at(place, catalogue::not_mutable(&name));
        }
        let (value, _) = self.snippet(&assign.value, kind);
        Some(Statement::Set { slot, value })
    }

    /// A reference to a message.
    pub fn message(&mut self, value: &syntax::ValueRef) -> Option<ValueRef> {
        let family = self.family_number(&value.name);
        if let Some(family) = family {
            self.check_indices(Meaning::Message(family), value.indices.len(), value.place);
        }
        let indices = value.indices.iter().map(|index| self.integer(index)).collect();
        Some(ValueRef { family: family?, indices })
    }

    /// A reference to a compute step after `after`.
    pub fn earlier_step(&mut self, value: &syntax::ValueRef) -> Option<ValueRef> {
        let compute = self.compute_step(&value.name);
        if let Some(compute) = compute {
            self.check_indices(Meaning::Compute(compute), value.indices.len(), value.place);
        }
        let indices = value.indices.iter().map(|index| self.integer(index)).collect();
        Some(ValueRef { family: self.messages.len() as u32 + compute?, indices })
    }

    /// The number of a message family.
    pub fn family_number(&mut self, name: &Ident) -> Option<u32> {
        let text = name.to_string();
        match self.names.get(&text) {
            Some(Meaning::Message(number)) => Some(number),
            other => {
                let known = self.names.candidates(|m| matches!(m, Meaning::Message(_)));
                let message = catalogue::unknown_message(&text, other.map(Meaning::kind), known);
                self.errors.at(Place::at(name.span()), message);
                None
            }
        }
    }

    /// The number of a compute step.
    pub fn compute_step(&mut self, name: &Ident) -> Option<u32> {
        let text = name.to_string();
        match self.names.get(&text) {
            Some(Meaning::Compute(number)) => Some(number),
            other => {
                let known = self.names.candidates(|m| matches!(m, Meaning::Compute(_)));
                let message = catalogue::unknown_compute(&text, other.map(Meaning::kind), known);
                self.errors.at(Place::at(name.span()), message);
                None
            }
        }
    }

    fn check_indices(&mut self, family: Meaning, found: usize, place: Place) {
        let (name, indices) = match family {
            Meaning::Message(number) => &self.messages[number as usize],
            Meaning::Compute(number) => &self.computes[number as usize],
            Meaning::Value(_) | Meaning::Function(_) => return,
        };
        if found != indices.len() {
            self.errors.at(place, catalogue::wrong_indices(name, indices, found));
        }
    }

    /// A number for a place in the source.
    pub fn source(&mut self, place: Place) -> u32 {
        self.places.push(place);
        self.places.len() as u32 - 1
    }
}
