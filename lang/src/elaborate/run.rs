//! Runs the programs of the ranks, and notes the steps that they take.

use super::deferred::Deferred;
use super::machine::{Cause, Machine, Trap};
use super::masks::Masks;
use crate::error::{Error, Errors, Key, catalogue};
use crate::resolve::Resolved;
use crate::resolve::code::Snippet;
use crate::resolve::resolved::{Range, Rank, Ranks, Statement, ValueRef};
use crate::syntax::Place;
use counterpart_core::plan::Comm;
use counterpart_core::tape::Role;
use counterpart_core::value::{INDEX_LIMIT, MAX_ARITY};
use counterpart_core::{Payload, Plan, Value};

/// The elaboration of one instance.
pub struct Run<'a> {
    pub schedule: &'a Resolved,
    pub machine: Machine<'a>,
    pub plan: Plan,
    /// Family numbers in the plan: messages, then compute steps.
    pub families: Vec<u32>,
    /// What the messages are, family by family.
    pub payloads: Vec<Payload>,
    /// Per rank and step, the uses that are there, as a number of `masks`.
    pub present: Vec<Vec<u32>>,
    pub masks: Masks,
    /// Compute steps of the rank that are put off.
    pub deferred: Deferred,
    pub errors: &'a mut Errors,
    /// What the instance is called.
    pub instance: String,
    /// The rank whose program is run.
    pub rank: Option<i64>,
    /// Sends and receives of the batch that is being listed.
    batch: Option<Vec<Comm>>,
    /// Names and uses of the compute step that is being listed.
    pub uses: Vec<(Role, Value)>,
}

/// Why a statement is not carried out.
pub enum Stop {
    /// An error, which has been reported. Nothing is known of what follows, but a send, receive or compute step can be
    /// left out.
    Reported,
    /// There is no end to it.
    Work(Blame),
}

/// What the work ran out in. The later in this list, the more it is to blame.
#[derive(Clone, Copy)]
pub enum Blame {
    /// A statement.
    Statement,
    /// An expression that calls a helper function.
    Expression(Place),
    /// A `for`.
    For(Place),
    /// A `while`.
    While(Place),
}

impl<'a> Run<'a> {
    /// Nothing is elaborated yet.
    pub fn new(schedule: &'a Resolved, sizes: &[i64], errors: &'a mut Errors) -> Run<'a> {
        let instance = schedule.instance_name(sizes);
        Run {
            schedule,
            machine: Machine::new(&schedule.code, sizes),
            plan: Plan::new(instance.clone()),
            families: Vec::new(),
            payloads: Vec::new(),
            present: Vec::new(),
            masks: Masks::default(),
            deferred: Deferred::default(),
            errors,
            instance,
            rank: None,
            batch: None,
            uses: Vec::new(),
        }
    }

    /// Runs the program of the next rank. `None` when nothing else should be tried.
    pub fn program(&mut self, rank: usize, program: &'a Rank) -> Option<()> {
        self.begin_rank(rank);
        let named = matches!(program.ranks, Ranks::Each(_));
        let first = [rank as i64];
        let outer = self.machine.enter(program.slots, if named { &first } else { &[] });
        let outcome = self.statements(&program.body);
        self.machine.leave(outer);
        match outcome {
            Ok(()) => {
                self.end_deferred();
                Some(())
            }
            Err(Stop::Reported) => {
                self.deferred = Deferred::default();
                Some(())
            }
            Err(Stop::Work(blame)) => {
                self.endless(blame, program.place);
                None
            }
        }
    }

    /// Begins the program of the next rank.
    pub fn begin_rank(&mut self, rank: usize) {
        self.plan.begin_rank();
        self.present.push(Vec::new());
        self.rank = Some(rank as i64);
    }

    /// The rank whose program is run.
    pub fn rank_number(&self) -> i64 {
        self.rank.unwrap_or_default()
    }

    /// Reports that there is no end to something, which stands at `place` if nothing else is to blame.
    pub fn endless(&mut self, blame: Blame, place: Place) {
        let place = match blame {
            Blame::Statement => place,
            Blame::Expression(place) | Blame::For(place) | Blame::While(place) => place,
        };
        self.errors.at(place, catalogue::too_much_work(self.rank, &self.instance));
    }

    fn statements(&mut self, statements: &'a [Statement]) -> Result<(), Stop> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<(), Stop> {
        self.spend()?;
        match statement {
            Statement::Set { slot, value } => {
                let value = self.eval(*value)?;
                self.machine.set(*slot, value);
                Ok(())
            }
            Statement::For { slot, range, body } => self.counted(*slot, range, body),
            Statement::While { condition, body } => {
                while self.eval(*condition)? != 0 {
                    self.turn(body).map_err(|stop| self.in_while(stop, *condition))?;
                }
                Ok(())
            }
            Statement::If { arms, otherwise } => {
                for (condition, body) in arms {
                    if self.eval(*condition)? != 0 {
                        return self.statements(body);
                    }
                }
                self.statements(otherwise)
            }
            Statement::Batch { body, source } => self.batch(body, *source),
            Statement::Comm { send, value, peer, condition, source } => {
                let step = self.communication(*send, value, *peer, *condition, *source);
                left_out(step)
            }
            Statement::Compute(call) => left_out(self.compute(core::slice::from_ref(call), call.source)),
            Statement::Overlap { parts, source } => left_out(self.compute(parts, *source)),
            Statement::Defer(call) => left_out(self.defer(call)),
            Statement::Resume { compute, all, condition, source } => {
                left_out(self.resume(*compute, *all, *condition, *source))
            }
        }
    }

    fn counted(&mut self, slot: u32, range: &Range, body: &'a [Statement]) -> Result<(), Stop> {
        let (first, last) = self.range(range)?;
        if first > last {
            return Ok(());
        }
        let (mut at, end, step) = if range.reverse { (last, first, -1) } else { (first, last, 1) };
        loop {
            self.machine.set(slot, at);
            self.turn(body).map_err(|stop| in_for(stop, range.place))?;
            if at == end {
                return Ok(());
            }
            at += step;
        }
    }

    /// One turn of a loop.
    fn turn(&mut self, body: &'a [Statement]) -> Result<(), Stop> {
        self.spend()?;
        self.statements(body)
    }

    /// Blames an outer `while` rather than whatever stands in it.
    fn in_while(&self, stop: Stop, condition: Snippet) -> Stop {
        match stop {
            Stop::Work(_) => Stop::Work(Blame::While(self.schedule.code.origin(condition.start).0)),
            stop => stop,
        }
    }

    fn batch(&mut self, body: &'a [Statement], source: u32) -> Result<(), Stop> {
        self.batch = Some(Vec::new());
        let outcome = self.statements(body);
        let comms = self.batch.take().unwrap_or_default();
        outcome?;
        if !comms.is_empty() {
            self.plan.batch(&comms, source);
            self.note_step(0);
        }
        Ok(())
    }

    fn communication(
        &mut self,
        send: bool,
        value: &ValueRef,
        peer: Snippet,
        condition: Option<Snippet>,
        source: u32,
    ) -> Result<(), Stop> {
        if !self.holds(condition)? {
            return Ok(());
        }
        let payload = self.payloads[value.family as usize];
        let value = self.value(value)?;
        // A peer that does not fit is no rank either; that the verifier says.
        let peer = self.eval(peer)?.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
        let comm = Comm { send, value, peer, payload, source };
        match &mut self.batch {
            Some(batch) => batch.push(comm),
            None => {
                self.plan.single(comm);
                self.note_step(0);
            }
        }
        self.spend()
    }

    /// Notes the step that was added last, by the number of its masks.
    pub fn note_step(&mut self, present: u32) {
        self.present.last_mut().expect("a rank has begun").push(present);
    }

    /// Does a condition hold, if there is one?
    pub fn holds(&mut self, condition: Option<Snippet>) -> Result<bool, Stop> {
        match condition {
            Some(condition) => Ok(self.eval(condition)? != 0),
            None => Ok(true),
        }
    }

    /// A value, or a compute step.
    pub fn value(&mut self, value: &ValueRef) -> Result<Value, Stop> {
        let (indices, arity) = self.indices(value.family, &value.indices)?;
        Ok(Value::new(self.families[value.family as usize], &indices[..arity]))
    }

    /// Indices of a family.
    pub fn indices(&mut self, family: u32, parts: &[Snippet]) -> Result<([u64; MAX_ARITY], usize), Stop> {
        let mut indices = [0; MAX_ARITY];
        for (j, &part) in parts.iter().enumerate() {
            let index = self.eval(part)?;
            if !(0..INDEX_LIMIT as i64).contains(&index) {
                self.bad_index(family, j, part, index);
                return Err(Stop::Reported);
            }
            indices[j] = index as u64;
        }
        Ok((indices, parts.len()))
    }

    #[cold]
    fn bad_index(&mut self, family: u32, j: usize, part: Snippet, index: i64) {
        let Run { schedule, machine, instance, rank, .. } = self;
        let key = Key { kind: "index", at: part.start, other: 0 };
        self.errors.fold(key, || {
            let messages = schedule.messages.iter().map(|m| (&m.indices[..], &m.name));
            let computes = schedule.computes.iter().map(|c| (&c.indices[..], &c.name));
            let (names, family) = messages.chain(computes).nth(family as usize).expect("it is declared");
            let values = machine.values(part.start);
            let rank = rank.unwrap_or_default();
            let message = catalogue::index((&names[j], family), index, rank, &values, instance);
            Error::new(schedule.code.origin(part.start).0, message)
        });
    }

    /// The first and the last number of a range; it is empty where the last is the smaller.
    pub fn range(&mut self, range: &Range) -> Result<(i64, i64), Stop> {
        let (from, to) = (self.eval(range.from)?, self.eval(range.to)?);
        match (range.inclusive, to.checked_sub(1)) {
            (true, _) => Ok((from, to)),
            (false, Some(last)) => Ok((from, last)),
            (false, None) => Ok((1, 0)),
        }
    }

    /// The value of an expression.
    pub fn eval(&mut self, snippet: Snippet) -> Result<i64, Stop> {
        self.machine.eval(snippet).map_err(|trap| self.trapped(&trap))
    }

    #[cold]
    fn trapped(&mut self, trap: &Trap) -> Stop {
        if trap.cause == Cause::Work {
            return Stop::Work(Blame::Expression(self.schedule.code.place(trap.op)));
        }
        let Run { schedule, instance, rank, .. } = self;
        self.errors.fold(Key { kind: "no value", at: trap.op, other: 0 }, || {
            let name = match trap.cause {
                Cause::Unset(number) => schedule.constant_name(number),
                _ => "",
            };
            let message = catalogue::no_value_of(trap.cause, *rank, &trap.values, name, instance);
            Error::new(schedule.code.place(trap.op), message)
        });
        Stop::Reported
    }

    /// Counts a piece of work.
    pub fn spend(&mut self) -> Result<(), Stop> {
        self.machine.spend().map_err(|_| Stop::Work(Blame::Statement))
    }
}

/// Blames an inner `for` rather than an outer one, but none for a `while` in it.
fn in_for(stop: Stop, place: Place) -> Stop {
    match stop {
        Stop::Work(Blame::Statement | Blame::Expression(_)) => Stop::Work(Blame::For(place)),
        stop => stop,
    }
}

/// A send, receive or compute step with an error is left out, and the program goes on.
fn left_out(step: Result<(), Stop>) -> Result<(), Stop> {
    match step {
        Err(Stop::Reported) => Ok(()),
        outcome => outcome,
    }
}
