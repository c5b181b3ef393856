//! Expressions: the integers and conditions of Rust.

use super::Place;
use proc_macro2::Ident;

/// An expression and where it stands.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// All of it.
    pub place: Place,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer.
    Int(i64),
    /// `true` or `false`.
    Bool(bool),
    /// A parameter, a `let`, a loop counter or an index.
    Name(String),
    /// `-a` or `!a`.
    Unary {
        /// Which of the two.
        op: UnaryOp,
        /// Where the operator stands.
        at: Place,
        /// What it applies to.
        operand: Box<Expr>,
    },
    /// `a + b` and so on.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Where the operator stands.
        at: Place,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// `if c { a } else { b }`.
    If {
        /// The condition.
        condition: Box<Expr>,
        /// The value where it holds.
        then: Block,
        /// The value where it does not.
        otherwise: Block,
    },
    /// `f(a, b)`: `min`, `max`, `abs` or a helper function.
    Call {
        /// The function.
        function: Ident,
        /// Its arguments.
        args: Vec<Expr>,
    },
}

/// `-a` or `!a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// An operator with two operands. Division and remainder round towards zero, as in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl BinaryOp {
    /// The operator as it is written.
    pub fn text(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            Eq => "==",
            Ne => "!=",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            And => "&&",
            Or => "||",
        }
    }
}

/// Some `let`s and a final expression.
#[derive(Clone, Debug)]
pub struct Block {
    /// The `let`s, in order.
    pub lets: Vec<Let>,
    /// The value of the block.
    pub value: Box<Expr>,
}

/// `let x = e;` or `let mut x = e;`
#[derive(Clone, Debug)]
pub struct Let {
    /// The new variable.
    pub name: Ident,
    /// May it be assigned to?
    pub mutable: bool,
    /// Its first value.
    pub value: Expr,
}

/// `a..b`, `a..=b`, or one of them in parentheses with `.rev()`.
#[derive(Clone, Debug)]
pub struct Range {
    /// The first number.
    pub from: Expr,
    /// The end.
    pub to: Expr,
    /// Does the end belong to the range?
    pub inclusive: bool,
    /// Does it count down?
    pub reverse: bool,
    /// All of it.
    pub place: Place,
}
