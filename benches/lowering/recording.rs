//! A backend that writes down its calls with the values that travel, to see that two programs make the same.

use std::cell::RefCell;
use std::rc::Rc;

use counterpart::backend::{Backend, Transfer, TransferKind};
use counterpart::core::{Model, Payload};
use counterpart::element::Element;
use counterpart::{Error, Read, StepResult, Write};

use crate::one_f1b::{Act, Compute, Grad};

/// What a buffer holds, as a number: that of the call which put it there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Content(usize);

/// One call, with its arguments; buffers as what they hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    Send { step: u32, to: usize, data: Content, last: bool },
    Recv { step: u32, from: usize },
    Batch { step: u32, transfers: Vec<(TransferKind, usize, Content)> },
    Compute { step: u32 },
    Forward { s: usize, m: usize, act_in: Option<Content>, writes: bool },
    Backward { s: usize, m: usize, act: Option<Content>, grad_in: Option<Content>, writes: bool },
}

/// The calls of a rank, shared by its backend and its compute steps.
#[derive(Clone, Debug, Default)]
pub struct Calls(Rc<RefCell<Vec<Call>>>);

impl Calls {
    /// Writes down a call. What it puts into a buffer is new.
    fn push(&self, call: Call) -> Content {
        let mut calls = self.0.borrow_mut();
        calls.push(call);
        Content(calls.len())
    }

    /// All calls so far.
    pub fn all(&self) -> Vec<Call> {
        self.0.borrow().clone()
    }
}

/// One rank that writes down its calls. It moves nothing and waits for nobody.
#[derive(Debug)]
pub struct Recording {
    rank: usize,
    size: usize,
    /// Payloads of the buffers.
    pub buffers: Vec<Payload>,
    /// The calls so far.
    pub calls: Calls,
}

impl Recording {
    /// Rank number `rank` of `size`.
    pub fn new(rank: usize, size: usize) -> Recording {
        Recording { rank, size, buffers: Vec::new(), calls: Calls::default() }
    }
}

impl Backend for Recording {
    type Buffer = Content;

    const MODELS: &'static [Model] = &Model::ALL;

    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn alloc(&mut self, payload: Payload) -> Result<Content, Error> {
        self.buffers.push(payload);
        Ok(Content::default())
    }

    fn upload<T: Element>(&mut self, _from: &[T], _into: &mut Content) -> Result<(), Error> {
        Err(Error::Usage("nothing is uploaded here".into()))
    }

    fn download<T: Element>(&mut self, _from: &Content, _into: &mut [T]) -> Result<(), Error> {
        Err(Error::Usage("nothing is downloaded here".into()))
    }

    fn send(&mut self, step: u32, to: usize, data: &Content) -> Result<(), Error> {
        self.calls.push(Call::Send { step, to, data: *data, last: false });
        Ok(())
    }

    fn send_last(&mut self, step: u32, to: usize, data: &mut Content) -> Result<(), Error> {
        self.calls.push(Call::Send { step, to, data: *data, last: true });
        Ok(())
    }

    fn recv(&mut self, step: u32, from: usize, into: &mut Content) -> Result<(), Error> {
        *into = self.calls.push(Call::Recv { step, from });
        Ok(())
    }

    fn batch(&mut self, step: u32, transfers: &mut [Transfer<Content>]) -> Result<(), Error> {
        let given = transfers.iter().map(|t| match t.kind {
            TransferKind::Recv => (t.kind, t.peer, Content::default()),
            _ => (t.kind, t.peer, t.buffer),
        });
        let new = self.calls.push(Call::Batch { step, transfers: given.collect() });
        for transfer in transfers.iter_mut().filter(|t| t.kind == TransferKind::Recv) {
            transfer.buffer = new;
        }
        Ok(())
    }

    fn share(&mut self, buffer: &Content) -> Result<Content, Error> {
        Ok(*buffer)
    }

    fn compute(&mut self, step: u32) {
        self.calls.push(Call::Compute { step });
    }

    fn synchronize(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// Compute steps that are written down with the other calls.
impl Compute<Recording> for Calls {
    fn forward(
        &mut self,
        s: usize,
        m: usize,
        act_in: Option<Read<'_, Act, Recording>>,
        act_out: Option<Write<'_, Act, Recording>>,
    ) -> StepResult {
        let act_in = act_in.map(|act| *act.buffer());
        let new = self.push(Call::Forward { s, m, act_in, writes: act_out.is_some() });
        if let Some(mut act) = act_out {
            *act.buffer() = new;
        }
        Ok(())
    }

    fn backward(
        &mut self,
        s: usize,
        m: usize,
        act: Option<Read<'_, Act, Recording>>,
        grad_in: Option<Read<'_, Grad, Recording>>,
        grad_out: Option<Write<'_, Grad, Recording>>,
    ) -> StepResult {
        let (act, grad_in) = (act.map(|act| *act.buffer()), grad_in.map(|grad| *grad.buffer()));
        let new = self.push(Call::Backward { s, m, act, grad_in, writes: grad_out.is_some() });
        if let Some(mut grad) = grad_out {
            *grad.buffer() = new;
        }
        Ok(())
    }
}
