//! Text to table.

use std::path::Path;
use std::{fs, io};

use counterpart_core::plan::MAX_RANKS;
use csv::{ByteRecord, ReaderBuilder};

use super::error::shown;
use super::{Action, Cell, Kind, Notation, Row, Table, TableError, Unit};

/// Why a file gives no table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file can't be read.
    #[error("{file}: {source}")]
    File {
        /// The file.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// What it holds is no table.
    #[error("{file}:{}:{}: {source}", source.line, source.at)]
    Table {
        /// The file.
        file: String,
        /// Why.
        source: TableError,
    },
}

impl Table {
    /// Reads a table: a row for each rank, a cell for each time step.
    ///
    /// Cells may be quoted and have spaces around them; rows may be of different lengths, and lines end in LF or CRLF. A
    /// blank line is a rank that does nothing, but for those at the end of the text, which are nothing. A cell is read as a
    /// whole: what PyTorch reads the beginning of, such as `0F1xyz`, is an error.
    ///
    /// # Errors
    /// The first cell that is no action.
    pub fn parse(file: &str, text: &str, notation: Notation) -> Result<Table, TableError> {
        let mut table = Table { file: file.into(), rows: Vec::new() };
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(body.as_bytes());
        let mut record = ByteRecord::new();
        let (mut line, mut from) = (1, 0);
        // Text in memory is read without errors, and any bytes are a record.
        while reader.read_byte_record(&mut record).unwrap_or(false) {
            let end = reader.position().byte() as usize;
            let raw = body[from..end].trim_start_matches(['\r', '\n']);
            let before = &body[from..end - raw.len()];
            // Of a CRLF the reader leaves the line feed to the record after it.
            let blank = if body[..from].ends_with('\r') {
                before.strip_prefix('\n').unwrap_or(before)
            } else {
                before
            };
            line += before.matches('\n').count();
            table.rows.extend(blank.matches('\n').map(|_| Row::default()));
            if table.rows.len() >= MAX_RANKS {
                let message = format!("a table has at most {MAX_RANKS} rows: a row is a rank");
                return Err(wrong(&table, (1, line, 1), 1, message));
            }
            let row = row(&table, &record, raw, line, notation)?;
            table.rows.push(row);
            line += raw.matches('\n').count();
            from = end;
        }
        if table.is_empty() {
            let message = "the table has no action: expected rows such as `0F0,0F1,0B0,0B1`".to_owned();
            table.rows.clear();
            return Err(wrong(&table, (1, 1, 1), 1, message));
        }
        if notation == Notation::Older {
            settle(&mut table);
        }
        Ok(table)
    }

    /// Reads a file that holds a table.
    ///
    /// # Errors
    /// When the file can't be read, is not UTF-8, or holds something that is no table.
    pub fn read(path: impl AsRef<Path>, notation: Notation) -> Result<Table, ReadError> {
        let file = path.as_ref().display().to_string();
        match fs::read_to_string(&path) {
            Err(source) => Err(ReadError::File { file, source }),
            Ok(text) => Table::parse(&file, &text, notation)
                .map_err(|source| ReadError::Table { file: file.clone(), source }),
        }
    }
}

/// Reads one record. `raw` is its text, which begins at the beginning of line `line`.
fn row(
    table: &Table,
    record: &ByteRecord,
    raw: &str,
    line: usize,
    notation: Notation,
) -> Result<Row, TableError> {
    let mut row = Row::default();
    let quoted = raw.contains('"').then(|| starts(raw));
    let mut place = Place { line, at: 1, read: 0 };
    for (n, field) in record.iter().enumerate() {
        let text = String::from_utf8_lossy(field);
        let cell = text.trim();
        if cell.is_empty() {
            continue;
        }
        // Where the text has no quotes, a field stands where it stands in the record, a comma further for each before it.
        let start = match &quoted {
            Some(starts) => starts[n],
            None => record.range(n).map_or(0, |range| range.start + n) + text.len() - text.trim_start().len(),
        };
        place.advance(raw, start);
        let Place { line, at, .. } = place;
        let column = n + 1;
        let action = Action::parse(cell, notation).map_err(|reason| {
            let message = format!("`{}`: {}", shown(cell), reason.message);
            let is_quoted = raw[start..].starts_with('"');
            let len = cell.chars().count() + if is_quoted { 2 } else { 0 };
            wrong(table, (column, line, at), len, message).help(reason.help)
        })?;
        row.cells.push(Cell { action, column, line, at });
    }
    Ok(row)
}

/// A place in the text of a record.
#[derive(Clone, Copy)]
struct Place {
    line: usize,
    at: usize,
    /// Bytes before it.
    read: usize,
}

impl Place {
    /// Goes on to byte `to` of the text.
    fn advance(&mut self, raw: &str, to: usize) {
        let passed = &raw[self.read..to];
        self.read = to;
        match passed.rfind('\n') {
            Some(last) => {
                self.line += passed.matches('\n').count();
                self.at = 1 + passed[last + 1..].chars().count();
            }
            None => self.at += passed.chars().count(),
        }
    }
}

/// Where the fields of a record with quotes begin.
fn starts(raw: &str) -> Vec<usize> {
    let bytes = raw.as_bytes();
    let mut starts = vec![0];
    // A quote opens a field only at its beginning; inside, two of them are one that is meant.
    let mut is_quoted = bytes.first() == Some(&b'"');
    let mut at = usize::from(is_quoted);
    while at < bytes.len() {
        match bytes[at] {
            b'"' if is_quoted && bytes.get(at + 1) == Some(&b'"') => at += 1,
            b'"' => is_quoted = false,
            b',' if !is_quoted => {
                starts.push(at + 1);
                is_quoted = bytes.get(at + 1) == Some(&b'"');
                at += usize::from(is_quoted);
            }
            _ => {}
        }
        at += 1;
    }
    starts
}

/// An error in the row that would come next, at a column of the table, a line, and a column of it.
fn wrong(
    table: &Table,
    (column, line, at): (usize, usize, usize),
    len: usize,
    message: String,
) -> TableError {
    TableError { row: table.rows.len() + 1, column, line, at, len, message, help: None }
}

/// In the older notation `B` is the whole backward in a table without `W` and `BW`.
fn settle(table: &mut Table) {
    let cells = || table.rows.iter().flat_map(|row| &row.cells);
    let is_told_apart = |unit: &Unit| matches!(unit.kind, Kind::WeightGrad | Kind::Backward);
    if cells().any(|cell| cell.action.units().iter().any(is_told_apart)) {
        return;
    }
    for unit in table.rows.iter_mut().flat_map(|row| &mut row.cells).flat_map(|cell| cell.action.units_mut())
    {
        if unit.kind == Kind::InputGrad {
            unit.kind = Kind::Backward;
        }
    }
}
