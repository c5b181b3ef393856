//! Tables of `torch.distributed.pipelining`: what is read, what plan it is, and back.

mod damaged;
mod errors;
mod library;
mod no_tables;
mod plans;
mod round_trips;
mod texts;

use counterpart::table::{Notation, Placement, Table};
use counterpart_testkit::tables::{self, Order};

fn table(text: &str) -> Table {
    Table::parse("table.csv", text, Notation::Current).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn placement(order: &Order) -> Placement {
    match order.placement {
        tables::Placement::Loop => Placement::Loop,
        tables::Placement::V => Placement::V,
        tables::Placement::Bidirectional => Placement::Bidirectional,
    }
}

/// Every schedule at some sizes.
fn orders() -> Vec<Order> {
    tables::all(&[1, 2, 3, 4, 6], &[1, 2, 3], &[4, 8, 12])
}
