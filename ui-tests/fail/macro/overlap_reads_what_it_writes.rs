// What a step writes is there when all of it has ended.
counterpart::schedule! {
    schedule Both(M);
    message Act[m]: [f32; 8];
    compute make(m in 0..M) { writes Act[m]; }
    compute take(m in 0..M) { reads Act[m]; }
    rank 0 {
        for m in 0..M { overlap { make(m); take(m); } }
    }
    instance Both<2>;
}

fn main() {}
