//! Plan files: JSON, read and written.
//!
//! ```json
//! {"format": "counterpart-plan", "version": 1, "name": "example",
//!  "messages": {"Act[1,0]": {"dtype": "f32", "count": 2048}},
//!  "domains": {"forward": [[0, 2], [0, 1]]},
//!  "ranks": [
//!   [{"compute": "forward[0,0]", "writes": ["Act[1,0]"]}, {"send": "Act[1,0]", "to": 1}],
//!   [{"batch": [{"recv": "Act[1,0]", "from": 0}]}, {"compute": "forward[1,0]", "reads": ["Act[1,0]"], "writes": []}]]}
//! ```
//!
//! * A rank is a list of steps. A step is a send, a receive, a `batch` of sends and receives, or a `compute` step with
//!   optional `reads`, `writes` and `after`. Steps that overlap are one step with several names: `"compute": ["F[0,1]",
//!   "B[1,0]"]`.
//! * Labels are any text; `"_"` matches every label.
//! * `messages` is optional and says which element type and count a label has. A send or receive may carry its own
//!   `dtype` and `count`, which then count. Without either the payload is not judged.
//! * `domains` is optional: compute step `forward` occurs exactly once for each element of `[0, 2) × [0, 1)`.
//! * What is not listed here is an error, so that a misspelt key does not go by unseen.

mod fields;
mod read;
mod step;
mod write;

/// Why a text is no plan file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct PlanError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there, and what was expected.
    pub message: String,
}

/// Why a file gives no plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file can't be read.
    #[error("{file}: {source}")]
    File {
        /// The file.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// What it holds is no plan.
    #[error("{file}: {source}")]
    Plan {
        /// The file.
        file: String,
        /// Why, and where.
        source: PlanError,
    },
}

/// The word in `format`.
const FORMAT: &str = "counterpart-plan";
/// The number in `version`.
const VERSION: u64 = 1;
