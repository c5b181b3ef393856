//! Integer expressions that are linear in variables.

use core::fmt::{self, Display, Write};

/// A sum of multiples of variables and a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Linear {
    /// Factors and variables; no factor is 0.
    pub terms: Vec<(i64, String)>,
    /// What is added.
    pub constant: i64,
}

impl Linear {
    /// A number.
    pub fn number(constant: i64) -> Linear {
        Linear { terms: Vec::new(), constant }
    }

    /// Adds a multiple of a variable.
    pub fn plus(mut self, factor: i64, variable: &str) -> Linear {
        if factor != 0 {
            self.terms.push((factor, variable.to_owned()));
        }
        self
    }
}

impl Display for Linear {
    /// `m`, `m + 1`, `7 - r`, `2 * m - 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (plus, minus): (Vec<_>, Vec<_>) = self.terms.iter().partition(|(factor, _)| *factor > 0);
        let mut text = String::new();
        let mut add = |sign: &str, part: String| match (text.is_empty(), sign) {
            (true, "+") => text.push_str(&part),
            (true, _) => text.push_str(&format!("-{part}")),
            _ => text.push_str(&format!(" {sign} {part}")),
        };
        let term = |(factor, variable): &(i64, String)| match factor.abs() {
            1 => variable.clone(),
            n => format!("{n} * {variable}"),
        };
        plus.iter().for_each(|one| add("+", term(one)));
        if self.constant > 0 {
            add("+", self.constant.to_string());
        }
        minus.iter().for_each(|one| add("-", term(one)));
        if self.constant < 0 || self.terms.is_empty() && self.constant == 0 {
            add(if self.constant < 0 { "-" } else { "+" }, self.constant.abs().to_string());
        }
        f.write_str(&text)
    }
}

/// Writes a list with commas.
pub fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut text = String::new();
    for (i, item) in items.into_iter().enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        write!(text, "{comma}{item}").expect("text has room");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_a_person_would_write_it() {
        let text = |terms: &[(i64, &str)], constant| {
            terms.iter().fold(Linear::number(constant), |l, (f, v)| l.plus(*f, v)).to_string()
        };
        assert_eq!(text(&[(1, "m")], 1), "m + 1");
        assert_eq!(text(&[(-1, "r")], 7), "7 - r");
        assert_eq!(text(&[(-1, "r")], 0), "-r");
        assert_eq!(text(&[(2, "m"), (-1, "r")], -3), "2 * m - r - 3");
        assert_eq!(text(&[], 0), "0");
        assert_eq!(text(&[], -1), "-1");
    }
}
