counterpart::schedule! {
    schedule Frugal(M);
    message Act[m]: [f32; 8];
    compute make(m in 0..M) { writes Act[m]; }
    compute take(m in 0..M) { reads Act[m]; }
    memory r <= 1 Act;
    rank 0 { for m in 0..M { make(m); take(m); } }
    instance Frugal<2>;
}
