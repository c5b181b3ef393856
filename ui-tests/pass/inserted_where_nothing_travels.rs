//! Communication is inserted for one rank alone, a turn of a V on one rank, a rank without compute steps: nothing has to be sent there.

use counterpart::core::Model;
use counterpart::{Schedule, schedule};

schedule! {
    schedule Valley(P, M);
    message Act[s, m]: [f32; 8];
    compute forward(s in 0..2 * P, m in 0..M) on min(s, 2 * P - 1 - s) {
        reads  Act[s, m]     if s > 0;
        writes Act[s + 1, m] if s + 1 < 2 * P;
    }
    comms auto;
    rank r in 0..P {
        for m in 0..M { forward(r, m); }
        for m in 0..M { forward(2 * P - 1 - r, m); }
    }
    rank P { }
    instance Valley<1, 3>;
    instance Valley<3, 1>;
}

#[test]
fn nothing_is_sent_to_oneself() {
    let alone = Valley::<1, 3>::plan();
    assert!(alone.steps(0).iter().all(|step| alone.items(step).is_empty()));
    let plan = Valley::<3, 1>::plan();
    let sends = (0..plan.ranks()).flat_map(|rank| plan.steps(rank)).flat_map(|step| plan.items(step));
    // Two hops down, none at the turn, two hops up, each with two ends.
    assert_eq!(sends.count(), 8);
    assert!(Model::ALL.iter().all(|&model| plan.verify(model).is_safe()));
}
