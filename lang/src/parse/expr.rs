//! Expressions: syn reads them as Rust, and what the schedule language has of Rust is taken over.

use super::Result;
use crate::error::{Error, Message, catalogue};
use crate::syntax::{BinaryOp, Block, Expr, ExprKind, Let, Place, Range, UnaryOp};
use syn::{BinOp, Expr as Rust, Lit, Pat, RangeLimits, Stmt, UnOp};

/// Expressions nest at most this deep.
const MAX_DEPTH: usize = 200;

/// Takes over an expression.
pub fn convert(rust: &Rust) -> Result<Expr> {
    nested(rust, 0)
}

/// Takes over the body of a function: `let`s and a final expression.
pub fn block(rust: &syn::Block) -> Result<Block> {
    nested_block(rust, 0)
}

fn nested(rust: &Rust, depth: usize) -> Result<Expr> {
    let place = Place::of(rust);
    let fail = |message: Message| Err(Error::new(place, message));
    if depth > MAX_DEPTH {
        return fail(catalogue::expression_too_deep(MAX_DEPTH));
    }
    let inner = |rust: &Rust| nested(rust, depth + 1);
    let kind = match rust {
        Rust::Lit(lit) => literal(&lit.lit)?,
        Rust::Path(path) => match path.path.get_ident() {
            Some(name) => ExprKind::Name(name.to_string()),
            None => return fail(catalogue::unsupported("a path")),
        },
        Rust::Paren(paren) => return Ok(Expr { place, ..inner(&paren.expr)? }),
        Rust::Group(group) => return inner(&group.expr),
        Rust::Unary(unary) => {
            let op = match unary.op {
                UnOp::Neg(_) => UnaryOp::Neg,
                UnOp::Not(_) => UnaryOp::Not,
                _ => return fail(catalogue::unsupported("a reference")),
            };
            ExprKind::Unary { op, at: Place::of(&unary.op), operand: Box::new(inner(&unary.expr)?) }
        }
        Rust::Binary(binary) => {
            let at = Place::of(&binary.op);
            let op = operator(&binary.op).ok_or_else(|| Error::new(at, catalogue::unsupported_operator()))?;
            let (left, right) = (inner(&binary.left)?, inner(&binary.right)?);
            ExprKind::Binary { op, at, left: Box::new(left), right: Box::new(right) }
        }
        Rust::If(choice) => {
            let Some((_, otherwise)) = &choice.else_branch else { return fail(catalogue::no_else()) };
            let otherwise = match &**otherwise {
                Rust::Block(block) => nested_block(&block.block, depth + 1)?,
                other => Block { lets: Vec::new(), value: Box::new(inner(other)?) },
            };
            ExprKind::If {
                condition: Box::new(inner(&choice.cond)?),
                then: nested_block(&choice.then_branch, depth + 1)?,
                otherwise,
            }
        }
        Rust::Call(call) => match &*call.func {
            Rust::Path(path) if path.path.get_ident().is_some() => {
                let function = path.path.require_ident()?.clone();
                ExprKind::Call { function, args: call.args.iter().map(inner).collect::<Result<_>>()? }
            }
            _ => return fail(catalogue::unsupported("a call of anything but a name")),
        },
        Rust::MethodCall(call) if matches!(call.method.to_string().as_str(), "min" | "max" | "abs") => {
            let args = [&*call.receiver].into_iter().chain(&call.args).map(inner).collect::<Result<_>>()?;
            ExprKind::Call { function: call.method.clone(), args }
        }
        other => return fail(catalogue::unsupported(what_it_is(other))),
    };
    Ok(Expr { kind, place })
}

fn nested_block(rust: &syn::Block, depth: usize) -> Result<Block> {
    let place = Place::of(rust);
    let (lets, value) = match rust.stmts.split_last() {
        Some((Stmt::Expr(value, None), lets)) => (lets, value),
        Some((last, _)) => return Err(Error::new(Place::of(last), catalogue::no_final_expression())),
        None => return Err(Error::new(place, catalogue::no_final_expression())),
    };
    let lets = lets.iter().map(|statement| nested_let(statement, depth)).collect::<Result<_>>()?;
    Ok(Block { lets, value: Box::new(nested(value, depth + 1)?) })
}

fn nested_let(statement: &Stmt, depth: usize) -> Result<Let> {
    let place = Place::of(statement);
    let Stmt::Local(local) = statement else {
        return Err(Error::new(place, catalogue::only_lets()));
    };
    match (&local.pat, &local.init) {
        (Pat::Type(_), _) => Err(Error::new(place, catalogue::no_type("a variable"))),
        (Pat::Ident(pat), Some(init)) if pat.by_ref.is_none() && pat.subpat.is_none() => {
            Ok(Let { name: pat.ident.clone(), mutable: false, value: nested(&init.expr, depth + 1)? })
        }
        _ => Err(Error::new(place, catalogue::only_lets())),
    }
}

fn literal(lit: &Lit) -> Result<ExprKind> {
    let fail = |message| Err(Error::new(Place::of(lit), message));
    match lit {
        Lit::Bool(lit) => Ok(ExprKind::Bool(lit.value)),
        Lit::Int(lit) if !lit.suffix().is_empty() => {
            fail(catalogue::suffix(lit.suffix(), lit.base10_digits()))
        }
        Lit::Int(lit) => match lit.base10_parse() {
            Ok(value) => Ok(ExprKind::Int(value)),
            Err(_) => fail(catalogue::literal_too_large()),
        },
        other => fail(catalogue::not_an_integer(&quote::quote!(#other).to_string())),
    }
}

fn operator(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::Add(_) => BinaryOp::Add,
        BinOp::Sub(_) => BinaryOp::Sub,
        BinOp::Mul(_) => BinaryOp::Mul,
        BinOp::Div(_) => BinaryOp::Div,
        BinOp::Rem(_) => BinaryOp::Rem,
        BinOp::Eq(_) => BinaryOp::Eq,
        BinOp::Ne(_) => BinaryOp::Ne,
        BinOp::Lt(_) => BinaryOp::Lt,
        BinOp::Le(_) => BinaryOp::Le,
        BinOp::Gt(_) => BinaryOp::Gt,
        BinOp::Ge(_) => BinaryOp::Ge,
        BinOp::And(_) => BinaryOp::And,
        BinOp::Or(_) => BinaryOp::Or,
        _ => return None,
    })
}

/// The name of an expression that the schedule language does not have.
fn what_it_is(rust: &Rust) -> &'static str {
    match rust {
        Rust::Cast(_) => "a cast",
        Rust::MethodCall(_) => "a method call",
        Rust::Macro(_) => "a macro call",
        Rust::Block(_) | Rust::Unsafe(_) => "a block",
        Rust::Match(_) => "`match`",
        Rust::Range(_) => "a range",
        Rust::Array(_) | Rust::Repeat(_) | Rust::Index(_) => "an array",
        Rust::Tuple(_) => "a tuple",
        Rust::Closure(_) => "a closure",
        Rust::Field(_) | Rust::Struct(_) => "a struct",
        Rust::Reference(_) => "a reference",
        Rust::Assign(_) => "an assignment",
        _ => "this expression",
    }
}

/// Takes over `a..b`, `a..=b`, or one of them in parentheses, perhaps with `.rev()`.
pub fn range(rust: &Rust) -> Result<Range> {
    let place = Place::of(rust);
    match rust {
        Rust::Paren(paren) => range(&paren.expr),
        Rust::Group(group) => range(&group.expr),
        Rust::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
            let inner = range(&call.receiver)?;
            Ok(Range { reverse: !inner.reverse, place, ..inner })
        }
        Rust::Range(bounds) => {
            let (Some(from), Some(to)) = (&bounds.start, &bounds.end) else {
                return Err(Error::new(place, catalogue::open_range()));
            };
            let inclusive = matches!(bounds.limits, RangeLimits::Closed(_));
            Ok(Range { from: convert(from)?, to: convert(to)?, inclusive, reverse: false, place })
        }
        other => Err(Error::new(place, catalogue::not_a_range(&quote::quote!(#other).to_string()))),
    }
}
