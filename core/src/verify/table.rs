//! Open addressing over packed words, for const evaluation.

use crate::value::Value;

/// Where a key belongs in a table of `slots` places, a power of two.
pub(super) const fn home(key: u64, slots: usize) -> usize {
    if slots == 1 {
        return 0;
    }
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - slots.trailing_zeros())) as usize
}

/// One word for a value, its bits mixed enough for [`home`].
pub(super) const fn fold(value: Value) -> u64 {
    let (low, high) = (value.0 as u64, (value.0 >> 64) as u64);
    low.rotate_left(23) ^ high.wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// Slots for `n` keys: at most half of them taken.
pub(super) const fn slots(n: usize) -> usize {
    (2 * n).next_power_of_two()
}
