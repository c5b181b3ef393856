//! The texts of the library of schedules, which lie in `lang/schedules/`.

/// A schedule of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What the command line calls it.
    pub name: &'static str,
    /// What it is called in programs.
    pub schedule: &'static str,
    /// Its text: a file with a `schedule!` block.
    pub text: &'static str,
}

macro_rules! entries {
    ($($name:literal $schedule:ident $file:literal)*) => {
        &[$(Entry {
            name: $name,
            schedule: stringify!($schedule),
            text: include_str!(concat!("../schedules/", $file, ".rs")),
        }),*]
    };
}

/// The schedules, in the order of their history.
pub const ENTRIES: &[Entry] = entries! {
    "gpipe" GPipe "gpipe"
    "1f1b" OneF1B "one_f1b"
    "interleaved-1f1b" Interleaved1F1B "interleaved_1f1b"
    "deepspeed" DeepSpeed "deepspeed"
    "chimera" Chimera "chimera"
    "looped-bfs" LoopedBFS "looped_bfs"
    "zb-h1" ZBH1 "zb_h1"
    "zb-h2" ZBH2 "zb_h2"
    "interleaved-zb" InterleavedZeroBubble "interleaved_zb"
    "zbv" ZBV "zbv"
    "v-half" VHalf "v_half"
    "v-min" VMin "v_min"
    "dualpipe" DualPipe "dualpipe"
    "dualpipev" DualPipeV "dualpipev"
};
