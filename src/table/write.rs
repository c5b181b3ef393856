//! Table to text.

use std::fmt::Write;

use super::Table;

impl Table {
    /// The table as CSV in the current notation, a line for each rank; idle steps are empty cells. A rank without actions is
    /// the line `""`, as Python's `csv` writes it: a blank line at the end of a file would be no rank.
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let mut column = 1;
            for (n, cell) in row.cells.iter().enumerate() {
                let next = cell.column.max(column + usize::from(n > 0));
                text.extend(std::iter::repeat_n(',', next - column));
                column = next;
                // No action has a comma or a quote in it, and a `String` takes all that is written.
                let _ = write!(text, "{}", cell.action);
            }
            text.push_str(if row.cells.is_empty() { "\"\"\n" } else { "\n" });
        }
        text
    }
}
