//! The plan that a table is.

use counterpart::core::comms::{CommsError, paired};
use counterpart::core::{Fault, FaultKind, Model, Plan};
use counterpart::table::{Placement, Table};
use counterpart_testkit::{World, tables};

use super::{orders, placement, table};

fn plan(text: &str, placement: Option<Placement>) -> Plan {
    table(text).to_plan("plan", placement).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The first fault of a table, with communication where it has none.
fn fault(text: &str) -> Fault {
    let order = plan(text, None);
    let judged = if table(text).has_communication() { Ok(order) } else { paired(&order) };
    match judged {
        Ok(plan) => plan.verify(Model::PORTABLE).faults.swap_remove(0),
        Err(CommsError::Impossible(fault)) => *fault,
        Err(error) => panic!("{error}"),
    }
}

fn described(plan: &Plan) -> String {
    let steps = |rank: usize| (0..plan.steps(rank).len()).filter_map(move |step| plan.describe(rank, step));
    (0..plan.ranks()).flat_map(steps).map(|step| step + "\n").collect()
}

#[test]
fn every_order_is_the_plan_of_its_definition() {
    for order in orders() {
        let table = table(&order.csv());
        let expected = World::from_plan(&order.plan());
        let given = table.to_plan(&order.name, Some(placement(&order))).expect(&order.name);
        assert_eq!(World::from_plan(&given), expected, "{}", order.name);
        let deduced = table.to_plan(&order.name, None).expect(&order.name);
        assert_eq!(World::from_plan(&deduced), expected, "{}", order.name);
    }
}

#[test]
fn tables_with_communication_are_judged_as_they_stand() {
    for order in orders() {
        let laid = paired(&order.plan()).expect(&order.name);
        let table = Table::from_plan(&laid).expect(&order.name);
        let plan = table.to_plan(&order.name, None).expect(&order.name);
        for model in Model::ALL {
            assert!(plan.verify(model).is_safe(), "{} under {model}", order.name);
        }
    }
}

#[test]
fn cells_are_these_steps() {
    let text = "0UNSHARD,0F3,0SEND_F3,0RECV_B3,0I3,0W3,0REDUCE_GRAD\n\
                1RECV_F3,1F3,1SEND_F3,1RECV_B3,1B3,1SEND_B3,1RESHARD\n\
                2RECV_F3,2F3,2B3,2SEND_B3\n";
    assert_eq!(
        described(&plan(text, None)),
        "rank 0, step 0: `UNSHARD[0]`\n\
         rank 0, step 1: `F[0,3]`\n\
         rank 0, step 2: `send Act[1,3] to 1`\n\
         rank 0, step 3: `recv Grad[1,3] from 1`\n\
         rank 0, step 4: `I[0,3]`\n\
         rank 0, step 5: `W[0,3]`\n\
         rank 0, step 6: `REDUCE_GRAD[0]`\n\
         rank 1, step 0: `recv Act[1,3] from 0`\n\
         rank 1, step 1: `F[1,3]`\n\
         rank 1, step 2: `send Act[2,3] to 2`\n\
         rank 1, step 3: `recv Grad[2,3] from 2`\n\
         rank 1, step 4: `I[1,3] + W[1,3]`\n\
         rank 1, step 5: `send Grad[1,3] to 0`\n\
         rank 1, step 6: `RESHARD[1]`\n\
         rank 2, step 0: `recv Act[2,3] from 1`\n\
         rank 2, step 1: `F[2,3]`\n\
         rank 2, step 2: `I[2,3] + W[2,3]`\n\
         rank 2, step 3: `send Grad[2,3] to 1`\n"
    );
    let world = World::from_plan(&plan("0F0,(0F1;0B0)OVERLAP_F_B,0B1\n1F0,1B0,1F1,1B1\n", None));
    assert_eq!(
        world.to_string(),
        "rank 0: F[0,0] writes Act[1,0]; F[0,1] + B[0,0] reads Grad[1,0] writes Act[1,1] after F[0,0]; \
         B[0,1] reads Grad[1,1] after F[0,1]\n\
         rank 1: F[1,0] reads Act[1,0]; B[1,0] writes Grad[1,0] after F[1,0]; F[1,1] reads Act[1,1]; \
         B[1,1] writes Grad[1,1] after F[1,1]\n\
         domain F [0..2, 0..2]\ndomain B [0..2, 0..2]\n"
    );
}

#[test]
fn steps_have_the_places_of_their_cells() {
    let plan = plan("0F0,,0SEND_F0\n\n\"1RECV_F0\",1F0\n", None);
    let place = |rank, step| plan.step_source(rank, step).map(|at| (&*at.file, at.line, at.column));
    assert_eq!(place(0, 1), Some(("table.csv", 1, 6)));
    assert_eq!(place(2, 0), Some(("table.csv", 3, 1)));
    assert_eq!(place(2, 1), Some(("table.csv", 3, 12)));
    assert_eq!(plan.source_number(0, 1, Some(0)), plan.source_number(0, 1, None));
}

#[test]
fn two_chains_have_to_be_told_where_the_microbatches_do_not() {
    let order = tables::dual_pipe(4, 8);
    let disjoint = order.csv();
    let laid = paired(&plan(&disjoint, None)).expect("the micro-batches say that these are two chains");
    assert!(laid.verify(Model::PORTABLE).is_safe());
    // The same with micro-batches 0 to 3 in both chains.
    let mut alike = order;
    for pass in alike.programs.iter_mut().flatten().flatten() {
        pass.micro %= 4;
    }
    let text = alike.csv();
    assert!(matches!(paired(&plan(&text, None)), Err(CommsError::Impossible(_))));
    let told = plan(&text, Some(Placement::Bidirectional));
    assert_eq!(told.domains().len(), 3, "all stages have the same micro-batches");
    let laid = paired(&told).expect("two chains");
    assert!(Model::ALL.iter().all(|&model| laid.verify(model).is_safe()));
}

#[test]
fn rows_may_be_in_any_order() {
    let laid = paired(&plan("1F0,1B0\n2F0,2B0\n0F0,0B0\n", None)).expect("any placement");
    assert!(laid.verify(Model::PORTABLE).is_safe());
    assert_eq!(laid.describe(2, 1).as_deref(), Some("rank 2, step 1: `send Act[1,0] to 0`"));
}

#[test]
fn one_rank_has_one_chain() {
    let text = "0F0,1F0,1B0,0B0\n";
    for placement in [None, Some(Placement::Loop), Some(Placement::V)] {
        let laid = paired(&plan(text, placement)).expect("it runs");
        assert!(laid.verify(Model::PORTABLE).is_safe());
        assert_eq!(laid.len(), 4);
    }
    let apart = paired(&plan("0F0,1F1,0B0,1B1\n", None)).expect_err("stage 1 lacks micro-batch 1 of stage 0");
    assert_eq!(
        apart.to_string(),
        "dataflow: rank 0, step 1: `F[1,1]` reads `Act[1,1]`, which no compute step writes\n\
         help: add the compute step that writes `Act[1,1]`"
    );
}

#[test]
fn mistakes_are_faults() {
    let kinds = [
        // Backward before forward, weights before input, each on the last stage.
        ("0F0,0B0\n1B0,1F0\n", FaultKind::Dataflow),
        ("0F0,0I0,0W0\n1F0,1W0,1I0\n", FaultKind::Dataflow),
        ("0F0,0B0\n(1F0;1B0)OVERLAP_F_B\n", FaultKind::Dataflow),
        // Missing, doubled.
        ("0F0,0B0\n1F0\n", FaultKind::Dataflow),
        ("0F0,0B0\n1F0,1B0,1F0\n", FaultKind::Coverage),
        ("0F0,0F2\n", FaultKind::Coverage),
        ("0F0,0I0,0W0,0F1,0I1\n", FaultKind::Coverage),
        ("0F0,0B0,0F1,0I1,0W1,0W0\n", FaultKind::Coverage),
        ("0F0,0F0,0B0\n1F0,1B0\n", FaultKind::Dataflow),
        // Orders that can never run.
        ("0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n", FaultKind::Deadlock),
        ("1F0,0F0\n", FaultKind::Deadlock),
        // Communication as it stands.
        ("0F0,0SEND_F0,0RECV_B0,0B0\n1F0,1B0,1SEND_B0\n", FaultKind::Unmatched),
        ("0F0,0F1,0SEND_F1,0SEND_F0\n1RECV_F0,1RECV_F1,1F0,1F1\n", FaultKind::Mismatch),
        ("0F0,0SEND_F0,1RECV_F0,1F0\n", FaultKind::Peer),
    ];
    for (text, kind) in kinds {
        let fault = fault(text);
        assert_eq!(fault.kind, kind, "{fault}\n{text}");
    }
}

#[test]
fn sharding_is_computed_where_it_stands() {
    let text =
        "0UNSHARD,0F0,0F1,0B0,0B1,0REDUCE_GRAD,0RESHARD\n1UNSHARD,1F0,1B0,1F1,1B1,1REDUCE_GRAD,1RESHARD\n";
    let laid = paired(&plan(text, None)).expect("it runs");
    assert!(Model::ALL.iter().all(|&model| laid.verify(model).is_safe()));
}
