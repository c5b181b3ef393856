//! Plans that only the builder makes.

use counterpart_core::plan::Plan;
use counterpart_core::tape::{NONE, Role};
use counterpart_core::{FaultKind, Model};

/// Whether a compute step lists its writes before its reads or after them: it does not read what it writes itself.
#[test]
fn the_order_of_uses_does_not_matter() {
    for write_first in [false, true] {
        let mut plan = Plan::new("uses");
        let (name, value) = (plan.value("f"), plan.value("a"));
        let mut uses = [(Role::Read, value), (Role::Write, value)];
        if write_first {
            uses.reverse();
        }
        plan.begin_rank();
        plan.compute(name, &uses, NONE);
        let verdict = plan.verify(Model::PORTABLE);
        assert_eq!(verdict.faults.len(), 1, "{verdict}");
        assert_eq!(verdict.faults[0].kind, FaultKind::Dataflow);
        assert!(verdict.faults[0].message.contains("reads `a`, which is not there yet"), "{verdict}");
    }
}

#[test]
fn a_later_declaration_takes_the_place_of_an_earlier_one() {
    let mut plan = Plan::new("domains");
    let name = plan.value("f[0]");
    plan.begin_rank();
    plan.compute(name, &[], NONE);
    for to in [2, 1] {
        plan.declare("f", std::slice::from_ref(&(0..to)));
    }
    assert_eq!(plan.domains().len(), 1);
    assert!(plan.verify(Model::PORTABLE).is_safe());
}
