//! Schedules of the library as tables.

use counterpart::core::{Model, comms};
use counterpart::table::{Notation, Table};
use counterpart_lang::elaborate::Options;
use counterpart_lang::library;
use counterpart_testkit::tables::{self, Order};

/// Sizes with the reference that is written otherwise, where there is one.
fn sizes() -> Vec<(&'static str, Vec<i64>, Option<Order>)> {
    vec![
        ("gpipe", vec![4, 8], Some(tables::gpipe(4, 8))),
        ("1f1b", vec![4, 3], Some(tables::one_f1b(4, 3))),
        ("interleaved-1f1b", vec![4, 2, 8, 0], Some(tables::interleaved(4, 2, 8))),
        ("deepspeed", vec![4, 8], Some(tables::deepspeed(4, 8))),
        ("chimera", vec![4, 8], Some(tables::chimera(4, 8))),
        ("looped-bfs", vec![4, 2, 8], Some(tables::looped_bfs(4, 2, 8))),
        ("zb-h1", vec![4, 8], Some(tables::zb_h1(4, 8))),
        ("zb-h2", vec![4, 8], None),
        ("interleaved-zb", vec![4, 2, 8, 0], Some(tables::interleaved_zero_bubble(4, 2, 8))),
        ("zbv", vec![4, 8], Some(tables::zbv(4, 8))),
        ("v-half", vec![4, 8], None),
        ("v-min", vec![4, 8], None),
        ("dualpipe", vec![4, 12], Some(tables::dual_pipe(4, 12))),
        ("dualpipev", vec![4, 9], Some(tables::dual_pipe_v(4, 9))),
    ]
}

#[test]
fn what_is_written_is_the_order_of_the_original_and_is_read_back() {
    assert_eq!(sizes().len(), library::ENTRIES.len());
    for (name, sizes, reference) in sizes() {
        let entry = library::find(name).expect("it is in the library");
        let made = entry.make(&sizes, Options { comms: false });
        let made = made
            .unwrap_or_else(|errors| panic!("{name}: {:?}", errors.iter().next().map(ToString::to_string)));
        let text = Table::from_plan(&made.plan).expect("it is a table").to_csv();
        if let Some(reference) = reference {
            assert_eq!(text, reference.csv(), "{name}");
        }
        let table = Table::parse(name, &text, Notation::Current).expect("it is a table");
        assert_eq!(table.chain_fault(None), Ok(None), "{name}");
        let plan = table.to_plan(name, None).expect("it has a meaning");
        let plan = comms::paired(&plan).expect("it can run");
        for model in Model::ALL {
            assert!(plan.verify(model).is_safe(), "{name} under {model}");
        }
    }
}

#[test]
fn with_communication_it_is_a_table_too() {
    for (name, sizes, _) in sizes() {
        let entry = library::find(name).expect("it is in the library");
        let made = entry.make(&sizes, Options::default()).unwrap_or_else(|_| panic!("{name} can run"));
        let text = Table::from_plan(&made.plan).expect("it has no batches").to_csv();
        let table = Table::parse(name, &text, Notation::Current).expect("it is a table");
        let plan = table.to_plan(name, None).expect("it has a meaning");
        for model in Model::ALL {
            assert!(plan.verify(model).is_safe(), "{name} under {model}");
        }
        assert_eq!(Table::from_plan(&plan).expect("it is one").to_csv(), text, "{name}");
    }
}
