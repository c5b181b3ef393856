//! Table to text.

use std::fmt::Write;

use super::Table;

impl Table {
    /// The table as CSV in the current notation, a line for each rank; idle steps are empty cells.
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let mut column = 1;
            for cell in &row.cells {
                let commas = cell.column.saturating_sub(column);
                column = cell.column.max(column);
                text.extend(std::iter::repeat_n(',', commas));
                // No action has a comma or a quote in it, and a `String` takes all that is written.
                let _ = write!(text, "{}", cell.action);
            }
            text.push('\n');
        }
        text
    }
}
