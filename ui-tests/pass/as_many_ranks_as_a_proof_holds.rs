//! 4,096 ranks in pairs, under the default recursion limit.

use counterpart::Schedule;

counterpart::schedule! {
    schedule Pairs(P);
    message Word[r]: [u8; 8];
    rank r in 0..P {
        send Word[r] to r + 1 if r % 2 == 0;
        recv Word[r - 1] from r - 1 if r % 2 == 1;
    }
    instance Pairs<4096>;
}

#[test]
fn has_all_its_ranks() {
    assert_eq!(Pairs::<4096>::plan().ranks(), 4096);
}
