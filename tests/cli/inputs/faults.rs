//! A schedule for each kind of fault, each at another kind of place; this one is none: `schedule! { schedule No; }`.
use counterpart::schedule;

/// ```
/// schedule! { schedule NeitherIsThis; rank 0 { } }
/// ```
mod modules {
    pub mod inner {
        counterpart::schedule! {
            schedule Peer(P);
            message Act: [f32; 8];
            rank r in 0..P {
                recv Act from r - 1 if r > 0;
                send Act to r + 1;
            }
            instance Peer<3>;
        }
    }
}

fn function() -> &'static str {
    counterpart::schedule! {
        schedule Batch;
        message Act[m]: [f32; 8];
        message Grad:   [f32; 8];
        rank 0 {
            batch {
                send Act[0] to 1;
                recv Grad from 1;
            }
        }
        rank 1 {
            recv Act[0] from 0;
            send Grad to 0;
        }
    }
    "schedule! { schedule InText; rank 0 { } }"
}

some_macro! { [schedule! {
    schedule Mismatch(M);
    message Act[m]: [f32; 8];
    rank 0 { for m in 0..M { send Act[m] to 1; } }
    rank 1 { for m in 0..M { recv Act[M - 1 - m] from 0; } }
    instance Mismatch<6>;
}] }

macro_rules! schedule { () => {} }

schedule!(
    schedule Unmatched;
    message Act[m]: [f32; 8];
    rank 0 { for m in 0..4 { send Act[m] to 1; } }
    rank 1 { for m in 0..5 { recv Act[m] from 0; } }
);

schedule! {
    schedule Dataflow;
    message Act: [f32; 8];
    compute make() { writes Act; }
    compute take() { reads Act; }
    rank 0 { make(); send Act to 1; }
    rank 1 { take(); recv Act from 0; }
}

schedule! {
    schedule Coverage(M);
    compute work(m in 0..M) { }
    rank 0 { for m in 1..M { work(m); } }
}

schedule! {
    schedule Ring(P);
    message Act: [f32; 8];
    model edge + item;
    rank r in 0..P {
        send Act to (r + 1) % P;
        recv Act from (r + P - 1) % P;
    }
    instance Ring<3>;
}
