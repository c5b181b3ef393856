//! Round trips between two threads: the threads backend beside rendezvous channels of the standard library and beside
//! plain copies, in one run.
//!
//! A round trip is two transfers, so halve the times for one. `memcpy` is two copies on one thread and nothing else:
//! what no backend that copies can beat.

use std::hint::black_box;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

use counterpart::backend::threads::{self, Config};
use counterpart::backend::{Backend, HostBuffer, Threads, Transfer, TransferKind};
use counterpart::core::{DType, Payload};
use counterpart::error::Error;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const SIZES: [usize; 5] = [4, 4 << 10, 256 << 10, 4 << 20, 64 << 20];

/// Round trips before the clock starts, so that both threads are there.
const WARM: u64 = 3;

fn round_trips(c: &mut Criterion) {
    let mut group = c.benchmark_group("round trip");
    group.sample_size(10).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
    for bytes in SIZES {
        group.throughput(Throughput::Bytes(2 * bytes as u64));
        let mut case = |name: &str, run: fn(usize, u64) -> Duration| {
            group.bench_function(BenchmarkId::new(name, bytes), |b| b.iter_custom(|n| run(bytes, n)));
        };
        case("threads send", |bytes, n| on_threads(bytes, n, |b, step, to, data| b.send(step, to, data)));
        case("threads send_last", |bytes, n| {
            on_threads(bytes, n, |b, step, to, data| b.send_last(step, to, data))
        });
        case("threads batch", batches);
        case("channel and copy", |bytes, n| on_channels(bytes, n, true));
        case("channel without copy", |bytes, n| on_channels(bytes, n, false));
        case("memcpy", copies);
    }
    group.finish();
}

/// Rank 0 sends and receives, rank 1 receives and sends; the time of rank 0.
fn on_threads(
    bytes: usize,
    n: u64,
    send: impl Fn(&mut Threads, u32, usize, &mut HostBuffer) -> Result<(), Error> + Sync,
) -> Duration {
    let times = threads::run(2, Config::new(), |mut b: Threads| {
        let mut buffer = b.alloc(Payload::new(DType::U8, bytes as u64))?;
        let (first, peer) = (b.rank() == 0, 1 - b.rank());
        let mut began = Instant::now();
        for i in 0..WARM + n {
            if i == WARM {
                began = Instant::now();
            }
            if first {
                send(&mut b, 0, peer, &mut buffer)?;
                b.recv(1, peer, &mut buffer)?;
            } else {
                b.recv(0, peer, &mut buffer)?;
                send(&mut b, 1, peer, &mut buffer)?;
            }
        }
        let time = began.elapsed();
        b.finish()?;
        Ok(time)
    });
    times.expect("the program is safe")[0]
}

/// Both ranks send and receive in one batch: a round trip in the time of one exchange.
fn batches(bytes: usize, n: u64) -> Duration {
    let times = threads::run(2, Config::new(), |mut b: Threads| {
        let payload = Payload::new(DType::U8, bytes as u64);
        let peer = 1 - b.rank();
        let mut transfers = [
            Transfer { kind: TransferKind::Send, peer, buffer: b.alloc(payload)? },
            Transfer { kind: TransferKind::Recv, peer, buffer: b.alloc(payload)? },
        ];
        let mut began = Instant::now();
        for i in 0..WARM + n {
            if i == WARM {
                began = Instant::now();
            }
            b.batch(0, &mut transfers)?;
        }
        let time = began.elapsed();
        b.finish()?;
        Ok(time)
    });
    times.expect("the program is safe")[0]
}

/// The same over two channels that hold no message. The memory that travels is used again for the answer.
fn on_channels(bytes: usize, n: u64, copy: bool) -> Duration {
    let (to_second, from_first) = sync_channel::<Vec<u8>>(0);
    let (to_first, from_second) = sync_channel::<Vec<u8>>(0);
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut own = vec![1; bytes];
            for message in from_first {
                if copy {
                    own.copy_from_slice(&message);
                }
                if to_first.send(message).is_err() {
                    return;
                }
            }
        });
        let mut own = vec![1; bytes];
        let mut message = vec![2; bytes];
        let mut began = Instant::now();
        for i in 0..WARM + n {
            if i == WARM {
                began = Instant::now();
            }
            to_second.send(message).expect("the second thread receives");
            message = from_second.recv().expect("the second thread answers");
            if copy {
                own.copy_from_slice(&message);
            }
        }
        let time = began.elapsed();
        drop(to_second);
        time
    })
}

fn copies(bytes: usize, n: u64) -> Duration {
    let (mut a, mut z) = (vec![1u8; bytes], vec![2u8; bytes]);
    let began = Instant::now();
    for _ in 0..n {
        a.copy_from_slice(black_box(&z));
        z.copy_from_slice(black_box(&a));
    }
    began.elapsed()
}

criterion_group!(benches, round_trips);
criterion_main!(benches);
