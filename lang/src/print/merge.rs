//! Programs that only differ in numbers, by rank, become one.

use core::ops::Range;

use super::programs::{Line, Token};

/// The program of some ranks.
pub struct Program {
    /// Which ranks.
    pub ranks: Range<usize>,
    /// What the rank is called, where there are several.
    pub rank: Option<String>,
    /// What it does.
    pub lines: Vec<Line>,
}

/// Joins the programs of neighbours where all numbers in them follow from the rank. `rank` is what it is called.
pub fn ranks(programs: Vec<Vec<Line>>, rank: &str) -> Vec<Program> {
    let numbers: Vec<Vec<i64>> = programs.iter().map(|lines| numbers(lines)).collect();
    let mut out = Vec::new();
    let mut from = 0;
    while from < programs.len() {
        let slopes = slopes(&programs, &numbers, from);
        let mut to = from + 1;
        if let Some(slopes) = &slopes {
            to += 1;
            while to < programs.len()
                && same_shape(&programs[from], &programs[to])
                && follows(&numbers[to - 1], &numbers[to], slopes)
            {
                to += 1;
            }
            // Any two numbers are on a line. A person sees it where they move as the ranks do.
            if to - from == 2 && slopes.iter().any(|slope| slope.abs() > 1) {
                to = from + 1;
            }
        }
        let mut lines = programs[from].clone();
        let several = to - from > 1;
        if let (true, Some(slopes)) = (several, slopes) {
            generalise(&mut lines, &slopes, from as i64, rank);
        }
        out.push(Program { ranks: from..to, rank: several.then(|| rank.to_owned()), lines });
        from = to;
    }
    out
}

fn tokens(lines: &[Line]) -> impl Iterator<Item = &Token> {
    lines.iter().flat_map(|line| line.parts.iter().flatten())
}

fn numbers(lines: &[Line]) -> Vec<i64> {
    let number = |token: &Token| match token {
        Token::Number(linear) => Some(linear.constant),
        _ => None,
    };
    tokens(lines).filter_map(number).collect()
}

/// By how much each number moves from one rank to the next, if the two programs are of one shape.
fn slopes(programs: &[Vec<Line>], numbers: &[Vec<i64>], from: usize) -> Option<Vec<i64>> {
    let next = programs.get(from + 1)?;
    same_shape(&programs[from], next)
        .then(|| numbers[from + 1].iter().zip(&numbers[from]).map(|(after, before)| after - before).collect())
}

fn follows(before: &[i64], after: &[i64], slopes: &[i64]) -> bool {
    before.iter().zip(after).zip(slopes).all(|((before, after), slope)| after - before == *slope)
}

/// Are the programs equal but for numbers?
fn same_shape(one: &[Line], other: &[Line]) -> bool {
    let lists = |(a, b): (&Line, &Line)| {
        let lengths = a.parts.iter().map(Vec::len).eq(b.parts.iter().map(Vec::len));
        a.depth == b.depth && a.batch == b.batch && lengths
    };
    let same = |(a, b): (&Token, &Token)| match (a, b) {
        (Token::Number(a), Token::Number(b)) => a.terms == b.terms,
        (a, b) => a == b,
    };
    one.len() == other.len() && one.iter().zip(other).all(lists) && tokens(one).zip(tokens(other)).all(same)
}

fn generalise(lines: &mut [Line], slopes: &[i64], first: i64, rank: &str) {
    let mut slopes = slopes.iter();
    for token in lines.iter_mut().flat_map(|line| line.parts.iter_mut().flatten()) {
        if let Token::Number(linear) = token {
            let slope = *slopes.next().expect("a slope for every number");
            linear.constant -= slope * first;
            if slope != 0 {
                linear.terms.insert(0, (slope, rank.to_owned()));
            }
        }
    }
}
