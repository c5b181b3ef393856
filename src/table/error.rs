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
