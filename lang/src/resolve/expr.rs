//! Expressions to code.

use super::Resolver;
use super::code::{Op, Snippet, Var};
use super::names::{Meaning, Type, is_built_in};
use super::resolved;
use crate::error::catalogue;
use crate::syntax::{BinaryOp, Block, Expr, ExprKind, Let, Place, Range, UnaryOp};
use proc_macro2::Ident;

impl Resolver {
    /// An integer expression.
    pub fn integer(&mut self, expr: &Expr) -> Snippet {
        self.snippet(expr, Some(Type::Integer)).0
    }

    /// A condition.
    pub fn condition(&mut self, expr: &Expr) -> Snippet {
        self.snippet(expr, Some(Type::Condition)).0
    }

    /// A condition where there is one.
    pub fn optional(&mut self, expr: &Option<Expr>) -> Option<Snippet> {
        expr.as_ref().map(|expr| self.condition(expr))
    }

    /// A range of integers.
    pub fn range(&mut self, range: &Range) -> resolved::Range {
        let (from, to) = (self.integer(&range.from), self.integer(&range.to));
        resolved::Range { from, to, inclusive: range.inclusive, reverse: range.reverse, place: range.place }
    }

    /// Code for an expression of the wanted type, or of any type. The type is `None` after an error.
    pub fn snippet(&mut self, expr: &Expr, wanted: Option<Type>) -> (Snippet, Option<Type>) {
        let start = self.code.next();
        let kind = match wanted {
            Some(wanted) => self.expect(expr, wanted),
            None => self.expr(expr),
        };
        (self.code.finish(start, expr.place, core::mem::take(&mut self.mentioned)), kind)
    }

    /// The body of a helper function.
    pub fn routine(&mut self, name: &Ident, body: &Block, wanted: Type) -> u32 {
        let start = self.code.next();
        if self.block(body, None).is_some_and(|found| found != wanted) {
            let message = catalogue::function_type(&name.to_string(), wanted == Type::Condition);
            self.errors.at(body.value.place, message);
        }
        self.code.push(Op::Return, body.value.place);
        self.code.finish(start, body.value.place, core::mem::take(&mut self.mentioned));
        start
    }

    fn expect(&mut self, expr: &Expr, wanted: Type) -> Option<Type> {
        let found = self.expr(expr)?;
        if found != wanted {
            self.errors.at(expr.place, catalogue::wrong_type(wanted == Type::Condition));
            return None;
        }
        Some(found)
    }

    fn expr(&mut self, expr: &Expr) -> Option<Type> {
        let place = expr.place;
        match &expr.kind {
            ExprKind::Int(value) => {
                self.code.push(Op::Push(*value), place);
                Some(Type::Integer)
            }
            ExprKind::Bool(value) => {
                self.code.push(Op::Push(i64::from(*value)), place);
                Some(Type::Condition)
            }
            ExprKind::Name(name) => self.name(name, place),
            ExprKind::Unary { op, at, operand } => {
                let (kind, op) = match op {
                    UnaryOp::Neg => (Type::Integer, Op::Neg),
                    UnaryOp::Not => (Type::Condition, Op::Not),
                };
                self.expect(operand, kind)?;
                self.code.push(op, *at);
                Some(kind)
            }
            ExprKind::Binary { op, at, left, right } => self.binary(*op, *at, left, right),
            ExprKind::If { condition, then, otherwise } => {
                self.expect(condition, Type::Condition);
                let skip = self.code.push(Op::JumpUnless(0), place);
                let kind = self.block(then, None);
                let end = self.code.push(Op::Jump(0), place);
                self.code.land(skip);
                let kind = self.block(otherwise, kind).and(kind);
                self.code.land(end);
                kind
            }
            ExprKind::Call { function, args } => self.call(function, args, place),
        }
    }

    fn block(&mut self, block: &Block, wanted: Option<Type>) -> Option<Type> {
        let mark = self.scope.mark();
        for Let { name, value, .. } in &block.lets {
            let kind = self.expr(value);
            let slot = self.scope.declare(name, false, kind);
            self.code.push(Op::Store(slot), value.place);
        }
        let kind = match wanted {
            Some(wanted) => self.expect(&block.value, wanted),
            None => self.expr(&block.value),
        };
        self.scope.leave(mark);
        kind
    }

    fn name(&mut self, name: &str, place: Place) -> Option<Type> {
        let (var, kind) = if let Some((var, variable)) = self.scope.find(name) {
            (var, variable.kind)
        } else {
            match self.names.get(name) {
                Some(Meaning::Value(number)) if number < self.visible_values => {
                    (Var::Global(number), self.names.value_types[number as usize])
                }
                Some(Meaning::Value(_)) => {
                    self.errors.at(place, catalogue::defined_below(name));
                    return None;
                }
                other => {
                    let values = self.names.candidates(|m| matches!(m, Meaning::Value(_)));
                    let candidates = self.scope.names().chain(values);
                    let message = catalogue::unknown_variable(name, other.map(Meaning::kind), candidates);
                    self.errors.at(place, message);
                    return None;
                }
            }
        };
        self.code.push(Op::Load(var), place);
        if !self.mentioned.iter().any(|(_, known)| *known == var) {
            self.mentioned.push((name.to_owned(), var));
        }
        kind
    }

    fn binary(&mut self, op: BinaryOp, at: Place, left: &Expr, right: &Expr) -> Option<Type> {
        use BinaryOp::*;
        match op {
            And | Or => {
                let left = self.expect(left, Type::Condition);
                // `a && b` is `if a { b } else { false }`, `a || b` is `if !a { b } else { true }`.
                if op == Or {
                    self.code.push(Op::Not, at);
                }
                let skip = self.code.push(Op::JumpUnless(0), at);
                let right = self.expect(right, Type::Condition);
                let end = self.code.push(Op::Jump(0), at);
                self.code.land(skip);
                self.code.push(Op::Push(i64::from(op == Or)), at);
                self.code.land(end);
                left.and(right)
            }
            Eq | Ne => {
                let left = self.expr(left);
                match left {
                    Some(kind) => self.expect(right, kind)?,
                    None => self.expr(right)?,
                };
                self.code.push(Op::Binary(op), at);
                left.and(Some(Type::Condition))
            }
            Add | Sub | Mul | Div | Rem | Lt | Le | Gt | Ge => {
                let left = self.expect(left, Type::Integer);
                let right = self.expect(right, Type::Integer);
                self.code.push(Op::Binary(op), at);
                let is_number = matches!(op, Add | Sub | Mul | Div | Rem);
                left.and(right).and(Some(if is_number { Type::Integer } else { Type::Condition }))
            }
        }
    }

    fn call(&mut self, function: &Ident, args: &[Expr], place: Place) -> Option<Type> {
        let name = function.to_string();
        let at = Place::at(function.span());
        let (op, arity, kind) = match (name.as_str(), self.names.get(&name)) {
            ("min", _) => (Op::Min, 2, Type::Integer),
            ("max", _) => (Op::Max, 2, Type::Integer),
            ("abs", _) => (Op::Abs, 1, Type::Integer),
            (_, Some(Meaning::Function(number))) => {
                let (arity, kind) = self.signatures[number as usize];
                (Op::Call(number), arity, kind)
            }
            (_, other) => {
                let mut known = self.names.candidates(|m| matches!(m, Meaning::Function(_)));
                known.extend(["min", "max", "abs"]);
                self.errors.at(at, catalogue::unknown_function(&name, other.map(Meaning::kind), known));
                return None;
            }
        };
        if args.len() != arity {
            self.errors.at(place, catalogue::wrong_arguments(&name, arity, args.len()));
        }
        let good = args.iter().map(|arg| self.expect(arg, Type::Integer)).filter(Option::is_some).count();
        // A call has no better place than its name, and overflow in `abs` belongs to it.
        self.code.push(op, if is_built_in(&name) { at } else { place });
        (good == arity && args.len() == arity).then_some(kind)
    }
}
