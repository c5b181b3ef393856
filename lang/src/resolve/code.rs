//! Expressions as code for a small stack machine.
//!
//! A schedule is evaluated many thousand times inside an unoptimised rustc plug-in, so expressions are flat: no tree to
//! follow, no name to look up, and no recursion that could run out of stack.

use crate::syntax::{BinaryOp, Place};

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// Pushes a number; a condition is 0 or 1.
    Push(i64),
    /// Pushes a variable.
    Load(Var),
    /// Pops into a local variable.
    Store(u32),
    /// Negates the top.
    Neg,
    /// Inverts the condition on top.
    Not,
    /// Pops two, pushes one; neither `&&` nor `||`, which are jumps.
    Binary(BinaryOp),
    /// Pops two, pushes the smaller.
    Min,
    /// Pops two, pushes the larger.
    Max,
    /// Makes the top positive.
    Abs,
    /// Goes to an instruction.
    Jump(u32),
    /// Pops a condition, and where it does not hold goes to an instruction.
    JumpUnless(u32),
    /// Calls a helper function with the arguments on top.
    Call(u32),
    /// Leaves a helper function.
    Return,
}

/// A variable, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Var {
    /// A variable of the rank's program, the compute step or the function.
    Local(u32),
    /// A parameter of the schedule, or a `let` outside of ranks.
    Global(u32),
}

/// The instructions of one expression.
#[derive(Clone, Copy, Debug)]
pub struct Snippet {
    /// The first.
    pub start: u32,
    /// Behind the last.
    pub end: u32,
}

/// A helper function.
#[derive(Clone, Copy, Debug)]
pub struct Routine {
    /// Its first instruction.
    pub entry: u32,
    /// How many arguments it takes.
    pub arity: u32,
    /// How many local variables it has, arguments included.
    pub slots: u32,
}

/// What messages need to know about an expression: where it stands, and the variables in it.
#[derive(Clone, Debug)]
struct Origin {
    code: Snippet,
    place: Place,
    variables: Vec<(String, Var)>,
}

/// All expressions of a schedule.
#[derive(Clone, Debug, Default)]
pub struct Code {
    ops: Vec<Op>,
    places: Vec<Place>,
    origins: Vec<Origin>,
    /// The helper functions.
    pub routines: Vec<Routine>,
}

impl Code {
    /// The instructions.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Where the next instruction will stand.
    pub fn next(&self) -> u32 {
        self.ops.len() as u32
    }

    /// Adds an instruction and says where it stands.
    pub fn push(&mut self, op: Op, place: Place) -> u32 {
        self.ops.push(op);
        self.places.push(place);
        self.next() - 1
    }

    /// Lets the jump that stands at `jump` go to the next instruction.
    pub fn land(&mut self, jump: u32) {
        let here = self.next();
        match &mut self.ops[jump as usize] {
            Op::Jump(to) | Op::JumpUnless(to) => *to = here,
            other => unreachable!("{other:?} is no jump"),
        }
    }

    /// Ends an expression that began at `start` and stands at `place`.
    pub fn finish(&mut self, start: u32, place: Place, variables: Vec<(String, Var)>) -> Snippet {
        let code = Snippet { start, end: self.next() };
        self.origins.push(Origin { code, place, variables });
        code
    }

    /// Forgets everything from `start` on.
    pub fn cut(&mut self, start: u32) {
        self.ops.truncate(start as usize);
        self.places.truncate(start as usize);
        self.origins.retain(|origin| origin.code.start < start);
    }

    /// Where an instruction stands in the source.
    pub fn place(&self, op: u32) -> Place {
        self.places[op as usize]
    }

    /// Where the expression stands that an instruction belongs to, and the variables in it.
    pub fn origin(&self, op: u32) -> (Place, &[(String, Var)]) {
        let found = self.origins.iter().find(|origin| (origin.code.start..origin.code.end).contains(&op));
        let origin = found.expect("every instruction belongs to an expression");
        (origin.place, &origin.variables)
    }
}
