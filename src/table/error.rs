//! What is wrong with a table, and where.

/// Why a text is no table, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {row}, column {column}: {message}")]
pub struct TableError {
    /// The row of the table, from 1: the rank plus 1.
    pub row: usize,
    /// The column of the table, from 1: the time step plus 1.
    pub column: usize,
    /// Line of the file, from 1.
    pub line: usize,
    /// Column in characters of that line, from 1.
    pub at: usize,
    /// Characters of the cell.
    pub len: usize,
    /// What is wrong there.
    pub message: String,
    /// What mends it.
    pub help: Option<String>,
}

/// Text from a table for a message: one line, not too long.
pub(super) fn shown(text: &str) -> String {
    const LONG: usize = 40;
    let escaped =
        |c: char| -> String { if c.is_control() { c.escape_default().collect() } else { String::from(c) } };
    let mut shown: String = text.chars().take(LONG).map(escaped).collect();
    if text.chars().nth(LONG).is_some() {
        shown.push('…');
    }
    shown
}
