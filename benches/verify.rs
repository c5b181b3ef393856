//! How fast the verifier judges plans of about 200,000 steps, and how fast plan files are read.
//!
//! `cargo bench -p counterpart-benches --bench verify`. The goal is less than 50 ms for a plan under one
//! model.

use std::hint::black_box;

use counterpart::core::{Model, Plan};
use counterpart_testkit::schedules;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn plans() -> Vec<Plan> {
    vec![
        schedules::one_f1b(64, 772),
        schedules::gpipe(64, 526),
        schedules::interleaved(16, 4, 528),
        schedules::ring(447),
    ]
}

fn verify(c: &mut Criterion) {
    let mut group = c.benchmark_group("verify");
    for plan in plans() {
        group.throughput(Throughput::Elements(plan.len() as u64));
        group.bench_function(BenchmarkId::new("portable", &plan.name), |b| {
            b.iter(|| black_box(&plan).verify(Model::PORTABLE));
        });
    }
    let plan = schedules::one_f1b(64, 772);
    for model in Model::ALL {
        group.bench_function(BenchmarkId::new(model.to_string(), &plan.name), |b| {
            b.iter(|| black_box(&plan).verify(model));
        });
    }
    group.finish();
}

fn files(c: &mut Criterion) {
    let mut group = c.benchmark_group("plan file");
    let plan = schedules::one_f1b(64, 772);
    let text = plan.to_json();
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("write", |b| b.iter(|| black_box(&plan).to_json()));
    group.bench_function("read", |b| b.iter(|| Plan::from_json(black_box(&text))));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = verify, files
}
criterion_main!(benches);
