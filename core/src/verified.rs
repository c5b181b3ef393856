//! Plans that were found safe.

use std::borrow::Borrow;
use std::fmt;

use crate::fault::Verdict;
use crate::model::Model;
use crate::plan::Plan;

/// A plan that is safe under a model. There is no other way to make one than to have the verifier judge it, and no way to
/// change the plan afterwards: whoever asks for a `Verified` runs safe plans only.
///
/// `P` owns the plan or shares it: `Verified<Plan>`, `Verified<&Plan>`, `Verified<Arc<Plan>>`.
///
/// ```
/// use counterpart_core::{Model, Plan, Verified, plan::Comm};
///
/// let mut plan = Plan::new("hello");
/// let word = plan.value("Word");
/// plan.begin_rank();
/// plan.single(Comm::send(word, 1));
/// plan.begin_rank();
/// plan.single(Comm::recv(word, 0));
/// let verified = plan.verified(Model::PORTABLE)?;
/// assert_eq!((verified.plan().ranks(), verified.model()), (2, Model::PORTABLE));
/// # Ok::<(), Box<counterpart_core::Unsafe<Plan>>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Verified<P> {
    plan: P,
    model: Model,
}

impl<P: Borrow<Plan>> Verified<P> {
    /// Judges a plan.
    ///
    /// # Errors
    /// When it is unsafe under this model: the verdict, and the plan.
    pub fn new(plan: P, model: Model) -> Result<Verified<P>, Box<Unsafe<P>>> {
        let verdict = plan.borrow().verify(model);
        if verdict.is_safe() { Ok(Verified { plan, model }) } else { Err(Box::new(Unsafe { plan, verdict })) }
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        self.plan.borrow()
    }

    /// The model under which it is safe.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The same for another user of the plan.
    pub fn by_ref(&self) -> Verified<&Plan> {
        Verified { plan: self.plan.borrow(), model: self.model }
    }

    /// Gives the plan back.
    pub fn into_plan(self) -> P {
        self.plan
    }
}

impl Plan {
    /// Judges the plan, which from then on is known to be safe.
    ///
    /// # Errors
    /// When it is unsafe under this model: the verdict, and the plan.
    pub fn verified(self, model: Model) -> Result<Verified<Plan>, Box<Unsafe<Plan>>> {
        Verified::new(self, model)
    }
}

/// A plan that was found unsafe.
#[derive(Clone)]
pub struct Unsafe<P> {
    /// The plan.
    pub plan: P,
    /// Its faults.
    pub verdict: Verdict,
}

impl<P> fmt::Display for Unsafe<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.verdict)
    }
}

impl<P> fmt::Debug for Unsafe<P> {
    /// The verdict, without the plan.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.verdict)
    }
}

impl<P> std::error::Error for Unsafe<P> {}
