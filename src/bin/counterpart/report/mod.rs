//! What people read.

pub mod excerpt;
pub mod failure;

/// Columns of the terminal; 100 where there is none.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(100, |(terminal_size::Width(width), _)| usize::from(width)).max(40)
}
