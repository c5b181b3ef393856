//! Open addressing over packed words, for const evaluation.

use crate::tape::{StepKind, Tape};
use crate::value::Value;

// Const evaluation takes about a microsecond per call, and even `wrapping_mul` is one: hence products in `u128`, which
// cannot overflow, and masks.

/// Where a key belongs in a table of `slots` places, a power of two up to 2^32.
pub(super) const fn home(key: u64, slots: usize) -> usize {
    ((key as u128 * 0x9E37_79B9_7F4A_7C15) >> 32) as u32 as usize & (slots - 1)
}

/// One word for a value, its bits mixed enough for [`home`].
pub(super) const fn fold(value: Value) -> u64 {
    (value.0 ^ ((value.0 >> 64) * 0xD6E8_FEB8_6659_FD93)) as u64 ^ (value.0 >> 31) as u64
}

/// Slots for `n` keys: at most two thirds of them taken.
pub(super) const fn slots(n: usize) -> usize {
    (n + n / 2 + 1).next_power_of_two()
}

/// The slot of a value in a table of uses (place + 1), which is 0 where no use of the value has been noted yet.
pub(super) const fn slot_of_use(tape: &Tape<'_>, uses: &[u32], value: Value) -> usize {
    let mut slot = home(fold(value), uses.len());
    while uses[slot] != 0 && tape.uses[uses[slot] as usize - 1].value.0 != value.0 {
        slot = (slot + 1) & (uses.len() - 1);
    }
    slot
}

/// The step that a use belongs to. This is a search, for messages only.
pub(super) const fn step_of_use(tape: &Tape<'_>, u: u32) -> u32 {
    let mut s = 0;
    while s < tape.steps.len() {
        let step = tape.steps[s];
        if matches!(step.kind, StepKind::Compute) && step.first <= u && u - step.first < step.len {
            break;
        }
        s += 1;
    }
    s as u32
}
