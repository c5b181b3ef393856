counterpart::schedule! {
    schedule Relay(M);
    message Act[s, m]: [f32; 8];
    compute make(m in 0..M) on 0 { writes Act[1, m]; }
    compute take(m in 0..M) on 1 { reads Act[1, m]; }
    comms auto;
    rank 0 { for m in 0..M { make(m); } }
    rank 1 { for m in 0..M { take(m); } }
    instance Relay<1>;
}
