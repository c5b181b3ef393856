//! How fast a table of about 200,000 steps is read, made a plan, given its communication and judged.
//!
//! `cargo bench -p counterpart-benches --bench tables`: interleaved one-forward-one-backward, 64 ranks, 4 stages on each, 128
//! micro-batches. The goals: less than a second from text to all nine verdicts, less than 50 ms for one verdict.

use std::hint::black_box;

use counterpart::core::comms::paired;
use counterpart::core::{Model, Plan};
use counterpart::table::{Notation, Table};
use counterpart_testkit::tables;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn read(text: &str) -> Table {
    Table::parse("table.csv", text, Notation::Current).expect("a table")
}

fn plan(table: &Table) -> Plan {
    table.to_plan("table", None).expect("a plan")
}

fn tables(c: &mut Criterion) {
    let compute_only = tables::interleaved(64, 4, 128).csv();
    let order = plan(&read(&compute_only));
    let laid = paired(&order).expect("it can run");
    let text = Table::from_plan(&laid).expect("a table").to_csv();
    let table = read(&text);

    let mut group = c.benchmark_group("table");
    group.throughput(Throughput::Elements(laid.len() as u64));
    group.bench_function("text to table", |b| b.iter(|| read(black_box(&text))));
    group.bench_function("table to plan", |b| b.iter(|| plan(black_box(&table))));
    group.bench_function("one model", |b| b.iter(|| black_box(&laid).verify(Model::PORTABLE)));
    group
        .bench_function("nine models", |b| b.iter(|| Model::ALL.map(|model| black_box(&laid).verify(model))));
    group.bench_function("text to nine verdicts", |b| {
        b.iter(|| {
            let plan = plan(&read(black_box(&text)));
            Model::ALL.map(|model| plan.verify(model))
        });
    });
    group.bench_function("plan to table", |b| b.iter(|| Table::from_plan(black_box(&laid))));
    group.bench_function("table to text", |b| b.iter(|| black_box(&table).to_csv()));
    group.finish();

    let mut group = c.benchmark_group("communication");
    group.throughput(Throughput::Elements(order.len() as u64));
    group.bench_function("paired", |b| b.iter(|| paired(black_box(&order))));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = tables
}
criterion_main!(benches);
