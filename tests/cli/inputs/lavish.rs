counterpart::schedule! {
    schedule Lavish(M);
    model eager + item;
    message Act[m]: [f32; 8];
    compute make(m in 0..M) { writes Act[m]; }
    compute take(m in 0..M) { reads Act[m]; }
    memory r <= 2 Act;
    memory r <= M make until take;
    rank 0 { for m in 0..M { make(m); take(m); } }
    instance Lavish<2>;
}
