//! Tables with bytes lost, doubled and exchanged: an error with a place in the text, or a plan with a verdict.

use counterpart::core::comms::paired;
use counterpart::core::{Model, Plan};
use counterpart::table::{Notation, Placement, Table, TableError};
use counterpart_testkit::tables;
use fastrand::Rng;

const PLACEMENTS: [Option<Placement>; 4] =
    [None, Some(Placement::Loop), Some(Placement::V), Some(Placement::Bidirectional)];

/// Good tables, some with communication, quotes, CRLF and idle steps.
fn good() -> Vec<String> {
    let laid = paired(&tables::dual_pipe_v(2, 4).plan()).expect("it can run");
    vec![
        tables::zbv(2, 4).csv(),
        tables::interleaved(2, 2, 4).csv().replace('\n', "\r\n"),
        Table::from_plan(&laid).expect("a table").to_csv(),
        "0UNSHARD,,\"0F0\",0SEND_F0,0RECV_B0,0B0,0REDUCE_GRAD,0RESHARD\n,1RECV_F0,1F0,\"1B0\",1SEND_B0\n"
            .to_owned(),
    ]
}

fn damage(text: &str, rng: &mut Rng) -> String {
    const PIECES: [&str; 16] = [
        "\"",
        ",",
        "\n",
        "\r",
        ";",
        "(",
        ")",
        "F",
        "B",
        "_",
        "0",
        "9999999",
        "16777214",
        "é",
        " ",
        "OVERLAP_F_B",
    ];
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..1 + rng.usize(0..3) {
        let at = rng.usize(0..chars.len());
        let to = rng.usize(at..chars.len().min(at + 12));
        match rng.u8(0..5) {
            0 => chars.truncate(at.max(1)),
            1 => drop(chars.drain(at..to.min(chars.len() - 1))),
            2 => drop(chars.splice(at..at, PIECES[rng.usize(0..PIECES.len())].chars())),
            3 => chars.swap(at, to),
            _ => drop(chars.splice(at..at, chars[at..to].to_vec())),
        }
    }
    chars.into_iter().collect()
}

fn judge(text: &str, notation: Notation, placement: Option<Placement>) -> Result<Plan, TableError> {
    let table = Table::parse("damaged.csv", text, notation)?;
    let again = Table::parse("damaged.csv", &table.to_csv(), Notation::Current)?;
    assert_eq!(again.to_csv(), table.to_csv(), "{text:?}");
    let plan = table.to_plan("damaged", placement)?;
    for model in [Model::PORTABLE, Model::ALL[8]] {
        drop(plan.verify(model));
    }
    if let Ok(laid) = paired(&plan) {
        drop(laid.verify(Model::PORTABLE));
    }
    Ok(plan)
}

#[test]
fn damaged_tables_are_errors_with_a_place_or_plans() {
    let mut rng = Rng::with_seed(11);
    let (mut plans, mut errors) = (0, 0);
    for text in good() {
        for _ in 0..1500 {
            let bad = damage(&text, &mut rng);
            let notation = if rng.bool() { Notation::Current } else { Notation::Older };
            match judge(&bad, notation, PLACEMENTS[rng.usize(0..4)]) {
                Ok(_) => plans += 1,
                Err(error) => {
                    errors += 1;
                    let line =
                        bad.split('\n').nth(error.line - 1).unwrap_or_else(|| panic!("{error}\n{bad:?}"));
                    let end = line.chars().count().max(1);
                    assert!((1..=end).contains(&error.at), "{error}\nat {}\n{bad:?}", error.at);
                    assert!(error.row >= 1 && error.column >= 1 && error.len >= 1);
                }
            }
        }
    }
    assert!(plans > 300 && errors > 3000, "{plans} plans, {errors} errors");
}
