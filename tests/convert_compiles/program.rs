// Names are as in the plan.
#![allow(non_snake_case)]

use counterpart::Schedule;

counterpart::schedule! {
    /// Plan `two stages`, written from stages.json.
    pub schedule TwoStages;

    message Act[s, m]: [f32; 2048];
    message Grad[s, m]: [f32; 2048];

    compute F(s, m) {
        writes Act[s + 1, m] if s == 0;
        reads  Act[s, m]     if s == 1;
    }

    compute B(s, m) {
        reads  Grad[s + 1, m] if s == 0;
        writes Grad[s, m]     if s == 1;
        after  F[s, m];
    }

    rank 0 {
        for m in 0..3 {
            F(0, m);
            send Act[1, m] to 1;
            recv Grad[1, m] from 1;
            B(0, m);
        }
    }

    rank 1 {
        for m in 0..3 {
            recv Act[1, m] from 0;
            F(1, m);
            B(1, m);
            send Grad[1, m] to 0;
        }
    }
}

fn main() {
    let plan = TwoStages::plan();
    println!("{}: {} ranks, {} steps, proven", plan.name, plan.ranks(), plan.len());
}
