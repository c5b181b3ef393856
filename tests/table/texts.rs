//! What is read as which cells.

use counterpart::table::{Action, Kind, Notation, Table, Unit};
use fastrand::Rng;

use super::table;

/// Row, column, line and place in the line of every cell.
fn places(table: &Table) -> Vec<(usize, usize, usize, usize, String)> {
    let rows = table.rows.iter().enumerate();
    let cells = rows.flat_map(|(row, cells)| cells.cells.iter().map(move |cell| (row + 1, cell)));
    cells.map(|(row, cell)| (row, cell.column, cell.line, cell.at, cell.action.to_string())).collect()
}

fn place(
    row: usize,
    column: usize,
    line: usize,
    at: usize,
    cell: &str,
) -> (usize, usize, usize, usize, String) {
    (row, column, line, at, cell.to_owned())
}

#[test]
fn idle_steps_take_a_column() {
    let read = table("0F0,,0B0\n,1F0,1B0,,\n");
    let expected = [
        place(1, 1, 1, 1, "0F0"),
        place(1, 3, 1, 6, "0B0"),
        place(2, 2, 2, 2, "1F0"),
        place(2, 3, 2, 6, "1B0"),
    ];
    assert_eq!(places(&read), expected);
    assert_eq!(read.to_csv(), "0F0,,0B0\n,1F0,1B0\n");
}

#[test]
fn line_ends_quotes_and_spaces_do_not_matter() {
    let plain = places(&table("0F0,0F1,(0F2;0B0)OVERLAP_F_B\n1F0,1B0\n"));
    let variants = [
        "0F0,0F1,(0F2;0B0)OVERLAP_F_B\r\n1F0,1B0\r\n",
        "0F0,0F1,(0F2;0B0)OVERLAP_F_B\n1F0,1B0",
        "\u{feff}\"0F0\", 0F1 ,\"(0F2;0B0)OVERLAP_F_B\"\n\"1F0\",\t1B0\n\n\n",
        "0F0,\"0F1\",\"( 0F2 ; 0B0 )OVERLAP_F_B\"\r\n1F0,\"1B0\n\"\r\n\r\n",
    ];
    for text in variants {
        let found = places(&table(text));
        let cells = |places: &[(usize, usize, usize, usize, String)]| -> Vec<_> {
            places.iter().map(|(row, column, line, _, cell)| (*row, *column, *line, cell.clone())).collect()
        };
        assert_eq!(cells(&found), cells(&plain), "{text:?}");
    }
}

#[test]
fn places_count_characters() {
    let text = "\"0F0\",\"\n\", 0F1,\"\"\r\n\u{a0}1F0,\"1B0\"\r\n";
    let expected = [
        place(1, 1, 1, 1, "0F0"),
        place(1, 3, 2, 3, "0F1"),
        place(2, 1, 3, 1, "1F0"),
        place(2, 2, 3, 6, "1B0"),
    ];
    // A field that has quotes somewhere in its record begins where its text begins, spaces and all.
    assert_eq!(places(&table(text)), expected);
    assert_eq!(places(&table("\u{a0}0F0,\u{a0}0F1\n"))[1], place(1, 2, 1, 7, "0F1"));
}

#[test]
fn blank_lines_are_ranks_that_do_nothing() {
    for text in ["\n0F0\n\r\n1F0\n\n\n", "\r\n0F0\r\n\r\n1F0\r\n\r\n", "\"\"\n0F0\n,,\n1F0"] {
        let read = table(text);
        let lens: Vec<usize> = read.rows.iter().map(|row| row.cells.len()).collect();
        assert_eq!(lens, [0, 1, 0, 1], "{text:?}");
        assert_eq!(read.to_csv(), "\"\"\n0F0\n\"\"\n1F0\n");
        let lines: Vec<usize> = places(&read).iter().map(|place| place.2).collect();
        assert_eq!(lines, [2, 4], "{text:?}");
    }
}

#[test]
fn every_kind_is_read() {
    let text = "0UNSHARD,0F1,0SEND_F1,0RECV_B1,0I1,0W1,0RESHARD,0REDUCE_GRAD\n\
                1RECV_F1,1F1,1B1,1SEND_B1,(1F2;1I3)OVERLAP_F_B,(1B4;1F5)OVERLAP_F_B\n";
    let read = table(text);
    assert_eq!(read.to_csv(), text);
    let found: Vec<Kind> = read
        .rows
        .iter()
        .flat_map(|row| &row.cells)
        .flat_map(|cell| cell.action.units())
        .map(|u| u.kind)
        .collect();
    assert!(Kind::ALL.iter().all(|kind| found.contains(kind)));
    assert!(read.has_communication() && !table("0F0,0UNSHARD\n").has_communication());
}

#[test]
fn any_actions_come_back_as_they_were() {
    let mut rng = Rng::with_seed(3);
    for _ in 0..200 {
        let mut number = |limit: u32| rng.u32(0..limit);
        let mut text = String::new();
        for _ in 0..1 + number(4) {
            let mut cells: Vec<String> = Vec::new();
            for _ in 0..1 + number(6) {
                let limit = [2, 100, (1 << 24) - 1][number(3) as usize];
                let mut unit = |kinds: &[Kind]| {
                    let kind = kinds[number(kinds.len() as u32) as usize];
                    let microbatch = if kind.has_microbatch() { number(limit) } else { 0 };
                    Unit { kind, stage: number(limit), microbatch }
                };
                let one = Action::One(unit(&Kind::ALL));
                let two =
                    Action::Overlap(vec![unit(&[Kind::Forward]), unit(&[Kind::Backward, Kind::InputGrad])]);
                cells.push([one.to_string(), two.to_string(), String::new()][number(3) as usize].clone());
            }
            let full = cells.iter().any(|cell| !cell.is_empty());
            let row = if full { cells.join(",").trim_end_matches(',').to_owned() } else { "\"\"".to_owned() };
            text.push_str(&row);
            text.push('\n');
        }
        if text.contains(|c: char| c.is_ascii_digit()) {
            assert_eq!(table(&text).to_csv(), text);
        }
    }
}

#[test]
fn the_older_notation_means_what_the_table_says() {
    let older = |text: &str| {
        Table::parse("older.csv", text, Notation::Older).unwrap_or_else(|error| panic!("{error}")).to_csv()
    };
    assert_eq!(older("0F0,0B0\n"), "0F0,0B0\n");
    assert_eq!(older("0F0,0B0,0W0\n1F0,1B0\n"), "0F0,0I0,0W0\n1F0,1I0\n");
    assert_eq!(older("0F0,0BW0,0F1,0B1,0W1\n"), "0F0,0B0,0F1,0I1,0W1\n");
    assert_eq!(older("0F0,0BW0\n1F0,1B0\n"), "0F0,0B0\n1F0,1I0\n");
    assert_eq!(older("0F0,(0F1;0BW0)OVERLAP_F_B\n"), "0F0,(0F1;0B0)OVERLAP_F_B\n");
    assert_eq!(older("0F0,0SEND_F0,0RECV_B0,0B0,0UNSHARD\n"), "0F0,0SEND_F0,0RECV_B0,0B0,0UNSHARD\n");
}
