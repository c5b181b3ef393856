//! The stack machine that evaluates expressions.

use crate::resolve::code::{Code, Op, Snippet, Var};
use crate::syntax::BinaryOp;

/// Helper functions call each other at most this deep.
pub const MAX_CALLS: usize = 1_000;
/// Statements, turns of loops and calls of helper functions in one instance.
pub const MAX_WORK: u64 = 10_000_000;

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The result does not fit into 64 bits.
    Overflow,
    /// Division or remainder by zero.
    DivisionByZero,
    /// More than [`MAX_CALLS`] calls inside of each other.
    Calls,
    /// More than [`MAX_WORK`] in all.
    Work,
    /// A `let` outside of ranks that is used before it has its value.
    Unset(u32),
}

/// An expression without a value.
#[derive(Clone, Debug)]
pub struct Trap {
    /// Why.
    pub cause: Cause,
    /// The instruction that stopped.
    pub op: u32,
    /// The variables of the expression with their values at that moment.
    pub values: Vec<(String, i64)>,
}

/// Evaluates expressions of one instance.
pub struct Machine<'a> {
    code: &'a Code,
    /// Parameters and `let`s that have their value.
    pub globals: Vec<i64>,
    /// Local variables, those of the innermost call last.
    locals: Vec<i64>,
    stack: Vec<i64>,
    calls: Vec<Call>,
    /// Where the local variables of the innermost call begin.
    base: usize,
    /// How much may still be done.
    work_left: u64,
}

/// Where a helper function returns to.
struct Call {
    op: u32,
    base: usize,
}

impl<'a> Machine<'a> {
    /// A machine that knows the parameters.
    pub fn new(code: &'a Code, sizes: &[i64]) -> Machine<'a> {
        Machine {
            code,
            globals: sizes.to_vec(),
            locals: Vec::new(),
            stack: Vec::new(),
            calls: Vec::new(),
            base: 0,
            work_left: MAX_WORK,
        }
    }

    /// Begins a program or compute step with `slots` local variables, the first of which have values. What is returned
    /// goes to [`Machine::leave`].
    pub fn enter(&mut self, slots: usize, first: &[i64]) -> usize {
        let outer = self.base;
        self.base = self.locals.len();
        self.locals.extend_from_slice(first);
        self.locals.resize(self.base + slots, 0);
        outer
    }

    /// Ends what [`Machine::enter`] began.
    pub fn leave(&mut self, outer: usize) {
        self.locals.truncate(self.base);
        self.base = outer;
    }

    /// Sets a local variable.
    pub fn set(&mut self, slot: u32, value: i64) {
        self.locals[self.base + slot as usize] = value;
    }

    /// The value of an expression; a condition is 0 or 1.
    pub fn eval(&mut self, snippet: Snippet) -> Result<i64, Box<Trap>> {
        let (base, locals) = (self.base, self.locals.len());
        self.run(snippet).map_err(|(cause, op)| {
            let trap = Trap { cause, op, values: self.values(op) };
            self.base = base;
            self.locals.truncate(locals);
            self.calls.clear();
            self.stack.clear();
            Box::new(trap)
        })
    }

    fn run(&mut self, snippet: Snippet) -> Result<i64, (Cause, u32)> {
        let code = self.code;
        let mut at = snippet.start;
        // A helper function stands elsewhere in the code, so the end counts only outside of calls.
        while at != snippet.end || !self.calls.is_empty() {
            let next = match code.ops()[at as usize] {
                Op::Push(value) => self.push(value, at),
                Op::Load(Var::Local(slot)) => self.push(self.locals[self.base + slot as usize], at),
                Op::Load(Var::Global(number)) => match self.globals.get(number as usize) {
                    Some(&value) => self.push(value, at),
                    None => return Err((Cause::Unset(number), at)),
                },
                Op::Store(slot) => {
                    self.locals[self.base + slot as usize] = self.pop();
                    at + 1
                }
                Op::Neg => self.unary(i64::checked_neg, at)?,
                Op::Abs => self.unary(i64::checked_abs, at)?,
                Op::Not => self.unary(|value| Some(1 - value), at)?,
                Op::Min => self.binary(|a, b| Ok(a.min(b)), at)?,
                Op::Max => self.binary(|a, b| Ok(a.max(b)), at)?,
                Op::Binary(op) => self.binary(|a, b| apply(op, a, b), at)?,
                Op::Jump(to) => to,
                Op::JumpUnless(to) => match self.pop() {
                    0 => to,
                    _ => at + 1,
                },
                Op::Call(number) => self.call(number, at)?,
                Op::Return => {
                    let Call { op, base } = self.calls.pop().expect("a function returns to its call");
                    self.locals.truncate(self.base);
                    self.base = base;
                    op + 1
                }
            };
            at = next;
        }
        Ok(self.pop())
    }

    fn push(&mut self, value: i64, at: u32) -> u32 {
        self.stack.push(value);
        at + 1
    }

    fn pop(&mut self) -> i64 {
        self.stack.pop().expect("an expression pushes what it pops")
    }

    fn unary(&mut self, f: impl FnOnce(i64) -> Option<i64>, at: u32) -> Result<u32, (Cause, u32)> {
        let value = self.pop();
        match f(value) {
            Some(value) => Ok(self.push(value, at)),
            None => Err((Cause::Overflow, at)),
        }
    }

    fn binary(
        &mut self,
        f: impl FnOnce(i64, i64) -> Result<i64, Cause>,
        at: u32,
    ) -> Result<u32, (Cause, u32)> {
        let right = self.pop();
        let left = self.pop();
        match f(left, right) {
            Ok(value) => Ok(self.push(value, at)),
            Err(cause) => Err((cause, at)),
        }
    }

    fn call(&mut self, number: u32, at: u32) -> Result<u32, (Cause, u32)> {
        if self.calls.len() == MAX_CALLS {
            return Err((Cause::Calls, at));
        }
        self.spend().map_err(|cause| (cause, at))?;
        let routine = &self.code.routines[number as usize];
        let args = self.stack.len() - routine.arity as usize;
        self.calls.push(Call { op: at, base: self.base });
        self.base = self.locals.len();
        self.locals.extend(self.stack.drain(args..));
        self.locals.resize(self.base + routine.slots as usize, 0);
        Ok(routine.entry)
    }

    /// Counts one piece of work.
    pub fn spend(&mut self) -> Result<(), Cause> {
        match self.work_left.checked_sub(1) {
            Some(left) => {
                self.work_left = left;
                Ok(())
            }
            None => Err(Cause::Work),
        }
    }

    /// The variables of the expression that an instruction belongs to, with their present values.
    pub fn values(&self, op: u32) -> Vec<(String, i64)> {
        let (_, variables) = self.code.origin(op);
        let value = |var: &Var| match *var {
            Var::Local(slot) => self.locals.get(self.base + slot as usize).copied(),
            Var::Global(number) => self.globals.get(number as usize).copied(),
        };
        variables.iter().filter_map(|(name, var)| Some((name.clone(), value(var)?))).collect()
    }
}

fn apply(op: BinaryOp, a: i64, b: i64) -> Result<i64, Cause> {
    use BinaryOp::*;
    let checked = match op {
        Add => a.checked_add(b),
        Sub => a.checked_sub(b),
        Mul => a.checked_mul(b),
        Div | Rem if b == 0 => return Err(Cause::DivisionByZero),
        Div => a.checked_div(b),
        Rem => a.checked_rem(b),
        Eq => Some(i64::from(a == b)),
        Ne => Some(i64::from(a != b)),
        Lt => Some(i64::from(a < b)),
        Le => Some(i64::from(a <= b)),
        Gt => Some(i64::from(a > b)),
        Ge => Some(i64::from(a >= b)),
        And | Or => unreachable!("`&&` and `||` are jumps"),
    };
    checked.ok_or(Cause::Overflow)
}
