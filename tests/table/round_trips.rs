//! Text to table to plan and back.

use counterpart::core::comms::paired;
use counterpart::table::Table;
use counterpart_testkit::World;

use super::{orders, placement, table};

#[test]
fn compute_orders_come_back() {
    for order in orders() {
        let text = order.csv();
        let plan = table(&text).to_plan(&order.name, Some(placement(&order))).expect(&order.name);
        let back = Table::from_plan(&plan).expect(&order.name);
        assert_eq!(back.to_csv(), text, "{}", order.name);
        assert_eq!(&*back.file, order.name);
    }
}

#[test]
fn tables_with_communication_come_back() {
    for order in orders() {
        let laid = paired(&order.plan()).expect(&order.name);
        let text = Table::from_plan(&laid).expect(&order.name).to_csv();
        let plan = table(&text).to_plan(&order.name, Some(placement(&order))).expect(&order.name);
        assert_eq!(World::from_plan(&plan), World::from_plan(&laid), "{}", order.name);
        assert_eq!(Table::from_plan(&plan).expect(&order.name).to_csv(), text, "{}", order.name);
    }
}

#[test]
fn odd_tables_come_back() {
    let texts = [
        "0UNSHARD,0F0,0RESHARD,0REDUCE_GRAD\n",
        "0F0,0SEND_F0\n\"\"\n1RECV_F0,1F0\n\"\"\n",
        "0F0,(0F1;0B0)OVERLAP_F_B,0I1,0W1\n",
        "0F0,0F1,(0B0;0F2;0I1)OVERLAP_F_B,0W1\n",
        "1F0\n0F0\n",
        "0F0,0F0,1F3\n",
    ];
    for text in texts {
        let plan = table(text).to_plan("odd", None).expect(text);
        assert_eq!(Table::from_plan(&plan).expect(text).to_csv(), text);
    }
}
